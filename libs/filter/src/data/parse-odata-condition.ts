/** Conditions of OData: values on both sides of an operator, lists, and functions that hold or do not. */
import type { ComparisonOperator, DataExpression, DataField, DataValue, MatchFunction } from '../expression.js';
import {
  countNode,
  type TokenCursor,
  refuseUnexpectedToken,
  createExpressionFault,
  isSymbol,
  peekToken,
  setFirstFault,
  expectSymbol,
} from '../parser.js';
import { isKeyword, refuseWrongKeywordCase } from './data-words.js';
import { expectedConditionText, parseLiteralList, parseOperator, type ParsedOperator } from './parse-condition.js';
import { dataFunctionNames, parseArguments, parseDataValue, type ValueParseContext } from './parse-data-value.js';
import { matchFunctions, operatorNames, valueFunctions } from './words.js';

type Step = DataExpression | undefined;

export const parseODataCondition = (reading: ValueParseContext, depth: number): Step => {
  const { cursor } = reading;
  const [token, next] = [peekToken(cursor), peekToken(cursor, 1)];
  const isCall = isSymbol(next, '(');
  const called = isCall && token.kind === 'word' ? matchFunctions.get(token.text) : undefined;
  if (called) return parseMatch(reading, called, depth);
  const related = isCall && token.kind === 'word' ? relatedPattern.exec(token.text) : undefined;
  if (related) return parseRelated(reading, related[1] ?? '', related[2] === 'all', depth);
  const isOperated = next.kind === 'word' && (operatorNames.includes(next.text) || next.text === 'not');
  const keywords = isCall ? ['not', ...matchFunctions.keys(), ...dataFunctionNames] : ['not'];
  if (!isOperated && refuseWrongKeywordCase(cursor, keywords)) return undefined;
  if (!beginsCondition(cursor)) return refuseUnexpectedToken(cursor, expectedConditionText);
  const left = parseDataValue(reading, depth, 'field');
  if (!left) return undefined;
  if (isWholeCondition(reading, left)) return compareWith(reading, left, 'eq', trueAt(left));
  const operator = parseOperator(cursor);
  return operator && parseRight(reading, depth, left, operator);
};

const relatedPattern = /^(.+)\/(any|all)$/;
/** Each is a search of its own through the related rows of every row. */
const relatedDepthMax = 3;

/** `PATH/any(x:x/FIELD gt 1)`, `PATH/any()`; `all` is: none for which it does not hold. */
const parseRelated = (reading: ValueParseContext, path: string, isAll: boolean, depth: number): Step => {
  const { cursor } = reading;
  const { start, end } = peekToken(cursor);
  cursor.index += 2;
  const written = { kind: 'any', path: path.replaceAll('/', '.'), start, end } as const;
  if (isSymbol(peekToken(cursor), ')') && !isAll) {
    cursor.index++;
    const made: Step = countNode(cursor, written);
    return made && parseTruth(cursor, made);
  }
  const variable = parseVariable(reading, isAll);
  const inside = variable === undefined ? undefined : insideOf(reading, variable, written.path);
  if (variable === undefined || !inside) return undefined;
  const condition = reading.parseConditions(inside, depth + 1);
  if (!condition || !expectSymbol(cursor, ')', 'and, or or a closing parenthesis')) return undefined;
  const operand: DataExpression = isAll ? { kind: 'not', operand: condition } : condition;
  const found: Step = countNode(cursor, { ...written, variable, operand });
  const made = isAll && found ? countNode<DataExpression>(cursor, { kind: 'not', operand: found }) : found;
  return made && parseTruth(cursor, made);
};

const parseVariable = ({ cursor, options }: ValueParseContext, isAll: boolean): string | undefined => {
  const token = peekToken(cursor);
  const wanted = `a variable and its condition (x:x/FIELD gt 1)${isAll ? '' : ' or a closing parenthesis'}`;
  if (token.kind !== 'word' || !isSymbol(peekToken(cursor, 1), ':')) return refuseUnexpectedToken(cursor, wanted);
  if (options.variables?.includes(token.text))
    return setFirstFault(
      cursor,
      createExpressionFault(
        token.start,
        'syntax',
        `${token.text} is taken by the condition around; choose another variable.`,
      ),
    );
  cursor.index += 2;
  return token.text;
};

/** In the condition the variable stands for the way to the rows. */
const insideOf = (reading: ValueParseContext, variable: string, path: string): ValueParseContext | undefined => {
  const { cursor, options } = reading;
  const { isBoolean, isField, variables = [] } = options;
  if (variables.length >= relatedDepthMax) {
    const message = `any and all go at most ${relatedDepthMax} deep.`;
    return setFirstFault(cursor, createExpressionFault(peekToken(cursor, -2).start, 'depthMax', message));
  }
  const [first, prefix] = [`${variable}.`, `${path}.`];
  const around = (name: string): string => (name.startsWith(first) ? prefix + name.slice(first.length) : name);
  return {
    ...reading,
    options: {
      ...options,
      variables: [...variables, variable],
      isBoolean: (name) => isBoolean?.(around(name)) ?? false,
      isField: (name) => name.startsWith(first) || (isField?.(around(name)) ?? false),
    },
  };
};

