/** Conditions of the filter syntax for data: a field, an operator, and a value or a list. */
import type { ComparisonOperator, DataExpression, DataField, DataLiteral, ValueFunction } from '../expression.js';
import { countNode, type Cursor, expected, isSymbol, isTooDeep, parseItems, peek, refuse, take } from '../parser.js';
import {
  callerPattern,
  type DataFilterOptions,
  isKeyword,
  parseLiteral,
  parseName,
  refuseCase,
  symbolFault,
} from './data-words.js';
import {
  comparingSymbols,
  comparisonOperators,
  functionNames,
  matchFunctions,
  operatorNames,
  valueFunctions,
} from './words.js';

export type ConditionStep = DataExpression | undefined;
export type ConditionReading = { readonly cursor: Cursor; readonly options: DataFilterOptions };

export const conditionExpected =
  "a condition such as CITY eq 'Rome', contains(CITY, 'o'), not or a parenthesis; a field stands on the left";
const operatorExpected = `an operator (${operatorNames.join(' ')})`;

export const parseCondition = (reading: ConditionReading, depth: number): ConditionStep => {
  const { cursor } = reading;
  const token = peek(cursor);
  if (token.kind !== 'word') return expected(cursor, conditionExpected);
  const next = peek(cursor, 1);
  const isOperated = next.kind === 'word' && (operatorNames.includes(next.text) || next.text === 'not');
  const isCall = isSymbol(next, '(');
  const keywords = isCall ? ['not', ...functionNames] : ['not'];
  if (!isOperated && refuseCase(cursor, keywords)) return undefined;
  if (!isCall || valueFunctions.has(token.text)) return parseComparison(reading, depth);
  const called = matchFunctions.get(token.text);
  if (!called) return expected(cursor, `one of the functions ${functionNames.join(' ')}`, functionNames);
  return parseMatch(reading, called, depth);
};

const parseMatch = (
  reading: ConditionReading,
  called: 'contains' | 'startswith' | 'endswith',
  depth: number,
): ConditionStep => {
  const { cursor, options } = reading;
  cursor.index += 2;
  const field = parseField(cursor, options, depth + 1);
  const literal = field && take(cursor, ',', 'a comma and a string') && parseLiteral(cursor, options);
  if (!literal || !take(cursor, ')', 'a closing parenthesis')) return undefined;
  return countNode(cursor, { kind: 'match', function: called, field, literal });
};

const parseComparison = (reading: ConditionReading, depth: number): ConditionStep => {
  const { cursor, options } = reading;
  const field = parseField(cursor, options, depth);
  const operator = field && parseOperator(cursor);
  if (!operator) return undefined;
  if (typeof operator === 'object') return countNode(cursor, { kind: 'compare', field, ...operator });
  if (operator === 'in' || operator === 'not in') {
    const literals = parseList(cursor, options);
    const made: ConditionStep = literals && countNode(cursor, { kind: 'in', field, literals });
    return operator === 'in' ? made : made && countNode(cursor, { kind: 'not', operand: made });
  }
  const literal = parseLiteral(cursor, options);
  return literal && countNode(cursor, { kind: 'compare', operator, field, literal });
};

/** What an operator asks for next: a value, a list, or nothing more. */
export type ReadOperator = ComparisonOperator | 'in' | 'not in' | { operator: 'eq' | 'ne'; literal: DataLiteral };

/** `CITY`, `SUPPLIER.CITY`, `length(tolower(CITY))`. */
const parseField = (cursor: Cursor, options: DataFilterOptions, depth: number): DataField | undefined => {
  const outermostFirst: ValueFunction[] = [];
  while (isSymbol(peek(cursor, 1), '(')) {
    const token = peek(cursor);
    const called = 'text' in token ? valueFunctions.get(token.text) : undefined;
    if (!called) {
      const names = [...valueFunctions.keys()];
      return refuseCase(cursor, functionNames) ? undefined : expected(cursor, `a field or ${names.join(' ')}`, names);
    }
    if (isTooDeep(cursor, depth + outermostFirst.length, 'Functions')) return undefined;
    outermostFirst.push(called);
    cursor.index += 2;
  }
  const field = parseName(cursor, options);
  if (!field) return undefined;
  for (const called of outermostFirst) if (!take(cursor, ')', `a closing parenthesis of ${called}`)) return undefined;
  return { ...field, applied: outermostFirst.reverse() };
};

export const parseOperator = (cursor: Cursor): ReadOperator | undefined => {
  const token = peek(cursor);
  const text = token.kind === 'word' ? token.text : '';
  const operator = comparisonOperators.get(text);
  if (operator || text === 'in') {
    cursor.index++;
    return operator ?? 'in';
  }
  if (text === 'is') return parseIsNull(cursor);
  if (text === 'not') return parseNegated(cursor);
  const meant = token.kind === 'symbol' ? comparingSymbols.get(token.text) : undefined;
  if (meant !== undefined) return refuse(cursor, symbolFault(token, operatorExpected, meant));
  return refuseCase(cursor, [...operatorNames, 'not']) ? undefined : expected(cursor, operatorExpected, operatorNames);
};

/** `is null`, `is not null`. */
const parseIsNull = (cursor: Cursor): ReadOperator | undefined => {
  cursor.index++;
  const isNegated = isKeyword(peek(cursor), 'not');
  if (isNegated) cursor.index++;
  const { start, end } = peek(cursor);
  if (!isKeyword(peek(cursor), 'null'))
    return refuseCase(cursor, ['not', 'null']) ? undefined : expected(cursor, isNegated ? 'null' : 'null or not null');
  cursor.index++;
  return { operator: isNegated ? 'ne' : 'eq', literal: { kind: 'null', text: 'null', start, end } };
};

/** `not eq` and `not in`. */
const parseNegated = (cursor: Cursor): ReadOperator | undefined => {
  cursor.index++;
  const [isEqual, isIn] = [isKeyword(peek(cursor), 'eq'), isKeyword(peek(cursor), 'in')];
  if (!isEqual && !isIn)
    return refuseCase(cursor, ['eq', 'in']) ? undefined : expected(cursor, 'eq or in', ['eq', 'in']);
  cursor.index++;
  return isEqual ? 'ne' : 'not in';
};

/** `('a', 'b')`, or the values of one attribute of the caller. */
export const parseList = (cursor: Cursor, options: DataFilterOptions): readonly DataLiteral[] | undefined => {
  const token = peek(cursor);
  if (token.kind === 'word' && callerPattern.test(token.text)) {
    const literal = parseLiteral(cursor, options);
    return literal && [literal];
  }
  return (
    take(cursor, '(', "a list such as ('a','b')") &&
    parseItems(cursor, () => parseLiteral(cursor, options), 'a comma or a closing parenthesis')
  );
};
