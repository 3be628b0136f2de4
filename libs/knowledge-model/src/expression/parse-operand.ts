/**
 * What operators join: literals, names, parameters, parentheses, case, cast, extract, functions and aggregates.
 * Never more of SQL than stands here: there is no subquery and no table.
 */
import { valueTypes } from '@tessera/contracts/knowledge-models';
import {
  countNode,
  type TokenCursor,
  refuseUnexpectedToken,
  isSymbol,
  refuseExcessiveDepth,
  isWord,
  peekToken,
  expectSymbol,
} from '@tessera/filter';
import {
  aggregateFunctions,
  type AggregateFunction,
  type CaseBranch,
  dateParts,
  type Formula,
  type FormulaNode,
  type TemporalType,
  formulaReservedWords,
} from './formula.js';

export type ParsedFormula = Formula | undefined;

/** The part that began at `start` and ends at the last token. */
export const createCountedNode = (cursor: TokenCursor, start: number, node: FormulaNode): ParsedFormula =>
  countNode(cursor, { ...node, start, end: peekToken(cursor, -1).end }, start);

/** Parses operators again, inside parentheses and between keywords. */
type ParseInner = (cursor: TokenCursor, least: number, depth: number) => ParsedFormula;

const operandExpected = 'a field, a value, a function or "("';
const momentTypes: readonly TemporalType[] = ['date', 'time', 'datetime', 'timestamp', 'interval'];

export const parseOperand = (cursor: TokenCursor, depth: number, inner: ParseInner): ParsedFormula => {
  const token = peekToken(cursor);
  switch (token.kind) {
    case 'string':
    case 'number':
      cursor.index++;
      return createCountedNode(cursor, token.start, { kind: token.kind, text: token.text });
    case 'quoted':
      return parseName(cursor);
    case 'word':
      return parseWord(cursor, token.text, depth, inner);
    case 'symbol':
      if (token.text === '(') return parseParenthesis(cursor, depth, inner);
      return token.text === ':' ? parseParameter(cursor) : refuseUnexpectedToken(cursor, operandExpected);
    default:
      return refuseUnexpectedToken(cursor, operandExpected);
  }
};

const parseWord = (cursor: TokenCursor, text: string, depth: number, inner: ParseInner): ParsedFormula => {
  const { start } = peekToken(cursor);
  const word = text.toLowerCase();
  const next = peekToken(cursor, 1);
  const moment = momentTypes.find((type) => type === word);
  if (moment && next.kind === 'string') {
    cursor.index += 2;
    return createCountedNode(cursor, start, { kind: 'moment', type: moment, text: next.text });
  }
  if (word === 'case') return parseCase(cursor, depth, inner);
  if (isSymbol(next, '(')) return parseCall(cursor, word, depth, inner);
  if (!formulaReservedWords.has(word)) return parseName(cursor);
  if (word !== 'null' && word !== 'true' && word !== 'false')
    return refuseUnexpectedToken(cursor, `${operandExpected} (a field called so is written "${text}")`);
  cursor.index++;
  return createCountedNode(
    cursor,
    start,
    word === 'null' ? { kind: 'null' } : { kind: 'boolean', value: word === 'true' },
  );
};

const parseParenthesis = (cursor: TokenCursor, depth: number, inner: ParseInner): ParsedFormula => {
  if (refuseExcessiveDepth(cursor, depth)) return undefined;
  cursor.index++;
  const formula = inner(cursor, 0, depth + 1);
  return formula && expectSymbol(cursor, ')', 'an operator or ")"') && formula;
};

/** `NAME`, `RECORD.FIELD` or `RECORD.*`. */
const parseName = (cursor: TokenCursor): ParsedFormula => {
  const { start } = peekToken(cursor);
  const first = takeId(cursor, operandExpected);
  if (first === undefined) return undefined;
  if (!isSymbol(peekToken(cursor), '.')) return createCountedNode(cursor, start, { kind: 'name', id: first });
  cursor.index++;
  if (isSymbol(peekToken(cursor), '*')) {
    cursor.index++;
    return createCountedNode(cursor, start, { kind: 'rows', record: first });
  }
  const id = takeId(cursor, `a field of ${first}`);
  return id === undefined ? undefined : createCountedNode(cursor, start, { kind: 'name', record: first, id });
};

const parseParameter = (cursor: TokenCursor): ParsedFormula => {
  const { start } = peekToken(cursor);
  cursor.index++;
  const id = takeId(cursor, 'the id of a parameter');
  return id === undefined ? undefined : createCountedNode(cursor, start, { kind: 'parameter', id });
};

const takeId = (cursor: TokenCursor, what: string): string | undefined => {
  const token = peekToken(cursor);
  if (token.kind !== 'word' && token.kind !== 'quoted') return refuseUnexpectedToken(cursor, what);
  cursor.index++;
  return token.text;
};

