/** The fields, KPIs and filters that queries can name, looked up once for each model. */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import type { FieldDeclaration, FieldLookup, TypedFilter } from '@tessera/filter';
import type { TypedKpi, TypedModel } from '../expression/type-model.js';
import type { FormulaType, TypedExpression } from '../expression/typed-expression.js';
import type { FieldModel, KnowledgeModel, KpiModel } from '../model/knowledge-model.js';
import type { ResultColumn } from './data-query.js';
import { findFieldInRange } from './related-range.js';

/**
 * The same field may be several objects; `record` and `field` say which it is. `nullable` holds of what a question sees:
 * a field of another record than the one asked for has no value where no row is related.
 */
export type RecordField = FieldDeclaration & {
  readonly isKpi: false;
  readonly record: string;
  readonly field: string;
  readonly expression: TypedExpression;
  /** The further records that it reads, where it is computed from fields of several. */
  readonly others?: readonly string[];
  /** The ranges of related rows that it counts. */
  readonly counted?: readonly string[];
};

export type KpiField = FieldDeclaration & {
  readonly isKpi: true;
  readonly kpi: string;
  readonly typed: TypedKpi;
};

/** What a filter at the level of the model may name. */
export type QueryField = RecordField | KpiField;

export type RequestedField = RecordField & { readonly column: ResultColumn };
export type RequestedKpi = KpiField & { readonly column: ResultColumn };
export type RequestedColumn = RequestedField | RequestedKpi;

/** None of a value that is computed from literals alone. */
export const recordsOfField = ({ record, others = [] }: Pick<RecordField, 'record' | 'others'>): readonly string[] =>
  record === noRecordId ? [] : [record, ...others];

export const noRecordId = '';

export const isRecordField = (field: QueryField): field is RecordField => !field.isKpi;

/** A field as it is asked for at the level of its record (`FIELD`) and of the model (`RECORD.FIELD`). */
export type NamedField = { readonly ofRecord: RequestedField; readonly ofModel: RequestedField };

/** A filter, taken apart where `and` joins it. */
export type SplitConditions = {
  /** All of them hold, before aggregation. */
  readonly rows: readonly TypedFilter<RecordField>[];
  /** All of them hold, after aggregation; each names a KPI. */
  readonly groups: readonly TypedFilter<QueryField>[];
  /** The fields that these name, as `RECORD.FIELD`; only what makes groups can be one. */
  readonly besideKpis: readonly string[];
};

export type ModelFilter = SplitConditions & {
  /** The fields (`RECORD.FIELD`) and KPIs that it names, each once. */
  readonly reads: readonly string[];
};

export type ModelNames = {
  /** By record, then by field. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, NamedField>>;
  readonly kpis: ReadonlyMap<string, RequestedKpi>;
  readonly filters: ReadonlyMap<string, ModelFilter>;
};

type NamedFields = Pick<ModelNames, 'fields' | 'kpis'>;

export const createNamedFields = (model: KnowledgeModel, formulas: TypedModel): NamedFields => ({
  fields: new Map(
    model.records.map(({ id, fields }) => [
      id,
      new Map(fields.flatMap((field) => entryOf(field.id, namedField(id, field, formulas)))),
    ]),
  ),
  kpis: new Map(model.kpis.flatMap((kpi) => entryOf(kpi.id, namedKpi(kpi, formulas)))),
});

const entryOf = <Value>(id: string, value: Value | undefined): readonly (readonly [string, Value])[] =>
  value === undefined ? [] : [[id, value]];

const namedField = (record: string, field: FieldModel, { fields }: TypedModel): NamedField | undefined => {
  const expression = fields.get(record)?.get(field.id);
  const type = expression && valueTypeOf(expression.type);
  if (!type) return undefined;
  const { filterable, sortable } = field;
  const made = { isKpi: false, type, record, field: field.id, expression } as const;
  const column = { ...shownOf(field), type, aggregation: false, filterable, sortable };
  return {
    ofRecord: { ...made, nullable: expression.nullable, column: { id: field.id, ...column } },
    ofModel: { ...made, nullable: true, column: { id: `${record}.${field.id}`, ...column } },
  };
};

const namedKpi = (kpi: KpiModel, { kpis }: TypedModel): RequestedKpi | undefined => {
  const typed = kpis.get(kpi.id);
  const type = typed && valueTypeOf(typed.formula.type);
  if (!type) return undefined;
  // A group may come from another KPI and have no rows of this one.
  const column = { id: kpi.id, ...shownOf(kpi), type, aggregation: true, filterable: true, sortable: true };
  return { isKpi: true, type, nullable: true, kpi: kpi.id, typed, column };
};

const shownOf = ({ name, format, unit, exact }: FieldModel | KpiModel) => ({
  name,
  ...(format !== undefined && { format }),
  ...(unit !== undefined && { unit }),
  exact,
});

/** Undefined for types that no field has. */
export const valueTypeOf = (type: FormulaType): ValueType | undefined =>
  type === 'interval' || type === 'null' ? undefined : type;

/** `RECORD.FIELD`, and of `record` its fields by their ids alone. */
export const findField = (
  { fields }: Pick<ModelNames, 'fields'>,
  record: string | undefined,
  name: string,
): NamedField | undefined => {
  const dot = name.indexOf('.');
  if (dot >= 0) return fields.get(name.slice(0, dot))?.get(name.slice(dot + 1));
  return record === undefined ? undefined : fields.get(record)?.get(name);
};

/** query-fault.ts suggests the nearest name, so the lookup lists none. */
const noKeys = (): readonly string[] => [];

/** What filters may name, at the level of the model or of a record, whose fields may be named by their ids alone. */
export const createFilterLookup = (
  names: NamedFields,
  record: string | undefined,
  isModelLevel = record === undefined,
): FieldLookup<RequestedColumn> => ({
  get: (name) => {
    const found = findField(names, record, name);
    if (!found) return findFieldInRange(names.fields, name) ?? names.kpis.get(name);
    return found.ofRecord.record === record && !isModelLevel ? found.ofRecord : found.ofModel;
  },
  keys: noKeys,
});

/** What conditions on groups may name: what is answered. */
export const createColumnLookup = (columns: readonly RequestedColumn[]): FieldLookup<RequestedColumn> => {
  const byId = new Map(columns.map((column) => [column.column.id, column]));
  return { get: (name) => byId.get(name), keys: noKeys };
};

/**
 * What policies may name: fields of their own record, with it or without, and with it those of `parents`, the records that are
 * one row away.
 */
export const createPolicyLookup = (
  names: NamedFields,
  record: string,
  parents: ReadonlySet<string>,
): FieldLookup<RecordField> => ({
  get: (name) => {
    const found = findField(names, record, name);
    if (!found || found.ofRecord.record === record) return found?.ofRecord;
    return parents.has(found.ofModel.record) ? found.ofModel : undefined;
  },
  keys: noKeys,
});
