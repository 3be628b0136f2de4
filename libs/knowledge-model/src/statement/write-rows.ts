/** The statements of a plan for rows: a page of them, from a number on or behind a row, and their count. */
import {
  allOf,
  anyOf,
  binaryOperation,
  callFunction,
  column,
  countStar,
  lateParameter,
  negation,
  parameter,
  untypedParameter,
  type SqlColumn,
  type SqlExpression,
  type SqlSelect,
  type SqlSource,
} from '@tessera/sql';
import { sqlTypes } from '../expression/compile-cast.js';
import type { PageAfterRow, PlannedOrder, RowsPlan, PagePerLink } from '../plan/query-plan.js';
import { addRangeFieldResolvers } from './write-related.js';
import {
  columnNameOf,
  fieldResolversFor,
  equalsLink,
  orderByText,
  buildAttributeSql,
  buildFieldSql,
  buildLimit,
  buildOrderBy,
  buildLimitAndOffset,
  buildKeysetOrderBy,
  buildSourceClauses,
  guardOf,
  type SqlBuildContext,
} from './write-clauses.js';

export const buildRowsSelect = (writing: SqlBuildContext, plan: RowsPlan): SqlSelect => {
  const { page } = plan;
  switch (page.kind) {
    case 'offset':
      return { ...writeFields(writing, plan), orderBy: buildOrderBy(plan.order), ...buildLimitAndOffset(page) };
    case 'behind':
      return writeRowsAfter(writing, plan, page);
    case 'shares':
      return writeShares(writing, plan, page);
  }
};

/** The rows without their order. */
const writeFields = (writing: SqlBuildContext, plan: RowsPlan): SqlSelect => ({
  kind: 'select',
  distinct: plan.distinct,
  columns: writeColumns(writing, plan),
  ...buildSourceClauses(writing, plan.source),
});

const writeColumns = (writing: SqlBuildContext, { source, columns, order, places }: RowsPlan): readonly SqlColumn[] => {
  const fieldPlaces = addRangeFieldResolvers(writing, fieldResolversFor(writing.view, source));
  const asked = columns.map(({ asked: field, collation }) => orderByText(buildFieldSql(field, fieldPlaces), collation));
  const beside = order.flatMap(({ by }) => (by.kind === 'attribute' ? [buildAttributeSql(by)] : []));
  return [...asked, ...(places.length > 0 ? beside : [])].map((value) => ({ value }));
};

const writeRowsAfter = (writing: SqlBuildContext, plan: RowsPlan, page: PageAfterRow): SqlSelect => {
  const select = writeFields(writing, plan);
  const items = plan.places.flatMap(({ column: at }, index) => {
    const [order, operand] = [plan.order[index], select.columns[at]?.value];
    return order && operand ? [{ ...order, operand, value: page.values[index] ?? null }] : [];
  });
  const guard = guardOf(writing, plan.source, new Set(plan.source.places.keys()));
  const where = (written: SqlExpression): SqlExpression => {
    const section = guard(written);
    return select.where ? allOf([select.where, section]) : section;
  };
  const [orderBy, limit] = [buildOrderBy(plan.order), buildLimit(page)];
  if (!page.isDivided) return { ...select, where: where(writeKeysetCondition(items)), orderBy, limit };
  const columns = select.columns.map(({ value }, at) => ({ value, alias: `c${at + 1}` }));
  const queries = writeSections(items).map((section) => ({
    ...select,
    columns,
    where: where(section),
    orderBy,
    limit,
  }));
  return {
    kind: 'select',
    columns: columns.map(({ alias }) => ({ value: column(sectionsAlias, alias) })),
    from: { kind: 'query', query: { kind: 'unionAll', queries }, alias: sectionsAlias },
    orderBy: buildKeysetOrderBy(plan),
    limit,
  };
};

const sectionsAlias = 'sections';

/** What shares are told when they are run. */
export const linkParameterNames = {
  /** Of the links, from 1 on. */
  numbers: 'numbers',
  /** The number of the last row of each link. */
  last: 'last',
  /** Of the links at an attribute. */
  values: (at: number): string => `values ${at}`,
} as const;

/**
 * All rows of all links are numbered and counted, each within its link. Of these come those that are asked for, and always the first,
 * which tells how many there are.
 */
