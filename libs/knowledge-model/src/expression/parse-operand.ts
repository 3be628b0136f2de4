/**
 * What operators join: literals, names, parameters, parentheses, case, cast, extract, functions and aggregates.
 * Never more of SQL than stands here: there is no subquery and no table.
 */
import { valueTypes } from '@tessera/contracts/knowledge-models';
import { countNode, type Cursor, expected, isSymbol, isTooDeep, isWord, peek, take } from '@tessera/filter';
import {
  aggregateFunctions,
  type AggregateFunction,
  type Branch,
  dateParts,
  type Formula,
  type FormulaNode,
  type MomentType,
  reservedWords,
} from './formula.js';

export type Step = Formula | undefined;

/** The part that began at `start` and ends at the last token. */
export const part = (cursor: Cursor, start: number, node: FormulaNode): Step =>
  countNode(cursor, { ...node, start, end: peek(cursor, -1).end }, start);

/** Parses operators again, inside parentheses and between keywords. */
type ParseInner = (cursor: Cursor, least: number, depth: number) => Step;

const operandExpected = 'a field, a value, a function or "("';
const momentTypes: readonly MomentType[] = ['date', 'time', 'datetime', 'timestamp', 'interval'];

export const parseOperand = (cursor: Cursor, depth: number, inner: ParseInner): Step => {
  const token = peek(cursor);
  switch (token.kind) {
    case 'string':
    case 'number':
      cursor.index++;
      return part(cursor, token.start, { kind: token.kind, text: token.text });
    case 'quoted':
      return parseName(cursor);
    case 'word':
      return parseWord(cursor, token.text, depth, inner);
    case 'symbol':
      if (token.text === '(') return parseParenthesis(cursor, depth, inner);
      return token.text === ':' ? parseParameter(cursor) : expected(cursor, operandExpected);
    default:
      return expected(cursor, operandExpected);
  }
};

const parseWord = (cursor: Cursor, text: string, depth: number, inner: ParseInner): Step => {
  const { start } = peek(cursor);
  const word = text.toLowerCase();
  const next = peek(cursor, 1);
  const moment = momentTypes.find((type) => type === word);
  if (moment && next.kind === 'string') {
    cursor.index += 2;
    return part(cursor, start, { kind: 'moment', type: moment, text: next.text });
  }
  if (word === 'case') return parseCase(cursor, depth, inner);
  if (isSymbol(next, '(')) return parseCall(cursor, word, depth, inner);
  if (!reservedWords.has(word)) return parseName(cursor);
  if (word !== 'null' && word !== 'true' && word !== 'false')
    return expected(cursor, `${operandExpected} (a field called so is written "${text}")`);
  cursor.index++;
  return part(cursor, start, word === 'null' ? { kind: 'null' } : { kind: 'boolean', value: word === 'true' });
};

const parseParenthesis = (cursor: Cursor, depth: number, inner: ParseInner): Step => {
  if (isTooDeep(cursor, depth)) return undefined;
  cursor.index++;
  const formula = inner(cursor, 0, depth + 1);
  return formula && take(cursor, ')', 'an operator or ")"') && formula;
};

/** `NAME`, `RECORD.FIELD` or `RECORD.*`. */
const parseName = (cursor: Cursor): Step => {
  const { start } = peek(cursor);
  const first = takeId(cursor, operandExpected);
  if (first === undefined) return undefined;
  if (!isSymbol(peek(cursor), '.')) return part(cursor, start, { kind: 'name', id: first });
  cursor.index++;
  if (isSymbol(peek(cursor), '*')) {
    cursor.index++;
    return part(cursor, start, { kind: 'rows', record: first });
  }
  const id = takeId(cursor, `a field of ${first}`);
  return id === undefined ? undefined : part(cursor, start, { kind: 'name', record: first, id });
};

const parseParameter = (cursor: Cursor): Step => {
  const { start } = peek(cursor);
  cursor.index++;
  const id = takeId(cursor, 'the id of a parameter');
  return id === undefined ? undefined : part(cursor, start, { kind: 'parameter', id });
};

const takeId = (cursor: Cursor, what: string): string | undefined => {
  const token = peek(cursor);
  if (token.kind !== 'word' && token.kind !== 'quoted') return expected(cursor, what);
  cursor.index++;
  return token.text;
};

