export {
  countNode,
  type TokenCursor,
  createTokenCursor,
  refuseUnexpectedToken,
  type ExpressionFault,
  createExpressionFault,
  createIllegalToken,
  isSymbol,
  refuseExcessiveDepth,
  isWord,
  type ExpressionLanguage,
  findLengthFault,
  matchAt,
  parseChain,
  parseItems,
  type ExpressionParseResult,
  toExpressionParseResult,
  peekToken,
  readQuotedText,
  setFirstFault,
  scanTokens,
  expectSymbol,
  type Token,
  readTokenAt,
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
export { literalFormOf } from './data/data-words.js';
export { explainMoment } from './data/moment.js';
export { dataFunctionNames } from './data/parse-data-value.js';
export { parseDataFilter, parseDataFilters, parseDataOrder } from './data/parse-data-filter.js';
export { reservedWords } from './data/words.js';
export { printDataExpression } from './data/print-data-expression.js';
export { compileFilter } from './data/compile-filter.js';
export { typeCheckFilter } from './data/type-filter.js';
export type {
  ComputedField,
  ComputedFieldResult,
  FieldDeclaration,
  FieldLookup,
  TypedCondition,
  TypedFilter,
  TypedOperand,
} from './data/typed-filter.js';
