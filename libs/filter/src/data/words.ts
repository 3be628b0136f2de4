/**
 * The words of the filter syntax for data. Keywords are in lower case, so that `DE` and `OR` can be values and names.
 */
import type {
  ArithmeticOperator,
  ComparisonOperator,
  DataFunction,
  MatchFunction,
  ValueFunction,
} from '../expression.js';

const operatorMap = (...names: readonly ArithmeticOperator[]): ReadonlyMap<string, ArithmeticOperator> =>
  new Map(names.map((name) => [name, name]));

export const comparisonOperators: ReadonlyMap<string, ComparisonOperator> = new Map(
  (['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const).map((name) => [name, name]),
);
export const operatorNames = [...comparisonOperators.keys(), 'in', 'is'];

export const matchFunctions: ReadonlyMap<string, MatchFunction> = new Map(
  (['contains', 'startswith', 'endswith'] as const).map((name) => [name, name]),
);
export const valueFunctions: ReadonlyMap<string, ValueFunction> = new Map(
  (['tolower', 'toupper', 'length', 'year', 'month', 'day'] as const).map((name) => [name, name]),
);
export const filterFunctionNames = [...matchFunctions.keys(), ...valueFunctions.keys()];

/** Those of OData, with how many values they take: at least, at most. */
export const dataFunctionSignatures: ReadonlyMap<string, readonly [DataFunction, least: number, most: number]> =
  new Map(
    (
      [
        ...[...valueFunctions.values()].map((name) => [name, 1, 1] as const),
        ...(['trim', 'date', 'time', 'hour', 'minute', 'second', 'round', 'floor', 'ceiling'] as const).map(
          (name) => [name, 1, 1] as const,
        ),
        ['concat', 2, 2],
        ['indexof', 2, 2],
        ['substring', 2, 3],
      ] as const
    ).map((signature) => [signature[0], signature]),
  );

/** The operators of one level bind from the left; those of the second bind more tightly. */
export const additiveOperators = operatorMap('add', 'sub');
export const multiplicativeOperators = operatorMap('mul', 'div', 'divby', 'mod');

/** No field can be asked for by one of these names without its record before it. */
export const reservedWords: ReadonlySet<string> = new Set([
  ...operatorNames,
  ...['and', 'or', 'not', 'null', 'true', 'false'],
]);

/** What people write for an operator in other languages -> the operator. */
export const comparisonSymbols: ReadonlyMap<string, string> = new Map([
  ['=', 'eq'],
  ['==', 'eq'],
  ['===', 'eq'],
  ['!=', 'ne'],
  ['!==', 'ne'],
  ['<>', 'ne'],
  ['>', 'gt'],
  ['>=', 'ge'],
  ['<', 'lt'],
  ['<=', 'le'],
]);
export const logicalSymbols: ReadonlyMap<string, string> = new Map([
  ['&&', 'and'],
  ['||', 'or'],
]);
