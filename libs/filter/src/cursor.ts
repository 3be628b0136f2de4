/**
 * What every parser of a filter does the same way: look at tokens, spend the budgets, and word the one fault.
 * Refuses: to go on after a fault. It is set once; everything returns undefined from then on.
 */
import { nearestName } from '@tessera/failures';
import type { Logic } from './expression.js';
import type { FaultRule, FilterFault } from './filter-fault.js';
import type { FilterLimits } from './limits.js';
import type { Token } from './token.js';

export type Cursor = {
  readonly tokens: readonly Token[];
  readonly limits: FilterLimits;
  index: number;
  nodes: number;
  fault?: FilterFault;
};

export const beginWith = (tokens: readonly Token[], limits: FilterLimits): Cursor => ({
  tokens,
  limits,
  index: 0,
  nodes: 0,
});

/** Asked before anything else is done with a text. */
export const lengthFault = (characters: number, { charactersMax }: FilterLimits): FilterFault | undefined =>
  characters <= charactersMax
    ? undefined
    : {
        position: charactersMax,
        message: `The filter has ${characters} characters; at most ${charactersMax} are accepted.`,
        rule: 'charactersMax',
      };

const endOfText: Token = { kind: 'end', start: 0, end: 0 };
export const peek = (cursor: Cursor, ahead = 0): Token =>
  cursor.tokens[cursor.index + ahead] ?? cursor.tokens.at(-1) ?? endOfText;

export const take = (cursor: Cursor, kind: Token['kind'], what: string): true | undefined => {
  if (peek(cursor).kind !== kind) return expected(cursor, what);
  cursor.index++;
  return true;
};

/** One or more operands with the same word between them; a chain is one node, however long. */
export const parseChain = <Condition>(
  cursor: Cursor,
  kind: 'and' | 'or',
  isJoined: (token: Token) => boolean,
  parseOperand: () => Logic<Condition> | undefined,
): Logic<Condition> | undefined => {
  const first = parseOperand();
  if (!first) return undefined;
  const operands = [first];
  while (isJoined(peek(cursor))) {
    cursor.index++;
    const next = parseOperand();
    if (!next) return undefined;
    operands.push(next);
  }
  return operands.length === 1 ? first : node(cursor, { kind, operands });
};

/** The values of a list, its closing parenthesis included; the opening one was taken before. */
export const parseValues = <Value>(
  cursor: Cursor,
  parseValue: () => Value | undefined,
): readonly Value[] | undefined => {
  const values: Value[] = [];
  for (;;) {
    const { start } = peek(cursor);
    const value = parseValue();
    if (!value) return undefined;
    if (values.push(value) > cursor.limits.listValuesMax)
      return refuse(cursor, start, `A list has at most ${cursor.limits.listValuesMax} values.`, 'listValuesMax');
    if (peek(cursor).kind !== 'comma') break;
    cursor.index++;
  }
  return take(cursor, 'close', 'a comma or a closing parenthesis') && values;
};

export const node = <Made>(cursor: Cursor, made: Made): Made | undefined => {
  cursor.nodes++;
  if (cursor.nodes <= cursor.limits.nodesMax) return made;
  return refuse(cursor, peek(cursor).start, `A filter has at most ${cursor.limits.nodesMax} conditions.`, 'nodesMax');
};

/** What goes deeper than the budget allows is `what`, a plural. */
export const tooDeep = (cursor: Cursor, what: string): undefined => {
  const message = `${what} go at most ${cursor.limits.depthMax} deep.`;
  return refuse(cursor, peek(cursor).start, message, 'depthMax');
};

export const expected = (cursor: Cursor, what: string, candidates: readonly string[] = []): undefined => {
  const token = peek(cursor);
  const found = 'text' in token ? nearestName(token.text, candidates) : undefined;
  const hint = found ? ` Did you mean ${found}?` : '';
  return refuse(cursor, token.start, `Expected ${what}, but ${nameOf(token)}.${hint}`, 'syntax', found);
};

export const refuse = (
  cursor: Cursor,
  position: number,
  message: string,
  rule: FaultRule,
  suggestion?: string,
): undefined => {
  cursor.fault ??= { position, message, rule, ...(suggestion === undefined ? {} : { suggestion }) };
  return undefined;
};

const nameOf = (token: Token): string => {
  switch (token.kind) {
    case 'end':
      return 'the filter ends here';
    case 'illegal':
      return token.message;
    case 'open':
      return 'there is "("';
    case 'close':
      return 'there is ")"';
    case 'comma':
      return 'there is ","';
    case 'string':
      return 'there is a string';
    case 'word':
    case 'operator':
    case 'number':
    case 'date':
    case 'datetime':
    case 'time':
      return `there is ${JSON.stringify(token.text.slice(0, 40))}`;
  }
};
