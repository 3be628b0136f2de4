export {
  countNode,
  type Cursor,
  cursorAtStart,
  expected,
  isSymbol,
  isTooDeep,
  isWord,
  type Language,
  lengthFault,
  parseChain,
  parseItems,
  parsingOf,
  peek,
  refuse,
  take,
} from './cursor.js';
export type {
  ComparisonOperator,
  DataExpression,
  DataField,
  DataLiteral,
  FilterExpression,
  FilterField,
  FilterLiteral,
  MatchFunction,
  Span,
} from './expression.js';
export { type ExpressionFault, faultAt, type Parsing, withSuggestion } from './fault.js';
export { illegal, matchAt, readQuoted, scanTokens, type Token, tokenAt } from './scanner.js';
export { parseContentFilter } from './content/parse-content-filter.js';
export { parseDataFilter, parseDataFilters } from './data/parse-data-filter.js';
export { printDataFilter } from './data/print-data-filter.js';
export { formOf } from './data/scan.js';
export { reservedWords } from './data/words.js';
export { compileFilter } from './data/compile-filter.js';
export { typeFilter } from './data/type-filter.js';
export type { FieldDeclaration, FieldLookup, TypedCondition, TypedFilter, TypedOperand } from './data/typed-filter.js';
