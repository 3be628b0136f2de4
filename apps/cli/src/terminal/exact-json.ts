/** JSON with the digits of the answer: 64-bit integers and exact decimals do not fit into a JavaScript number. */
declare global {
  interface JSON {
    rawJSON(text: string): object;
  }
}

type Token = { readonly source?: string };

const parseLossy = (text: string, keep: (digits: string) => unknown): unknown =>
  JSON.parse(text, (_name, value: unknown, { source }: Token = {}) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? keep(source) : value,
  );

/** A number that would lose digits is the text of its digits. */
export const parseJsonWithDigitStrings = (text: string): unknown => parseLossy(text, (digits) => digits);

/** The same document over several lines. */
export const indentExactJson = (text: string): string =>
  JSON.stringify(
    parseLossy(text, (digits) => JSON.rawJSON(digits)),
    null,
    2,
  );
