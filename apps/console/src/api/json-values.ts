/** JSON that came from elsewhere, read with care: an answer, a schema, a result, an address. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Numbers that no double holds are texts. */
export const isDecimal = (text: string): text is `${number}` => /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);

/** A number, also one that is written as a text; undefined for anything else. */
export const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && isDecimal(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** Of a text that is no JSON: undefined. */
export const parseJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
};

/** As JSON, a member on each line. */
export const printJson = (value: unknown): string => JSON.stringify(value, undefined, 2) ?? '';

/** Whether two values are the same JSON, their members in the same order. */
export const isSameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
