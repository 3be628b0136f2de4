/**
 * Numbers as written -> what PostgreSQL compares exactly. Refuses: to pass through a floating point number.
 */

const pattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
const bigintDigitsMax = 19;
const bigintMin = -(2n ** 63n);
const bigintMax = 2n ** 63n - 1n;

/** The digits of a whole number that fits into eight bytes, however it was written (`1e3`, `5.0`). */
export const bigintOf = (text: string): string | undefined => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = pattern.exec(text) ?? [];
  const written = (whole + fraction).replace(/^0+/, '');
  const digits = withoutZerosAtEnd(written);
  const zeros = written.length - digits.length + Number(exponent) - fraction.length;
  if (digits === '') return whole === '' ? undefined : '0';
  if (zeros < 0 || digits.length + zeros > bigintDigitsMax) return undefined;
  const value = BigInt(digits + '0'.repeat(zeros)) * (sign === '-' ? -1n : 1n);
  return value < bigintMin || value > bigintMax ? undefined : String(value);
};

/** A pattern would begin anew at each zero of `000...1`. */
const withoutZerosAtEnd = (digits: string): string => {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end--;
  return digits.slice(0, end);
};

/** Whether a column of floating point numbers could hold something like it: neither too large nor too near to zero. */
export const isInFloatRange = (text: string): boolean => {
  const value = Number(text);
  return Number.isFinite(value) && (value !== 0 || !/[1-9]/.test(text.replace(/[eE].*$/, '')));
};
