/**
 * The words of the filter syntax for data. Keywords are in lower case, so that `DE` and `OR` can be values and names.
 */
import type { ComparisonOperator, MatchFunction, ValueFunction } from '../expression.js';

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
export const functionNames = [...matchFunctions.keys(), ...valueFunctions.keys()];

/** No field can be asked for by one of these names without its record before it. */
export const reservedWords: ReadonlySet<string> = new Set([
  ...operatorNames,
  ...['and', 'or', 'not', 'null', 'true', 'false'],
]);

/** What people write for an operator in other languages -> the operator. */
export const comparingSymbols: ReadonlyMap<string, string> = new Map([
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
export const joiningSymbols: ReadonlyMap<string, string> = new Map([
  ['&&', 'and'],
  ['||', 'or'],
]);
