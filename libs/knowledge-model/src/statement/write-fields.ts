/**
 * How fields are written where their records stand under a name in the statement, perhaps without a row, and the filters
 * over them. Refuses: to know how the records got there.
 */
import { compileFilter, type TypedFilter } from '@tessera/filter';
import { column, negation, type SqlCollation, type SqlExpression, type SqlSource } from '@tessera/sql';
import { type ColumnPlace, compileFormula } from '../expression/compile-formula.js';
import type { TypedExpression } from '../expression/typed-expression.js';
import type { PlannedRecord, RowSource } from '../plan/query-plan.js';
import type { CallerView } from '../query/caller-view.js';
import type { RecordField } from '../query/query-field.js';

/** What a statement is written for: `schema` is the one in which the tables are. */
export type Writing = { readonly view: CallerView; readonly schema: string };

export const tableOf = (
  { view, schema }: Writing,
  { record, alias }: Pick<PlannedRecord, 'record' | 'alias'>,
): SqlSource => ({ kind: 'table', schema, name: view.model.recordById.get(record)?.table ?? '', alias });

/** Where fields are read, each by its record. */
export type FieldPlaces = {
  readonly column: ColumnPlace;
  /** A column of the record that is null only where it has no row; undefined where it always has one. */
  readonly keyOf: (record: string) => string | undefined;
  /** What formulas compare texts by, where columns may say something else. */
  readonly collation?: SqlCollation | undefined;
};

export const placesIn = (view: CallerView, { root, joins, semiJoins, places }: RowSource): FieldPlaces => {
  const joined = [...joins, ...semiJoins.flatMap(({ records }) => records)];
  const aliasOf = (record: string): string => places.get(record) ?? root.alias;
  return {
    collation: formulaCollation(view),
    column: (record, name) => column(aliasOf(record), name),
    keyOf: (record) => {
      const alias = aliasOf(record);
      const [key] = joined.find((join) => join.alias === alias && join.isOptional)?.on ?? [];
      // A row was joined because it is equal to something.
      return key && columnOf(view, record, key.to);
    },
  };
};

/** The places in a record that stands alone, or is being joined. */
export const placesAt = (view: CallerView, alias: string): FieldPlaces => ({
  collation: formulaCollation(view),
  column: (_, name) => column(alias, name),
  keyOf: () => undefined,
});

/** Columns of the team's tables compare by code points already; those of another database as they like. */
export const formulaCollation = ({ model }: CallerView): SqlCollation | undefined =>
  model.source.database === undefined ? undefined : 'C';

export const columnOf = ({ formulas }: CallerView, record: string, attribute: string): string => {
  const expression = formulas.fields.get(record)?.get(attribute);
  if (expression?.kind !== 'column') throw new Error(`${record}.${attribute} is no attribute.`);
  return expression.column;
};

export const writeField = ({ expression }: RecordField, places: FieldPlaces): SqlExpression =>
  writeFormula(expression, places);

/** Of a field, or of a KPI whose aggregates are computed here. */
export const writeFormula = (
  formula: TypedExpression,
  { column: place, keyOf, collation }: FieldPlaces,
): SqlExpression =>
  compileFormula(formula, place, {
    collation,
    presence: (record) => {
      const key = keyOf(record);
      return key === undefined ? undefined : negation({ kind: 'isNull', operand: place(record, key) });
    },
  });

export const withCollation = (operand: SqlExpression, collation: SqlCollation | undefined): SqlExpression =>
  collation ? { kind: 'collate', operand, collation } : operand;

/** What may be null here decides how a condition is written: a column that cannot has the plain operators. */
export const writeFilter = (filter: TypedFilter<RecordField>, places: FieldPlaces): SqlExpression =>
  compileFilter(
    mapFields(filter, (field) => ({
      ...field,
      nullable: field.expression.nullable || places.keyOf(field.record) !== undefined,
    })),
    (field) => writeField(field, places),
  );

export const mapFields = <Field extends RecordFieldLike>(
  filter: TypedFilter<Field>,
  change: (field: Field) => Field,
): TypedFilter<Field> => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, operands: filter.operands.map((operand) => mapFields(operand, change)) };
    case 'not':
      return { kind: 'not', operand: mapFields(filter.operand, change) };
    case 'constant': {
      const { kind, value, operand } = filter;
      return { kind, value, ...(operand && { operand: { ...operand, field: change(operand.field) } }) };
    }
    case 'isNull':
    case 'compare':
    case 'in':
    case 'like':
    case 'match':
      return { ...filter, operand: { ...filter.operand, field: change(filter.operand.field) } };
  }
};

type RecordFieldLike = Pick<RecordField, 'type' | 'nullable'>;
