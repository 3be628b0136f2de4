/**
 * The SQL tree -> text for PostgreSQL and the values of its parameters. Never put a value into the text: every one is a
 * parameter, also numbers and lists. The same tree gives the same text.
 */
import type {
  SqlExpression,
  SqlJoin,
  SqlOperator,
  SqlOrder,
  SqlParameterOrigin,
  SqlQuery,
  SqlSelect,
  SqlSource,
  SqlType,
  SqlTypeName,
  SqlValue,
} from './sql-tree.js';

export type PrintedSql = {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** The places in `values` of late parameters, by name; absent without any. */
  readonly late?: ReadonlyMap<string, number>;
  /** By the places in `values`; absent without any. */
  readonly origins?: ReadonlyMap<number, SqlParameterOrigin>;
};

/** `parametersBefore`: how many parameters the statement has before this tree. */
export const printPostgres = (tree: SqlExpression | SqlQuery, parametersBefore = 0): PrintedSql => {
  const values: SqlValue[] = [];
  const late = new Map<string, number>();
  const origins = new Map<number, SqlParameterOrigin>();
  const bind: Bind = (value, { lateName, origin } = {}) => {
    if (lateName !== undefined) late.set(lateName, values.length);
    if (origin) origins.set(values.length, origin);
    return `$${parametersBefore + values.push(value)}`;
  };
  const text = printNode(tree, bind);
  return { text, values, ...(late.size > 0 && { late }), ...(origins.size > 0 && { origins }) };
};

/** `lateName`: of a parameter whose value is not known yet. */
type Bind = (
  value: SqlValue,
  more?: { readonly lateName?: string; readonly origin?: SqlParameterOrigin | undefined },
) => string;

const printNode = (expression: SqlExpression | SqlQuery, bind: Bind): string => {
  switch (expression.kind) {
    case 'column':
      return [expression.table, expression.name].flatMap((name) => (name ? [quoteIdentifier(name)] : [])).join('.');
    case 'parameter':
      return `${bind(expression.value, expression)}${expression.type ? `::${expression.type}` : ''}`;
    case 'lateParameter':
      return `${bind(null, { lateName: expression.name })}::${expression.type}`;
    case 'constant':
      return String(expression.value);
    case 'binary':
      return `(${printNode(expression.left, bind)} ${printOperator(expression)} ${printNode(expression.right, bind)})`;
    case 'any':
      return `(${printNode(expression.left, bind)} ${printOperator(expression)} any(${printNode(expression.list, bind)}))`;
    case 'in':
      return `(${printNode(expression.operand, bind)} in (${printNode(expression.query, bind)}))`;
    case 'row':
      return `(${expression.operands.map((operand) => printNode(operand, bind)).join(', ')})`;
    case 'and':
    case 'or':
      return `(${expression.operands.map((operand) => printNode(operand, bind)).join(` ${expression.kind} `)})`;
    case 'not':
      return `(not ${printNode(expression.operand, bind)})`;
    case 'negate':
      return `(- ${printNode(expression.operand, bind)})`;
    case 'isNull':
      return `(${printNode(expression.operand, bind)} is null)`;
    case 'isNotTrue':
      return `(${printNode(expression.operand, bind)} is not true)`;
    case 'call':
      return `${expression.function}(${expression.arguments.map((value) => printNode(value, bind)).join(', ')})`;
    case 'cast':
      return `(${printNode(expression.operand, bind)})::${printType(expression.type)}`;
    case 'storedText':
      return printStoredText(expression, bind);
    case 'case':
      return printCase(expression, bind);
    case 'between':
      return printBetween(expression, bind);
    case 'extract':
      return `extract(${expression.part} from ${printNode(expression.operand, bind)})`;
    case 'aggregate':
      return printAggregate(expression, bind);
    case 'deviation':
      return `stddev_samp(${printNode(expression.operand, bind)})`;
    case 'percentiles': {
      const fractions = printNode(expression.fractions, bind);
      return `percentile_disc(${fractions}) within group (order by ${printNode(expression.operand, bind)})`;
    }
    case 'rowsInAll':
      return 'count(*) over ()';
    case 'rowNumber':
    case 'rowsInPart':
      return printWindow(expression, bind);
    case 'guarded':
      return `(case when ${printNode(expression.condition, bind)} then ${printNode(expression.value, bind)} else false end)`;
    case 'collate':
      return `(${printNode(expression.operand, bind)} collate ${quoteIdentifier(expression.collation)})`;
    case 'exists':
      return `(exists (${printNode(expression.query, bind)}))`;
    case 'scalar':
      return `(${printNode(expression.query, bind)})`;
    case 'array':
      return `array(${printNode(expression.query, bind)})`;
    case 'select':
      return printSelect(expression, bind);
    case 'unionAll':
      return expression.queries.map((query) => printUnionMember(query, bind)).join(' union all ');
  }
};

