/**
 * What questions to a model can name, looked up once: fields as they are asked for at either level, KPIs, filters.
 * Refuses: callers; what one of them may name is a part of it (caller-view.ts).
 */
import type { TypedFilter } from '@tessera/filter';
import type { AskedField, AskedKpi, QueryField, RecordField } from './query-field.js';

/** A field as it is asked for at the level of its record (`FIELD`) and of the model (`RECORD.FIELD`). */
export type NamedField = { readonly ofRecord: AskedField; readonly ofModel: AskedField };

/** A filter, taken apart where `and` joins it. */
export type Conditions = {
  /** All of them hold, before aggregation. */
  readonly rows: readonly TypedFilter<RecordField>[];
  /** All of them hold, after aggregation; each names a KPI. */
  readonly groups: readonly TypedFilter<QueryField>[];
  /** The fields that these name, as `RECORD.FIELD`; only what makes groups can be one. */
  readonly besideKpis: readonly string[];
};

export type ModelFilter = Conditions & {
  /** The fields (`RECORD.FIELD`) and KPIs that it names, each once. */
  readonly reads: readonly string[];
};

export type ModelNames = {
  /** By record, then by field. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, NamedField>>;
  readonly kpis: ReadonlyMap<string, AskedKpi>;
  readonly filters: ReadonlyMap<string, ModelFilter>;
};