const beginsCondition = (cursor: TokenCursor): boolean => {
  const token = peekToken(cursor);
  return token.kind === 'symbol'
    ? token.text === '(' || token.text === '-'
    : token.kind !== 'end' && token.kind !== 'illegal';
};

const parseRight = (reading: ValueParseContext, depth: number, left: DataValue, operator: ParsedOperator): Step => {
  const { cursor, options } = reading;
  if (typeof operator === 'object')
    return countNode(cursor, { kind: 'compare', field: fieldOf(reading, left), ...operator });
  if (operator === 'in' || operator === 'not in') {
    const literals = parseLiteralList(cursor, options);
    const made: Step = literals && countNode(cursor, { kind: 'in', field: fieldOf(reading, left), literals });
    return operator === 'in' ? made : made && countNode(cursor, { kind: 'not', operand: made });
  }
  const right = parseDataValue(reading, depth, left.kind === 'literal' ? 'field' : 'fieldOrText');
  return right && compareWith(reading, left, operator, right);
};

/** A value and a literal as in every filter, whichever of them stands on the left; else both are one truth value. */
const compareWith = (
  reading: ValueParseContext,
  left: DataValue,
  operator: ComparisonOperator,
  right: DataValue,
): Step => {
  const { cursor } = reading;
  if (right.kind === 'literal' && left.kind !== 'literal')
    return countNode(cursor, { kind: 'compare', operator, field: fieldOf(reading, left), literal: right.literal });
  if (left.kind === 'literal' && right.kind !== 'literal')
    return compareWith(reading, right, reversedOperators[operator], left);
  const isNegated = operator === 'ne';
  const holds = truthOf(reading, { operator: isNegated ? 'eq' : operator, left, right });
  return isNegated && holds ? countNode(cursor, { kind: 'not', operand: holds }) : holds;
};

const reversedOperators = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' } as const;

type Comparison = Pick<DataValue & { readonly kind: 'comparison' }, 'operator' | 'left' | 'right'>;

const truthOf = (reading: ValueParseContext, comparison: Comparison): Step => {
  const [start, end] = [comparison.left.start, comparison.right.end];
  const value: DataValue = { kind: 'comparison', ...comparison, start, end };
  const { literal } = trueAt(value);
  return countNode(reading.cursor, { kind: 'compare', operator: 'eq', field: fieldOf(reading, value), literal });
};

const trueAt = ({ start, end }: DataValue) =>
  ({ kind: 'literal', literal: { kind: 'boolean', text: 'true', start, end }, start, end }) as const;

/** A field in functions of one value, as all filters have it, or what is computed. */
const fieldOf = ({ text }: ValueParseContext, value: DataValue): DataField =>
  plainField(value) ?? {
    name: text.slice(value.start, value.end),
    applied: [],
    value,
    start: value.start,
    end: value.end,
  };

const plainField = (value: DataValue): DataField | undefined => {
  if (value.kind === 'field') return { name: value.name, applied: [], start: value.start, end: value.end };
  const called = value.kind === 'call' ? valueFunctions.get(value.function) : undefined;
  const [operand] = value.kind === 'call' ? value.arguments : [];
  const field = called && operand && plainField(operand);
  return called && field && { ...field, applied: [...field.applied, called] };
};

const isWholeCondition = ({ cursor, options }: ValueParseContext, value: DataValue): boolean => {
  const token = peekToken(cursor);
  const isBehind = token.kind === 'end' || isSymbol(token, ')') || isKeyword(token, 'and') || isKeyword(token, 'or');
  return isBehind && value.kind === 'field' && options.isBoolean?.(value.name) === true;
};

const parseMatch = (reading: ValueParseContext, called: MatchFunction, depth: number): Step => {
  const { cursor } = reading;
  const { start } = peekToken(cursor);
  cursor.index += 2;
  const values = parseArguments(reading, depth + 1);
  const [left, right, ...further] = values ?? [];
  if (!values) return undefined;
  if (!left || !right || further.length > 0)
    return setFirstFault(
      cursor,
      createExpressionFault(start, 'syntax', `${called} takes 2 values, but there are ${values.length}.`),
    );
  const match: Step =
    right.kind === 'literal'
      ? countNode(cursor, { kind: 'match', function: called, field: fieldOf(reading, left), literal: right.literal })
      : truthOf(reading, { operator: called, left, right });
  return match && parseTruth(cursor, match);
};

/** What may stand behind a condition: `eq true`, `ne false` and their opposites. */
const parseTruth = (cursor: TokenCursor, condition: DataExpression): Step => {
  const isEqual = isKeyword(peekToken(cursor), 'eq');
  if (!isEqual && !isKeyword(peekToken(cursor), 'ne')) return condition;
  cursor.index++;
  const isTrue = isKeyword(peekToken(cursor), 'true');
  if (!isTrue && !isKeyword(peekToken(cursor), 'false'))
    return refuseUnexpectedToken(cursor, 'true or false', ['true', 'false']);
  cursor.index++;
  return isTrue === isEqual ? condition : countNode(cursor, { kind: 'not', operand: condition });
};
