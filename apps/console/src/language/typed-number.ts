/** Numbers as people type and read them in a language. `1.000` is a thousand in German and Spanish, and one in English. */
import type { Language } from './languages.js';

type Separators = { readonly group: string; readonly decimal: string };

const separatorsOf = (language: Language): Separators => {
  const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.5);
  const find = (type: Intl.NumberFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? '';
  return { group: find('group'), decimal: find('decimal') };
};

const plain = /^([+-]?)(\d+)(?:\.(\d*))?(e[+-]?\d{1,3})?$/i;
const grouped = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;

/**
 * What a field has as programs write it, digit for digit: `1410.5`. Undefined for what is no number. The sign for decimals of other
 * languages is taken where it can be nothing else.
 */
export const readNumber = (text: string, language: Language): string | undefined => {
  const { group, decimal } = separatorsOf(language);
  // As in English: a comma between thousands, a dot before decimals.
  const typed = [...text.trim()].map((sign) => (sign === decimal ? '.' : sign === group ? ',' : sign)).join('');
  const digits = grouped.test(typed) ? typed.replaceAll(',', '') : typed.replace(/^([^,.]*),([^,.]*)$/, '$1.$2');
  const [, sign, whole, decimals = '', exponent = ''] = plain.exec(digits) ?? [];
  if (whole === undefined) return undefined;
  return `${sign === '-' ? sign : ''}${whole}${decimals === '' ? '' : `.${decimals}`}${exponent}`;
};

const written = /^(-?)(\d+)(?:\.(\d+))?$/;

/** A number as programs write it in the signs of the language, neither grouped nor rounded; anything else as it is. */
export const typeNumber = (text: string, language: Language): string => {
  const [, sign = '', whole, decimals] = written.exec(text) ?? [];
  if (whole === undefined) return text;
  return `${sign}${whole}${decimals === undefined ? '' : `${separatorsOf(language).decimal}${decimals}`}`;
};
