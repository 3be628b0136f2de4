/**
 * A model as its caller sees it: without the fields that policies hide, without what reads them, and with the conditions
 * that the visible rows match. Refuses: to say what is hidden but to who explains a query.
 */
import type { TypedFilter } from '@tessera/filter';
import type { TypedModel } from '../expression/type-model.js';
import type { KnowledgeModel } from '../model/knowledge-model.js';
import type { ModelNames } from './model-names.js';
import type { RecordField } from './query-field.js';

export type CallerView = {
  /** Records stay, also those of which every field is hidden; policies are not told. */
  readonly model: KnowledgeModel;
  /** Of everything, since policies, keys and identifiers may be hidden. */
  readonly formulas: TypedModel;
  /** Visible fields, KPIs and filters only. */
  readonly names: ModelNames;
  /** By record; a row is there when all of them hold. */
  readonly policies: ReadonlyMap<string, readonly TypedFilter<RecordField>[]>;
  readonly policyTexts: readonly { readonly record: string; readonly rows: string }[];
  /** `record.field`, also what only reads a hidden field. */
  readonly hiddenFields: readonly string[];
};
