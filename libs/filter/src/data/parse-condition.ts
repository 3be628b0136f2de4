/** Conditions of the filter syntax for data: a field, an operator, and a value or a list. */
import { findNearestName } from '@tessera/failures';
import type { ComparisonOperator, DataExpression, DataField, DataLiteral, ValueFunction } from '../expression.js';
import {
  countNode,
  type TokenCursor,
  refuseUnexpectedToken,
  isSymbol,
  refuseExcessiveDepth,
  parseItems,
  peekToken,
  setFirstFault,
  expectSymbol,
} from '../parser.js';
import {
  callerAttributePattern,
  type DataFilterOptions,
  isKeyword,
  parseLiteral,
  parseFieldName,
  refuseWrongKeywordCase,
  createWrongSymbolFault,
} from './data-words.js';
import {
  comparisonSymbols,
  comparisonOperators,
  filterFunctionNames,
  matchFunctions,
  operatorNames,
  valueFunctions,
} from './words.js';

export type ParsedCondition = DataExpression | undefined;
export type ConditionParseContext = { readonly cursor: TokenCursor; readonly options: DataFilterOptions };

export const expectedConditionText =
  "a condition such as CITY eq 'Rome', contains(CITY, 'o'), not or a parenthesis; a field stands on the left";
const operatorExpected = `an operator (${operatorNames.join(' ')})`;

export const parseCondition = (reading: ConditionParseContext, depth: number): ParsedCondition => {
  const { cursor } = reading;
  const token = peekToken(cursor);
  if (token.kind !== 'word') return refuseUnexpectedToken(cursor, expectedConditionText);
  const next = peekToken(cursor, 1);
  const isOperated = next.kind === 'word' && (operatorNames.includes(next.text) || next.text === 'not');
  const isCall = isSymbol(next, '(');
  const keywords = isCall ? ['not', ...filterFunctionNames] : ['not'];
  if (!isOperated && refuseWrongKeywordCase(cursor, keywords)) return undefined;
  if (!isCall || valueFunctions.has(token.text)) return parseComparison(reading, depth);
  const called = matchFunctions.get(token.text);
  if (!called)
    return refuseUnexpectedToken(cursor, `one of the functions ${filterFunctionNames.join(' ')}`, filterFunctionNames);
  return parseMatch(reading, called, depth);
};

const parseMatch = (
  reading: ConditionParseContext,
  called: 'contains' | 'startswith' | 'endswith',
  depth: number,
): ParsedCondition => {
  const { cursor, options } = reading;
  cursor.index += 2;
  const field = parseField(cursor, options, depth + 1);
  const literal = field && expectSymbol(cursor, ',', 'a comma and a string') && parseLiteral(cursor, options);
  if (!literal || !expectSymbol(cursor, ')', 'a closing parenthesis')) return undefined;
  return countNode(cursor, { kind: 'match', function: called, field, literal });
};

const parseComparison = (reading: ConditionParseContext, depth: number): ParsedCondition => {
  const { cursor, options } = reading;
  const field = parseField(cursor, options, depth);
  const operator = field && parseOperator(cursor);
  if (!operator) return undefined;
  if (typeof operator === 'object') return countNode(cursor, { kind: 'compare', field, ...operator });
  if (operator === 'in' || operator === 'not in') {
    const literals = parseLiteralList(cursor, options);
    const made: ParsedCondition = literals && countNode(cursor, { kind: 'in', field, literals });
    return operator === 'in' ? made : made && countNode(cursor, { kind: 'not', operand: made });
  }
  const literal = parseLiteral(cursor, options);
  return literal && countNode(cursor, { kind: 'compare', operator, field, literal });
};

/** What an operator asks for next: a value, a list, or nothing more. */
export type ParsedOperator = ComparisonOperator | 'in' | 'not in' | { operator: 'eq' | 'ne'; literal: DataLiteral };

