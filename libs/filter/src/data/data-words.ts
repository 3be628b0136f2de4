/** Words of the filter syntax for data: names, literals and keywords, and what is told of a word that is none of them. */
import type { DataLiteral, Span } from '../expression.js';
import { type FilterLimits, scanFilter } from '../filter-language.js';
import {
  type TokenCursor,
  createTokenCursor,
  refuseUnexpectedToken,
  type ExpressionFault,
  createExpressionFault,
  isSymbol,
  matchAt,
  peekToken,
  setFirstFault,
  type Token,
  readTokenAt,
} from '../parser.js';
import { reservedWords } from './words.js';

export type DataFilterOptions = {
  /** `odata` also takes `RECORD/FIELD` and `contains(FIELD,'v') eq true`. */
  readonly dialect?: 'expression' | 'odata';
  /** Fields that may stand alone for `FIELD eq true`, by their names as they will be in the tree. */
  readonly isBoolean?: (name: string) => boolean;
  /** Row policies compare with attributes of the caller: `COMPANY_CODE in caller.companyCodes`. */
  readonly callerAttributes?: boolean;
  readonly limits?: FilterLimits;
  /** OData: what else is a field when a word stands where a value may, by its name as it will be in the tree. */
  readonly isField?: (name: string) => boolean;
  /** OData: those of `any` and `all` around. */
  readonly variables?: readonly string[];
  /** OData: the texts of parameter aliases by their names with `@`. */
  readonly aliases?: ReadonlyMap<string, string>;
  /** OData: what `now()` is; the time of reading when absent. */
  readonly now?: Date;
};