const writeShares = (writing: SqlBuildContext, plan: RowsPlan, { record, on, skip }: PagePerLink): SqlSelect => {
  const linked = writeLinkedRows(writing, plan, { record, on });
  const own = linked.columns
    .slice(0, -1)
    .map((_, at) => ({ value: column(shareColumn, `c${at + 1}`), alias: `c${at + 1}` }));
  const partitionBy = column(shareColumn, linkColumn);
  const orderBy = plan.order.flatMap((item, at) => {
    const value = own[plan.places[at]?.column ?? -1]?.value;
    return value ? buildOrderBy([item]).map((written) => ({ ...written, by: value })) : [];
  });
  const numbered: SqlSelect = {
    kind: 'select',
    columns: [
      ...own,
      { value: partitionBy, alias: linkColumn },
      { value: { kind: 'rowNumber', partitionBy, orderBy }, alias: 'number' },
      { value: { kind: 'rowsInPart', partitionBy }, alias: 'count' },
    ],
    from: { kind: 'query', query: linked, alias: shareColumn },
  };
  const number = column(shareColumn, 'number');
  const isAsked = allOf([
    binaryOperation(number, '>', parameter(String(skip), 'bigint')),
    binaryOperation(number, '<=', lateParameter(linkParameterNames.last, 'bigint')),
  ]);
  return {
    kind: 'select',
    columns: [
      ...own.map(({ value }) => ({ value })),
      ...[linkColumn, 'number', 'count'].map((name) => ({ value: column(shareColumn, name) })),
    ],
    from: { kind: 'query', query: numbered, alias: shareColumn },
    where: anyOf([isAsked, binaryOperation(number, '=', parameter('1', 'bigint'))]),
    orderBy: [own.length + 1, own.length + 2].map((by) => ({ by, descending: false })),
  };
};

const linkColumn = 'link';
const shareColumn = 'share';

/** The rows that links lead to, each once for each link, and behind their columns the number of the link. */
const writeLinkedRows = (
  writing: SqlBuildContext,
  plan: RowsPlan,
  { record, on }: Pick<PagePerLink, 'record' | 'on'>,
): SqlSelect => {
  const { from, joins = [], where, columns } = writeFields(writing, plan);
  const places = fieldResolversFor(writing.view, plan.source);
  const pairs = on.map((key, at) =>
    equalsLink(
      places.column(record, columnNameOf(writing.view, record, key.attribute)),
      column(linkColumn, `v${at + 1}`),
      key,
    ),
  );
  const lists = on.map(({ type }, at) => lateParameter(linkParameterNames.values(at), `${sqlTypes[type]}[]`));
  const links: SqlSource = {
    kind: 'function',
    value: callFunction('unnest', lateParameter(linkParameterNames.numbers, 'bigint[]'), ...lists),
    alias: linkColumn,
    columns: ['number', ...lists.map((_, at) => `v${at + 1}`)],
  };
  return {
    kind: 'select',
    columns: [
      ...columns.map(({ value }, at) => ({ value, alias: `c${at + 1}` })),
      { value: column(linkColumn, 'number'), alias: linkColumn },
    ],
    ...(from && { from }),
    joins: [...joins, { kind: 'cross', source: links }],
    where: allOf([...(where ? [where] : []), ...pairs]),
  };
};

export const buildRowCountSelect = (writing: SqlBuildContext, plan: RowsPlan): SqlSelect => ({
  kind: 'select',
  columns: [{ value: countStar }],
  ...(plan.distinct
    ? { from: { kind: 'query', query: writeFields(writing, plan), alias: 'rows' } }
    : buildSourceClauses(writing, plan.countSource)),
});

/** An item of the order, and its value in the row before. */
type OrderByItem = Pick<PlannedOrder, 'descending' | 'nullable'> & {
  readonly operand: SqlExpression;
  readonly value: string | null;
};

type Present = OrderByItem & { readonly value: string };

/** No row is in two of them, and those of the first come first: rows with a value in the first item, and without. */
const writeSections = (items: readonly OrderByItem[]): readonly SqlExpression[] => {
  const [first, ...others] = items;
  if (!first) return [];
  const { operand, value, descending, nullable } = first;
  const isNull: SqlExpression = { kind: 'isNull', operand };
  if (value === null) {
    const behind = allOf([isNull, writeKeysetCondition(others)]);
    return nullable && !descending ? [behind, negation(isNull)] : [behind];
  }
  const behind = writeAfterValue({ ...first, value }, others);
  return nullable && descending ? [behind, isNull] : [behind];
};

const writeKeysetCondition = (items: readonly OrderByItem[]): SqlExpression => anyOf(writeSections(items));

/** Not true where the first item is null. */
const writeAfterValue = (first: Present, others: readonly OrderByItem[]): SqlExpression => {
  const beyond = first.descending ? '<' : '>';
  const value = untypedParameter(first.value);
  if (others.length === 0) return binaryOperation(first.operand, beyond, value);
  const row = rowOf(first, others);
  if (row) return binaryOperation(row.left, beyond, row.right);
  return allOf([
    binaryOperation(first.operand, `${beyond}=`, value),
    anyOf([binaryOperation(first.operand, beyond, value), writeKeysetCondition(others)]),
  ]);
};

/** A row with a null in it is behind no other, which is so in an ascending order: there nulls come first. */
const rowOf = (
  first: Present,
  others: readonly OrderByItem[],
): { readonly left: SqlExpression; readonly right: SqlExpression } | undefined => {
  const { descending } = first;
  const rest = others.flatMap(({ value, ...item }) =>
    value !== null && item.descending === descending && !(descending && item.nullable) ? [{ ...item, value }] : [],
  );
  if (rest.length < others.length) return undefined;
  const items = [first, ...rest];
  return {
    left: { kind: 'row', operands: items.map(({ operand }) => operand) },
    right: { kind: 'row', operands: items.map(({ value }) => untypedParameter(value)) },
  };
};
