/**
 * Questions that differ only in the literals that fields are compared with have one shape, whose statements differ only in
 * values. Literals of other conditions are part of the shape.
 */
import { type DataExpression, type DataField, type DataLiteral, parseDataFilters } from '@tessera/filter';
import type { CompiledQuery, CompiledStatement, DataQuery, ParsedFilter } from './data-query.js';

export type QueryShape = {
  /** The same for queries of the same shape. */
  readonly key: string;
  /** In the order of the query. */
  readonly literals: readonly DataLiteral[];
  /** The query with its expressions parsed, whose literals these are. */
  readonly query: DataQuery;
};

/** Undefined when a filter expression cannot be parsed. */
export const queryShapeOf = (query: DataQuery): QueryShape | undefined => {
  const { filterExpressions, parsedFilters = [], groupFilters = [], ...rest } = query;
  const parsing = parseDataFilters(filterExpressions);
  if (!parsing.ok) return undefined;
  const ofExpressions = parsing.value.map(({ expression, valueIndex }): ParsedFilter => ({
    parameter: 'filterExpr',
    text: filterExpressions[valueIndex] ?? '',
    expression,
  }));
  const filters = [...ofExpressions, ...parsedFilters];
  const literals: DataLiteral[] = [];
  const shapes = [filters, groupFilters].map((list) =>
    list.map(({ record, expression }) => [record, shapeOfExpression(expression, literals)]),
  );
  return {
    key: JSON.stringify([rest, ...shapes, repetitionsIn(literals)]),
    literals,
    query: { ...query, filterExpressions: [], parsedFilters: filters },
  };
};

/** Without positions; `literals` is added to. */
const shapeOfExpression = (expression: DataExpression, literals: DataLiteral[]): unknown => {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return [expression.kind, ...expression.operands.map((operand) => shapeOfExpression(operand, literals))];
    case 'not':
      return ['not', shapeOfExpression(expression.operand, literals)];
    case 'compare':
      return [expression.operator, shapeOfField(expression.field), shapeOfLiteral(expression.literal, literals)];
    case 'in':
      return ['in', shapeOfField(expression.field), expression.literals.map(writtenLiteral), expression.likeness];
    case 'match':
      return [expression.function, shapeOfField(expression.field), writtenLiteral(expression.literal)];
    case 'any': {
      const { path, variable, range, operand } = expression;
      return ['any', path, variable, range, operand && shapeOfExpression(operand, literals)];
    }
  }
};

const shapeOfField = ({ name, applied, value }: DataField): unknown => [name, applied, value];

const writtenLiteral = ({ kind, text }: DataLiteral): unknown => [kind, text];

/** A word may be the name of a field; null and attributes of the caller make other conditions. */
const liftedKinds: ReadonlySet<string> = new Set(['string', 'number', 'date', 'datetime', 'time']);

const shapeOfLiteral = (literal: DataLiteral, literals: DataLiteral[]): unknown => {
  const { kind, text } = literal;
  if (!liftedKinds.has(kind)) return writtenLiteral(literal);
  literals.push(literal);
  return kind === 'number' && digitsPattern.test(text) ? 'digits' : kind;
};

const digitsPattern = /^[+-]?\d+$/;

/** The places of literals that are written as one before them; a statement may have the same value once for both. */
const repetitionsIn = (literals: readonly DataLiteral[]): readonly (readonly [number, number])[] => {
  const firsts = new Map<string, number>();
  return literals.flatMap(({ kind, text }, place) => {
    const written = `${kind} ${text}`;
    const first = firsts.get(written);
    if (first === undefined) firsts.set(written, place);
    return first === undefined ? [] : [[first, place] as const];
  });
};

/** What was compiled of a query, for other queries of its shape. */
export class CompiledQueryShape {
  readonly #places: ReadonlyMap<object, number>;

  constructor(
    readonly compiled: CompiledQuery,
    private readonly literals: readonly DataLiteral[],
  ) {
    this.#places = new Map(literals.map((literal, place) => [literal, place]));
  }

  /** Whether each literal is in a statement, so that one that does not fit is noticed. */
  get isWhole(): boolean {
    const { rows, count } = this.compiled;
    const origins = [...(rows.origins?.values() ?? []), ...(count.origins?.values() ?? [])];
    const found = new Set<object>(origins.map(({ literal }) => literal));
    return this.literals.every((literal) => found.has(literal));
  }

  /** Undefined when one of them does not fit into the statements: the query has to be compiled, and may have a fault. */
  withLiterals(literals: readonly DataLiteral[]): CompiledQuery | undefined {
    if (literals.every(({ text }, place) => text === this.literals[place]?.text)) return this.compiled;
    const rows = this.#statementWith(this.compiled.rows, literals);
    const count = this.#statementWith(this.compiled.count, literals);
    return rows && count && { ...this.compiled, rows, count };
  }

  #statementWith(statement: CompiledStatement, literals: readonly DataLiteral[]): CompiledStatement | undefined {
    const values = [...statement.values];
    for (const [place, { literal, valueFrom }] of statement.origins ?? []) {
      const other = literals[this.#places.get(literal) ?? -1];
      // Of a filter of the model or a policy.
      if (!other) continue;
      const value = valueFrom(other);
      if (value === undefined) return undefined;
      values[place] = value;
    }
    return { ...statement, values };
  }
}
