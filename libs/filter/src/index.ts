export {
  countNode,
  type Cursor,
  cursorAtStart,
  expected,
  type ExpressionFault,
  faultAt,
  illegal,
  isSymbol,
  isTooDeep,
  isWord,
  type Language,
  lengthFault,
  matchAt,
  parseChain,
  parseItems,
  type Parsing,
  parsingOf,
  peek,
  readQuoted,
  refuse,
  scanTokens,
  take,
  type Token,
  tokenAt,
  withSuggestion,
} from './parser.js';
export type {
  ComparisonOperator,
  DataExpression,
  DataField,
  DataFunction,
  DataLiteral,
  DataValue,
  FilterExpression,
  FilterField,
  FilterLiteral,
  MatchFunction,
  RelatedRange,
  Span,
} from './expression.js';
export { parseContentFilter } from './content/parse-content-filter.js';
export { formOf } from './data/data-words.js';
export { dataFunctionNames } from './data/parse-data-value.js';
export { parseDataFilter, parseDataFilters, parseDataOrder } from './data/parse-data-filter.js';
export { reservedWords } from './data/words.js';
export { compileFilter } from './data/compile-filter.js';
export { typeFilter } from './data/type-filter.js';
export type {
  ComputedField,
  ComputedFieldResult,
  FieldDeclaration,
  FieldLookup,
  TypedCondition,
  TypedFilter,
  TypedOperand,
} from './data/typed-filter.js';
