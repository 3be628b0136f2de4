/** Functions of formulas -> functions of PostgreSQL that give the same for every type of column behind a field. */
import { binary, call, parameter, type SqlExpression } from '@tessera/sql';
import type { TypedExpression } from './typed-expression.js';

type Call = TypedExpression & { readonly kind: 'call' };

export const compileCall = (formula: Call, values: readonly SqlExpression[]): SqlExpression => {
  switch (formula.function) {
    case 'lower':
    case 'upper':
    case 'replace':
    case 'concat':
    case 'abs':
    case 'coalesce':
    case 'nullif':
    case 'greatest':
    case 'least':
      return call(formula.function, ...values);
    case 'trim':
      return call('btrim', ...values);
    case 'length':
      return call('char_length', ...values);
    case 'substring':
      return compileSubstring(formula, values);
    case 'floor':
    case 'ceil':
    case 'round':
      return compileRounding(formula, formula.function, values);
  }
};

/** Through `numeric`, because `double precision` would round halves to even; an integer is round already. */
const compileRounding = (
  formula: Call,
  name: 'floor' | 'ceil' | 'round',
  [value, places]: readonly SqlExpression[],
): SqlExpression => {
  const [operand, digits] = formula.arguments;
  if (!value || !operand) throw new Error(`${name} has no argument.`);
  if (operand.type === 'integer' && !places) return value;
  const number: SqlExpression = { kind: 'cast', operand: value, type: 'numeric' };
  return digits?.kind === 'literal' ? call(name, number, parameter(digits.value, 'integer')) : call(name, number);
};

const positionMax = '1000000000';
const lengthMax = '2000000000';

/** Places and lengths are cut to what an `integer` holds; a negative length is none. */
const compileSubstring = (formula: Call, [text, from, length]: readonly SqlExpression[]): SqlExpression => {
  if (!text || !from) throw new Error('substring has no place.');
  const [, place, count] = formula.arguments;
  const start = inRange(from, place, `-${positionMax}`, positionMax);
  return length ? call('substr', text, start, inRange(length, count, '0', lengthMax)) : call('substr', text, start);
};

const inRange = (
  value: SqlExpression,
  written: TypedExpression | undefined,
  least: string,
  most: string,
): SqlExpression => {
  if (written?.kind === 'literal' && (written.value === null || String(written.value).length < positionMax.length))
    return parameter(written.value, 'integer');
  const [low, high] = [parameter(least, 'bigint'), parameter(most, 'bigint')];
  const branches = [
    { when: binary(value, '<', low), then: low },
    { when: binary(value, '>', high), then: high },
  ];
  return { kind: 'cast', operand: { kind: 'case', branches, otherwise: value }, type: 'integer' };
};