const pathPatterns = {
  expression: /^[\p{L}_][\p{L}\p{M}\p{N}_-]*(?:\.[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*)*$/u,
  odata: /^[\p{L}_][\p{L}\p{M}\p{N}_-]*(?:[./][\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*)*$/u,
};
export const callerAttributePattern = /^caller\.([\p{L}_][\p{L}\p{M}\p{N}_-]*)$/u;
const namedValues = ['null', 'true', 'false'];
export const expectedValueText = "a value: a string in single quotes ('it''s'), a number, a date, true, false or null";
export const isKeyword = (token: Token, keyword: string): boolean => token.kind === 'word' && token.text === keyword;

/** Whether the word that stands here is one of the keywords but for its case, which is then the fault. */
export const refuseWrongKeywordCase = (cursor: TokenCursor, keywords: readonly string[]): boolean => {
  const token = peekToken(cursor);
  const keyword = token.kind === 'word' ? token.text.toLowerCase() : undefined;
  if (token.kind !== 'word' || keyword === undefined || token.text === keyword || !keywords.includes(keyword))
    return false;
  const quoted = namedValues.includes(keyword) ? `, or '${token.text}' in quotes for the text` : '';
  const message = `Keywords are in lower case: write ${keyword}${quoted}.`;
  setFirstFault(cursor, { position: token.start, message, rule: 'syntax', suggestion: keyword });
  return true;
};

/** A symbol stands where this syntax has the word that is `meant`. */
export const createWrongSymbolFault = ({ start }: Token, what: string, meant: string): ExpressionFault => ({
  position: start,
  message: `Expected ${what}; write ${meant} for the symbol.`,
  rule: 'syntax',
  suggestion: meant,
});

export const parseFieldName = (cursor: TokenCursor, { dialect = 'expression' }: DataFilterOptions) => {
  const token = peekToken(cursor);
  if (token.kind !== 'word' || reservedWords.has(token.text) || !pathPatterns[dialect].test(token.text))
    return refuseUnexpectedToken(cursor, dialect === 'odata' ? 'a field or RECORD/FIELD' : 'a field or RECORD.FIELD');
  cursor.index++;
  return { name: token.text.replaceAll('/', '.'), start: token.start, end: token.end };
};

export const parseLiteral = (cursor: TokenCursor, options: DataFilterOptions): DataLiteral | undefined => {
  const token = peekToken(cursor);
  switch (token.kind) {
    case 'string':
    case 'number':
    case 'date':
    case 'datetime':
    case 'time':
      cursor.index++;
      return { kind: token.kind, text: token.text, start: token.start, end: token.end };
    case 'word':
      return token.text.startsWith('@') ? parseAlias(cursor, token, options) : parseWord(cursor, token, options);
    default:
      return refuseUnexpectedToken(cursor, expectedValueText);
  }
};

/** The literal that the alias stands for; null where it is given no value, as the standard has it. */
const parseAlias = (
  cursor: TokenCursor,
  { text: alias, start, end }: Span & { readonly text: string },
  options: DataFilterOptions,
): DataLiteral | undefined => {
  cursor.index++;
  const text = options.aliases?.get(alias);
  if (text === undefined) return { kind: 'null', text: 'null', start, end };
  const inner = createTokenCursor(cursor.language, tokenizeDataFilter(text, options), cursor.limits);
  const isAlias = text.trimStart().startsWith('@');
  const literal = isAlias ? undefined : parseLiteral(inner, { ...options, aliases: new Map() });
  if (literal && peekToken(inner).kind === 'end') return { ...literal, start, end };
  const shown = JSON.stringify(text.slice(0, 40));
  return setFirstFault(
    cursor,
    createExpressionFault(start, 'syntax', `${alias} is ${shown}; expected ${expectedValueText}.`),
  );
};

const parseWord = (
  cursor: TokenCursor,
  { text, start, end }: Span & { readonly text: string },
  { callerAttributes = false }: DataFilterOptions,
): DataLiteral | undefined => {
  const isNamed = namedValues.includes(text);
  if (refuseWrongKeywordCase(cursor, namedValues)) return undefined;
  if (isSymbol(peekToken(cursor, 1), '(') || (!isNamed && reservedWords.has(text)))
    return refuseUnexpectedToken(cursor, expectedValueText);
  const attribute = callerAttributePattern.exec(text)?.[1];
  if (attribute !== undefined && !callerAttributes)
    return setFirstFault(
      cursor,
      createExpressionFault(start, 'syntax', 'Only row policies compare with attributes of the caller.'),
    );
  cursor.index++;
  if (attribute !== undefined) return { kind: 'caller', text: attribute, start, end };
  return { kind: isNamed ? (text === 'null' ? 'null' : 'boolean') : 'word', text, start, end };
};

const runPattern = /[\p{L}\p{M}\p{N}_.:+/-]+/uy;
/** No operator of this syntax, but what stands for one elsewhere; the parser names the right one. */
const symbolPattern = /[=<>!&|]+/y;
const literalForms = [
  ['number', /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['datetime', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(?:Z|[+-]\d{2}:\d{2})?$/],
  ['time', /^\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?$/],
] as const;

/** The tokens of `text`; the last one is always `end`. */
export const tokenizeDataFilter = (text: string, { dialect }: DataFilterOptions): readonly Token[] =>
  scanFilter(text, (start) => (dialect === 'odata' ? readODataWord(text, start) : readWord(text, start)));

const countPattern = /[\p{L}_][\p{L}\p{M}\p{N}_./-]*\/\$count(?![\p{L}\p{M}\p{N}_])/uy;
const aliasPattern = /@[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;

const variablePattern = /^[\p{L}_][\p{L}\p{M}\p{N}_]*(?=:)/u;
const lambdaPattern = /\/(?:any|all)\($/;

/** A minus that begins no literal is an operator; a colon stands behind the variable of `any` and `all` alone. */
const readODataWord = (text: string, start: number): Token | undefined => {
  const token =
    readTokenAt('word', aliasPattern, text, start) ??
    readTokenAt('word', countPattern, text, start) ??
    readWord(text, start);
  if (token?.kind === 'word' && token.text.startsWith(':')) return { kind: 'symbol', text: ':', start, end: start + 1 };
  const variable = token?.kind === 'word' ? variablePattern.exec(token.text)?.[0] : undefined;
  if (variable !== undefined && lambdaPattern.test(text.slice(0, start).trimEnd().slice(-5)))
    return { kind: 'word', text: variable, start, end: start + variable.length };
  return token?.kind === 'word' && token.text.startsWith('-')
    ? { kind: 'symbol', text: '-', start, end: start + 1 }
    : token;
};

const readWord = (text: string, start: number): Token | undefined => {
  const run = matchAt(runPattern, text, start);
  if (run) return { kind: literalFormOf(run) ?? 'word', text: run, start, end: start + run.length };
  return readTokenAt('symbol', symbolPattern, text, start);
};

/** The form that the text of a literal has, quoted or not. */
export const literalFormOf = (text: string): (typeof literalForms)[number][0] | undefined =>
  literalForms.find(([, pattern]) => pattern.test(text))?.[0];
