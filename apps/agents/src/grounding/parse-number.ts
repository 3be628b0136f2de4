/** The readings of a number as it is written: `1.234` is a thousand to some and little more than one to others. */

export type Reading = {
  readonly value: number;
  /** Half of the last digit that is stated: what rounding may have taken. */
  readonly half: number;
};

/** What separates the decimals in a text; undefined when it cannot be told. */
export type DecimalSign = '.' | ',' | undefined;

/** Digits with their separators, without sign. Empty for what is no number, such as a version `1.2.3`. */
export const parseNumber = (written: string, sign: DecimalSign): readonly Reading[] => {
  const [digits = '', exponent] = written.split(/[eE]/);
  const power = 10 ** Number(exponent ?? 0);
  return readingsOf(digits.replaceAll(/[ \u00a0'’_]/g, ''), sign).map(({ value, half }) => ({
    value: value * power,
    half: half * power,
  }));
};

const readingsOf = (digits: string, sign: DecimalSign): readonly Reading[] => {
  const separators = [...digits.matchAll(/[.,]/g)].map(([each]) => each);
  const last = separators.at(-1);
  if (last === undefined) return [readingOf(digits, '')];
  const kinds = new Set(separators);
  if (kinds.size === 2) {
    const isDecimal = separators.filter((each) => each === last).length === 1;
    return isDecimal && isGrouped(digits.slice(0, digits.lastIndexOf(last))) ? [split(digits, last)] : [];
  }
  if (separators.length > 1) return isGrouped(digits) ? [readingOf(digits.replaceAll(/[.,]/g, ''), '')] : [];
  if (!isGrouped(digits)) return [split(digits, last)];
  if (sign !== undefined) return [sign === last ? split(digits, last) : readingOf(digits.replace(last, ''), '')];
  return [readingOf(digits.replace(last, ''), ''), split(digits, last)];
};

/** Groups of three, and of two before the last as in India. */
const isGrouped = (digits: string): boolean =>
  /^\d{1,3}(?:[.,]\d{2,3})*[.,]\d{3}$|^\d+$/.test(digits) && !/^0\d*[.,]/.test(digits);

const split = (digits: string, at: string): Reading => {
  const place = digits.lastIndexOf(at);
  return readingOf(digits.slice(0, place).replaceAll(/[.,]/g, ''), digits.slice(place + 1));
};

const readingOf = (whole: string, decimals: string): Reading => ({
  value: Number(`${whole === '' ? '0' : whole}.${decimals === '' ? '0' : decimals}`),
  half: 0.5 * 10 ** -decimals.length,
});

const germanWords =
  /\b(?:der|die|das|und|ist|im|von|nach|nicht|mit|für|beträgt|Umsatz|sind|wurde|bei|auf|ein|eine)\b/gi;
const otherCommaWords = /\b(?:le|les|est|une|des|du|el|los|las|es|una|il|della|sono|och|het|een|van|jest|são)\b/gi;
const englishWords = /\b(?:the|and|is|of|to|was|were|are|by|with|for|from|than|has|have)\b/gi;

/** By numbers that can be read in one way only, else by the language. */
export const findDecimalSign = (text: string): DecimalSign => {
  const signs = new Set<DecimalSign>();
  for (const [number] of text.matchAll(/(?<![\d.,])\d+(?:[.,]\d+)+(?![\d]|[.,]\d)/g)) {
    const sign = decimalSignOf(number);
    if (sign !== undefined) signs.add(sign);
  }
  const [only] = signs;
  if (signs.size > 0) return signs.size === 1 ? only : undefined;
  const [comma, point] = [[germanWords, otherCommaWords], [englishWords]].map((words) =>
    words.reduce((sum, each) => sum + (text.match(each)?.length ?? 0), 0),
  );
  if (comma === undefined || point === undefined || comma === point) return undefined;
  return comma > point ? ',' : '.';
};

const decimalSignOf = (number: string): DecimalSign => {
  const separators = [...number.matchAll(/[.,]/g)].map(([each]) => each);
  const last = separators.at(-1) === ',' ? ',' : '.';
  const other = last === ',' ? '.' : ',';
  if (new Set(separators).size === 2) return isGrouped(number.slice(0, number.lastIndexOf(last))) ? last : undefined;
  if (separators.length > 1) return isGrouped(number) ? other : undefined;
  return isGrouped(number) ? undefined : last;
};

const germanOrEnglish = { de: germanWords, en: englishWords };

/** The language of a remark under a text. */
export const isGermanText = (text: string): boolean => {
  const count = (words: RegExp): number => text.match(words)?.length ?? 0;
  return count(germanOrEnglish.de) > count(germanOrEnglish.en);
};