const parseCase = (cursor: Cursor, depth: number, inner: ParseInner): Step => {
  const { start } = peek(cursor);
  if (isTooDeep(cursor, depth)) return undefined;
  cursor.index++;
  const operand = isWord(peek(cursor), 'when') ? undefined : inner(cursor, 0, depth + 1);
  if (cursor.fault || !take(cursor, 'when')) return undefined;
  const branches: Branch[] = [];
  do {
    if (branches.length > 0) cursor.index++;
    const when = inner(cursor, 0, depth + 1);
    const then = when && take(cursor, 'then', 'an operator or then') && inner(cursor, 0, depth + 1);
    if (!when || !then) return undefined;
    branches.push({ when, then });
  } while (isWord(peek(cursor), 'when'));
  const otherwise = isWord(peek(cursor), 'else') ? parseElse(cursor, depth, inner) : undefined;
  if (cursor.fault || !take(cursor, 'end', 'when, else or end')) return undefined;
  return part(cursor, start, { kind: 'case', branches, ...(operand && { operand }), ...(otherwise && { otherwise }) });
};

const parseElse = (cursor: Cursor, depth: number, inner: ParseInner): Step => {
  cursor.index++;
  return inner(cursor, 0, depth + 1);
};

const parseCall = (cursor: Cursor, name: string, depth: number, inner: ParseInner): Step => {
  if (isTooDeep(cursor, depth)) return undefined;
  const { start } = peek(cursor);
  const aggregate = aggregateFunctions.find((candidate) => candidate === name);
  if (!aggregate && name !== 'cast' && name !== 'extract' && reservedWords.has(name))
    return expected(cursor, operandExpected);
  cursor.index += 2;
  if (aggregate) return parseAggregate(cursor, start, aggregate, depth, inner);
  if (name === 'cast') return parseCast(cursor, start, depth, inner);
  if (name === 'extract') return parseExtract(cursor, start, depth, inner);
  const values: Formula[] = [];
  while (!isSymbol(peek(cursor), ')')) {
    if (values.length > 0 && !take(cursor, ',', 'a comma or ")"')) return undefined;
    const value = inner(cursor, 0, depth + 1);
    if (!value) return undefined;
    values.push(value);
  }
  cursor.index++;
  return part(cursor, start, { kind: 'call', function: name, arguments: values });
};

const parseCast = (cursor: Cursor, start: number, depth: number, inner: ParseInner): Step => {
  const operand = inner(cursor, 0, depth + 1);
  if (!operand || !take(cursor, 'as', 'an operator or as')) return undefined;
  const type = takeOneOf(cursor, valueTypes);
  return type && take(cursor, ')') && part(cursor, start, { kind: 'cast', operand, type });
};

const parseExtract = (cursor: Cursor, start: number, depth: number, inner: ParseInner): Step => {
  const wanted = takeOneOf(cursor, dateParts);
  const operand = wanted && take(cursor, 'from') && inner(cursor, 0, depth + 1);
  return operand && take(cursor, ')') && part(cursor, start, { kind: 'extract', part: wanted, operand });
};

const takeOneOf = <Name extends string>(cursor: Cursor, names: readonly Name[]): Name | undefined => {
  const found = names.find((name) => isWord(peek(cursor), name));
  if (found === undefined) return expected(cursor, `one of ${names.join(', ')}`, names);
  cursor.index++;
  return found;
};

/** Behind its opening parenthesis. */
const parseAggregate = (
  cursor: Cursor,
  start: number,
  name: AggregateFunction,
  depth: number,
  inner: ParseInner,
): Step => {
  const distinct = isWord(peek(cursor), 'distinct');
  if (distinct) cursor.index++;
  if (isSymbol(peek(cursor), '*'))
    return expected(cursor, 'what is counted; the rows of a record are written count(RECORD.*)');
  const argument = inner(cursor, 0, depth + 1);
  if (!argument || !take(cursor, ')', 'an operator or ")"')) return undefined;
  const made = { kind: 'aggregate', function: name, distinct, argument } as const;
  if (!isWord(peek(cursor), 'filter') || !isSymbol(peek(cursor, 1), '(')) return part(cursor, start, made);
  cursor.index += 2;
  const filter = take(cursor, 'where') && inner(cursor, 0, depth + 1);
  return filter && take(cursor, ')', 'an operator or ")"') && part(cursor, start, { ...made, filter });
};
