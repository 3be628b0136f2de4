/**
 * What filters and columns stand on once names are known: fields of records and KPIs, each with its typed formula.
 * Refuses: who may see them.
 */
import type { FieldDeclaration } from '@tessera/filter';
import type { TypedExpression } from '../expression/typed-expression.js';
import type { TypedKpi } from '../expression/type-model.js';
import type { ResultColumn } from './compiled-query.js';

/**
 * The same field may be several objects; `record` and `field` say which it is. `nullable` holds of what a question sees:
 * a field of another record than the one asked for has no value where no row is related.
 */
export type RecordField = FieldDeclaration & {
  readonly isKpi: false;
  readonly record: string;
  readonly field: string;
  readonly expression: TypedExpression;
};

export type KpiField = FieldDeclaration & {
  readonly isKpi: true;
  readonly kpi: string;
  readonly typed: TypedKpi;
};

/** What a filter at the level of the model may name. */
export type QueryField = RecordField | KpiField;

export type AskedField = RecordField & { readonly column: ResultColumn };
export type AskedKpi = KpiField & { readonly column: ResultColumn };
export type AskedColumn = AskedField | AskedKpi;

export const isRecordField = (field: QueryField): field is RecordField => !field.isKpi;