const parseCase = (cursor: TokenCursor, depth: number, inner: ParseInner): ParsedFormula => {
  const { start } = peekToken(cursor);
  if (refuseExcessiveDepth(cursor, depth)) return undefined;
  cursor.index++;
  const operand = isWord(peekToken(cursor), 'when') ? undefined : inner(cursor, 0, depth + 1);
  if (cursor.fault || !expectSymbol(cursor, 'when')) return undefined;
  const branches: CaseBranch[] = [];
  do {
    if (branches.length > 0) cursor.index++;
    const when = inner(cursor, 0, depth + 1);
    const then = when && expectSymbol(cursor, 'then', 'an operator or then') && inner(cursor, 0, depth + 1);
    if (!when || !then) return undefined;
    branches.push({ when, then });
  } while (isWord(peekToken(cursor), 'when'));
  const otherwise = isWord(peekToken(cursor), 'else') ? parseElse(cursor, depth, inner) : undefined;
  if (cursor.fault || !expectSymbol(cursor, 'end', 'when, else or end')) return undefined;
  return createCountedNode(cursor, start, {
    kind: 'case',
    branches,
    ...(operand && { operand }),
    ...(otherwise && { otherwise }),
  });
};

const parseElse = (cursor: TokenCursor, depth: number, inner: ParseInner): ParsedFormula => {
  cursor.index++;
  return inner(cursor, 0, depth + 1);
};

const parseCall = (cursor: TokenCursor, name: string, depth: number, inner: ParseInner): ParsedFormula => {
  if (refuseExcessiveDepth(cursor, depth)) return undefined;
  const { start } = peekToken(cursor);
  const aggregate = aggregateFunctions.find((candidate) => candidate === name);
  if (!aggregate && name !== 'cast' && name !== 'extract' && formulaReservedWords.has(name))
    return refuseUnexpectedToken(cursor, operandExpected);
  cursor.index += 2;
  if (aggregate) return parseAggregate(cursor, start, aggregate, depth, inner);
  if (name === 'cast') return parseCast(cursor, start, depth, inner);
  if (name === 'extract') return parseExtract(cursor, start, depth, inner);
  const values: Formula[] = [];
  while (!isSymbol(peekToken(cursor), ')')) {
    if (values.length > 0 && !expectSymbol(cursor, ',', 'a comma or ")"')) return undefined;
    const value = inner(cursor, 0, depth + 1);
    if (!value) return undefined;
    values.push(value);
  }
  cursor.index++;
  return createCountedNode(cursor, start, { kind: 'call', function: name, arguments: values });
};

const parseCast = (cursor: TokenCursor, start: number, depth: number, inner: ParseInner): ParsedFormula => {
  const operand = inner(cursor, 0, depth + 1);
  if (!operand || !expectSymbol(cursor, 'as', 'an operator or as')) return undefined;
  const type = takeOneOf(cursor, valueTypes);
  return type && expectSymbol(cursor, ')') && createCountedNode(cursor, start, { kind: 'cast', operand, type });
};

const parseExtract = (cursor: TokenCursor, start: number, depth: number, inner: ParseInner): ParsedFormula => {
  const wanted = takeOneOf(cursor, dateParts);
  const operand = wanted && expectSymbol(cursor, 'from') && inner(cursor, 0, depth + 1);
  return (
    operand && expectSymbol(cursor, ')') && createCountedNode(cursor, start, { kind: 'extract', part: wanted, operand })
  );
};

const takeOneOf = <Name extends string>(cursor: TokenCursor, names: readonly Name[]): Name | undefined => {
  const found = names.find((name) => isWord(peekToken(cursor), name));
  if (found === undefined) return refuseUnexpectedToken(cursor, `one of ${names.join(', ')}`, names);
  cursor.index++;
  return found;
};

/** Behind its opening parenthesis. */
const parseAggregate = (
  cursor: TokenCursor,
  start: number,
  name: AggregateFunction,
  depth: number,
  inner: ParseInner,
): ParsedFormula => {
  const distinct = isWord(peekToken(cursor), 'distinct');
  if (distinct) cursor.index++;
  if (isSymbol(peekToken(cursor), '*'))
    return refuseUnexpectedToken(cursor, 'what is counted; the rows of a record are written count(RECORD.*)');
  const argument = inner(cursor, 0, depth + 1);
  if (!argument || !expectSymbol(cursor, ')', 'an operator or ")"')) return undefined;
  const made = { kind: 'aggregate', function: name, distinct, argument } as const;
  if (!isWord(peekToken(cursor), 'filter') || !isSymbol(peekToken(cursor, 1), '('))
    return createCountedNode(cursor, start, made);
  cursor.index += 2;
  const filter = expectSymbol(cursor, 'where') && inner(cursor, 0, depth + 1);
  return (
    filter && expectSymbol(cursor, ')', 'an operator or ")"') && createCountedNode(cursor, start, { ...made, filter })
  );
};