const printOperator = ({
  operator = '=',
  schema,
}: {
  readonly operator?: SqlOperator;
  readonly schema?: string;
}): string => (schema === undefined ? operator : `operator(${quoteIdentifier(schema)}.${operator})`);

const printStoredText = ({ operand, type }: SqlExpression & { kind: 'storedText' }, bind: Bind): string =>
  type.shownBy ? `${type.shownBy}(${printNode(operand, bind)})` : `(${printNode(operand, bind)})::text`;

const printBetween = ({ operand, low, high }: SqlExpression & { kind: 'between' }, bind: Bind): string => {
  const [value, first, last] = [operand, low, high].map((part) => printNode(part, bind));
  return `(${value} between ${first} and ${last})`;
};

const printWindow = (expression: SqlExpression & { kind: 'rowNumber' | 'rowsInPart' }, bind: Bind): string => {
  const partition = `partition by ${printNode(expression.partitionBy, bind)}`;
  if (expression.kind === 'rowsInPart') return `count(*) over (${partition})`;
  const order = expression.orderBy.map((item) => printOrder(item, bind)).join(', ');
  return `row_number() over (${partition} order by ${order})`;
};

const printCase = (expression: SqlExpression & { kind: 'case' }, bind: Bind): string => {
  const operand = expression.operand ? ` ${printNode(expression.operand, bind)}` : '';
  const branches = expression.branches.map(
    ({ when, then }) => ` when ${printNode(when, bind)} then ${printNode(then, bind)}`,
  );
  const otherwise = expression.otherwise ? ` else ${printNode(expression.otherwise, bind)}` : '';
  return `(case${operand}${branches.join('')}${otherwise} end)`;
};

const printAggregate = (expression: SqlExpression & { kind: 'aggregate' }, bind: Bind): string => {
  const argument = expression.argument ? printNode(expression.argument, bind) : '*';
  const filter = expression.filter ? ` filter (where ${printNode(expression.filter, bind)})` : '';
  return `${expression.function}(${expression.distinct ? 'distinct ' : ''}${argument})${filter}`;
};

const printSelect = (query: SqlSelect, bind: Bind): string => {
  const columns = query.columns.map(
    ({ value, alias }) => `${printNode(value, bind)}${alias === undefined ? '' : ` as ${quoteIdentifier(alias)}`}`,
  );
  const clauses = [
    query.distinct ? 'select distinct' : 'select',
    columns.join(', '),
    query.from && `from ${printSource(query.from, bind)}`,
    ...(query.joins ?? []).map((join) => printJoin(join, bind)),
    query.where && `where ${printNode(query.where, bind)}`,
    query.groupBy &&
      `group by ${query.columns
        .slice(0, query.groupBy)
        .map((_, index) => index + 1)
        .join(', ')}`,
    query.having && `having ${printNode(query.having, bind)}`,
    query.orderBy?.length && `order by ${query.orderBy.map((order) => printOrder(order, bind)).join(', ')}`,
    query.limit && `limit ${printNode(query.limit, bind)}`,
    query.offset && `offset ${printNode(query.offset, bind)}`,
  ];
  return clauses.filter((clause) => clause).join(' ');
};

/** An order and a page of its own would else be those of all branches. */
const printUnionMember = (query: SqlSelect, bind: Bind): string =>
  query.orderBy || query.limit ? `(${printSelect(query, bind)})` : printSelect(query, bind);

const printSource = (source: SqlSource, bind: Bind): string => {
  const alias = quoteIdentifier(source.alias);
  switch (source.kind) {
    case 'table':
      return `${quoteIdentifier(source.schema)}.${quoteIdentifier(source.name)} as ${alias}`;
    case 'query':
      return `(${printNode(source.query, bind)}) as ${alias}`;
    case 'function':
      return `${printNode(source.value, bind)} as ${alias}(${source.columns.map(quoteIdentifier).join(', ')})`;
  }
};

const printJoin = (join: SqlJoin, bind: Bind): string => {
  const source = printSource(join.source, bind);
  switch (join.kind) {
    case 'left':
      return `left join ${source} on ${printNode(join.on, bind)}`;
    case 'cross':
      return `cross join ${source}`;
  }
};

const printOrder = ({ by, descending, nulls }: SqlOrder, bind: Bind): string => {
  const key = typeof by === 'number' ? String(by) : printNode(by, bind);
  return `${key}${descending ? ' desc' : ''}${nulls ? ` nulls ${nulls}` : ''}`;
};

export const printType = (type: SqlType | SqlTypeName): string =>
  typeof type === 'string' ? type : `${quoteIdentifier(type.schema)}.${quoteIdentifier(type.name)}`;

/** The one place where a name becomes SQL. */
export const quoteIdentifier = (name: string): string => {
  if (name === '' || name.includes('\0')) throw new Error('An identifier is not empty and has no character U+0000.');
  return `"${name.replaceAll('"', '""')}"`;
};

/** Text that LIKE takes literally: its wildcards and the escape character itself are escaped by a backslash. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
