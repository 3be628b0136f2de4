/**
 * A search as SQL. Each field is looked for by itself, since only then its index serves and nothing but what the index
 * found is compared; the rows of all fields together are told by where they stand in their table, which no row changes while
 * a statement runs.
 */
import {
  allOf,
  anyOf,
  binaryOperation,
  callFunction,
  column,
  escapeLike,
  exists,
  parameter,
  type SqlExpression,
  type SqlQuery,
  type SqlSelect,
} from '@tessera/sql';
import type { TypedExpression } from '../expression/typed-expression.js';
import { type RowCondition, wholeMatchScore } from '../plan/query-plan.js';
import type { RecordField } from '../query/query-field.js';
import type { ResolvedSearch } from '../query/data-query.js';
import { unicodeFormsOf } from '../search/fold-text.js';
import {
  type FieldResolvers,
  fieldResolversForAlias,
  buildTableSource,
  buildFieldSql,
  type SqlBuildContext,
} from './write-clauses.js';

type SearchCondition = RowCondition & { readonly kind: 'search' };

/** Where a row stands in its table. */
export const rowIdColumn = 'ctid';

export const buildSearchCondition = (
  writing: SqlBuildContext,
  { search, isIndexed }: SearchCondition,
  places: FieldResolvers,
): SqlExpression => {
  if (!isIndexed) return anyOf(search.fields.map((field) => writeMatch(search, buildFieldSql(field, places))));
  const found = buildRowIdQueries(writing, search);
  return anyOf(
    found.map(({ record, queries }) => {
      const row = places.column(record, rowIdColumn);
      return found.length > 1
        ? { kind: 'in', operand: row, query: buildRowIdUnion(queries) }
        : isIn(row, buildRowIdUnion(queries));
    }),
  );
};

/** Finds rows where they stand; a row that is there already is found faster by `in`. */
const isIn = (row: SqlExpression, query: SqlQuery): SqlExpression => ({
  kind: 'any',
  left: row,
  list: { kind: 'array', query },
});

export const buildRowIdInCondition = (alias: string, query: SqlQuery): SqlExpression =>
  isIn(column(alias, rowIdColumn), query);

/** Both operators are served by a trigram index on the field; the threshold of the second is a setting. */
const writeMatch = ({ term, precision }: ResolvedSearch, text: SqlExpression): SqlExpression => {
  const forms = unicodeFormsOf(term);
  if (precision < wholeMatchScore)
    return anyOf(forms.map((form) => binaryOperation(parameter(form, 'text'), '<%', text)));
  const [first = '', ...others] = forms.map((form) => `%${escapeLike(form)}%`);
  return others.length === 0
    ? binaryOperation(text, 'ilike', parameter(first, 'text'))
    : { kind: 'any', operator: 'ilike', left: text, list: parameter([first, ...others], 'text[]') };
};

type FoundRows = { readonly record: string; readonly queries: readonly SqlSelect[] };

/** Of each record, where the rows stand in which a field matches: a query for each field. */
export const buildRowIdQueries = (writing: SqlBuildContext, search: ResolvedSearch): readonly FoundRows[] =>
  [...Map.groupBy(search.fields, ({ record }) => record)].map(([record, fields]) => ({
    record,
    queries: fields.map((field) => rowsOfField(writing, search, field)),
  }));

const foundAlias = 'found';

const rowsOfField = (writing: SqlBuildContext, search: ResolvedSearch, field: RecordField): SqlSelect => {
  const match = writeMatch(search, buildFieldSql(field, fieldResolversForAlias(writing.view, foundAlias)));
  const texts = possibleTexts(field.expression);
  return {
    kind: 'select',
    columns: [{ value: column(foundAlias, rowIdColumn) }],
    from: buildTableSource(writing, { record: field.record, alias: foundAlias }),
    where: texts ? allOf([hasMatch(search, texts), match]) : match,
  };
};

/** Whether one of the texts matches; when none does, no row is read. */
const hasMatch = (search: ResolvedSearch, texts: readonly string[]): SqlExpression =>
  exists(
    { kind: 'function', value: callFunction('unnest', parameter(texts, 'text[]')), alias: 'texts', columns: ['text'] },
    writeMatch(search, column('texts', 'text')),
  );

/** Each row once, however many fields match in it. */
export const buildRowIdUnion = (queries: readonly SqlSelect[]): SqlQuery => {
  const [only, ...others] = queries;
  if (only && others.length === 0) return only;
  return {
    kind: 'select',
    distinct: true,
    columns: [{ value: column('rows', rowIdColumn) }],
    from: { kind: 'query', query: { kind: 'unionAll', queries }, alias: 'rows' },
  };
};

/** Where all of them stand in the formula as they are; undefined where one comes from rows. */
const possibleTexts = (formula: TypedExpression): readonly string[] | undefined => {
  switch (formula.kind) {
    case 'literal':
      return typeof formula.value === 'string' ? [formula.value] : [];
    case 'derived':
      return possibleTexts(formula.formula);
    case 'case': {
      const results = [...formula.branches.map(({ then }) => then), ...(formula.otherwise ? [formula.otherwise] : [])];
      const texts = results.map(possibleTexts);
      const known = texts.filter((each) => each !== undefined);
      return known.length === texts.length ? [...new Set(known.flat())] : undefined;
    }
    default:
      return undefined;
  }
};
