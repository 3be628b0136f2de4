/**
 * JSON of an answer with the digits that it came with: integers of eight bytes and exact decimals do not fit into a number
 * of JavaScript. Refuses: to calculate with them; they are shown.
 */
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
export const parseDigits = (text: string): unknown => parseLossy(text, (digits) => digits);

/** The same document over several lines. */
export const indentJson = (text: string): string =>
  JSON.stringify(
    parseLossy(text, (digits) => JSON.rawJSON(digits)),
    null,
    2,
  );