/** `CITY`, `SUPPLIER.CITY`, `length(tolower(CITY))`. */
const parseField = (cursor: TokenCursor, options: DataFilterOptions, depth: number): DataField | undefined => {
  const outermostFirst: ValueFunction[] = [];
  while (isSymbol(peekToken(cursor, 1), '(')) {
    const token = peekToken(cursor);
    const called = 'text' in token ? valueFunctions.get(token.text) : undefined;
    if (!called) {
      const names = [...valueFunctions.keys()];
      return refuseWrongKeywordCase(cursor, filterFunctionNames)
        ? undefined
        : refuseUnexpectedToken(cursor, `a field or ${names.join(' ')}`, names);
    }
    if (refuseExcessiveDepth(cursor, depth + outermostFirst.length, 'Functions')) return undefined;
    outermostFirst.push(called);
    cursor.index += 2;
  }
  const field = parseFieldName(cursor, options);
  if (!field) return undefined;
  for (const called of outermostFirst)
    if (!expectSymbol(cursor, ')', `a closing parenthesis of ${called}`)) return undefined;
  return { ...field, applied: outermostFirst.reverse() };
};

export const parseOperator = (cursor: TokenCursor): ParsedOperator | undefined => {
  const token = peekToken(cursor);
  const text = token.kind === 'word' ? token.text : '';
  const operator = comparisonOperators.get(text);
  if (operator || text === 'in') {
    cursor.index++;
    return operator ?? 'in';
  }
  if (text === 'is') return parseIsNull(cursor);
  if (text === 'not') return parseNegated(cursor);
  const meant = token.kind === 'symbol' ? comparisonSymbols.get(token.text) : undefined;
  if (meant !== undefined) return setFirstFault(cursor, createWrongSymbolFault(token, operatorExpected, meant));
  return refuseWrongKeywordCase(cursor, [...operatorNames, 'not'])
    ? undefined
    : refuseUnexpectedToken(cursor, operatorExpected, operatorNames);
};

/** `is null`, `is not null`. */
const parseIsNull = (cursor: TokenCursor): ParsedOperator | undefined => {
  cursor.index++;
  const isNegated = isKeyword(peekToken(cursor), 'not');
  if (isNegated) cursor.index++;
  const { start, end } = peekToken(cursor);
  if (!isKeyword(peekToken(cursor), 'null'))
    return refuseWrongKeywordCase(cursor, ['not', 'null'])
      ? undefined
      : refuseUnexpectedToken(cursor, isNegated ? 'null' : 'null or not null');
  cursor.index++;
  return { operator: isNegated ? 'ne' : 'eq', literal: { kind: 'null', text: 'null', start, end } };
};

/** `not eq` and `not in`. */
const parseNegated = (cursor: TokenCursor): ParsedOperator | undefined => {
  cursor.index++;
  const [isEqual, isIn] = [isKeyword(peekToken(cursor), 'eq'), isKeyword(peekToken(cursor), 'in')];
  if (!isEqual && !isIn)
    return refuseWrongKeywordCase(cursor, ['eq', 'in'])
      ? undefined
      : refuseUnexpectedToken(cursor, 'eq or in', ['eq', 'in']);
  cursor.index++;
  return isEqual ? 'ne' : 'not in';
};

const listExpected = "a list such as ('a','b')";

/** `('a', 'b')`, or the values of one attribute of the caller. */
export const parseLiteralList = (
  cursor: TokenCursor,
  options: DataFilterOptions,
): readonly DataLiteral[] | undefined => {
  const token = peekToken(cursor);
  if (token.kind === 'word' && callerAttributePattern.test(token.text)) {
    const literal = parseLiteral(cursor, options);
    return literal && [literal];
  }
  const [owner = '', attribute] = token.kind === 'word' && options.callerAttributes ? token.text.split('.', 2) : [];
  if (attribute !== undefined && findNearestName(owner, ['caller']) !== undefined)
    return refuseUnexpectedToken(cursor, listExpected, [`caller.${attribute}`]);
  return (
    expectSymbol(cursor, '(', listExpected) &&
    parseItems(cursor, () => parseLiteral(cursor, options), 'a comma or a closing parenthesis')
  );
};
