/** Exact numbers for the independent evaluation: a fraction of big integers, always reduced, the sign above. */
export type Rational = { readonly over: bigint; readonly under: bigint };

const divisorOf = (left: bigint, right: bigint): bigint => (right === 0n ? left : divisorOf(right, left % right));
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

export const createRational = (over: bigint, under = 1n): Rational => {
  const sign = under < 0n ? -1n : 1n;
  const shared = divisorOf(magnitude(over), magnitude(under)) || 1n;
  return { over: (sign * over) / shared, under: (sign * under) / shared };
};

/** Of a decimal such as `-12.50`; without an exponent. */
export const parseRational = (text: string): Rational => {
  const [whole = '', fraction = ''] = text.split('.');
  return createRational(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
};

export const add = (left: Rational, right: Rational): Rational =>
  createRational(left.over * right.under + right.over * left.under, left.under * right.under);
export const negate = ({ over, under }: Rational): Rational => ({ over: -over, under });
export const multiply = (left: Rational, right: Rational): Rational =>
  createRational(left.over * right.over, left.under * right.under);
/** Not by zero. */
export const divide = (left: Rational, right: Rational): Rational =>
  createRational(left.over * right.under, left.under * right.over);

export const floor = ({ over, under }: Rational): bigint => {
  const cut = over / under;
  return over < 0n && cut * under !== over ? cut - 1n : cut;
};
export const ceil = (value: Rational): bigint => -floor(negate(value));
/** Towards zero. */
export const truncate = ({ over, under }: Rational): bigint => over / under;
/** Halves go away from zero. */
export const round = (value: Rational, places = 0): Rational => {
  const scale = 10n ** BigInt(places);
  const scaled = multiply(value, createRational(scale));
  const half = createRational(scaled.over < 0n ? -1n : 1n, 2n);
  return createRational(truncate(add(scaled, half)), scale);
};

export const compare = (left: Rational, right: Rational): number => {
  const difference = left.over * right.under - right.over * left.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};
