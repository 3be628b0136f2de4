/** Columns for a table that is not there yet, from the header of a file and its first rows. */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import type { CsvPreview } from './csv-preview.js';

export type ColumnDraft = {
  readonly id: string;
  readonly type: ValueType;
  readonly isKey: boolean;
};

const idCharactersMax = 63;
const specialLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  ł: 'l',
};

/** `Order No.` -> `order_no`; undefined when nothing of the text can stand in a name. */
export const nameFor = (text: string): string | undefined => {
  const plain = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[ßäöüæøœł]/g, (letter) => specialLetters[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  if (plain === '') return undefined;
  return (/^[0-9]/.test(plain) ? `_${plain}` : plain).slice(0, idCharactersMax);
};

const isNumber = (text: string): boolean => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text);
const date = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?`;
const zone = String.raw`(?:Z|[+-]\d{2}(?::?\d{2})?)`;
const matches = (pattern: string): ((text: string) => boolean) => {
  const whole = new RegExp(`^${pattern}$`);
  return (text) => whole.test(text);
};

/** From the narrowest on. Numbers that begin with zeros are codes, and no number is longer than one that is kept exactly. */
const tests: readonly (readonly [type: ValueType, fits: (text: string) => boolean])[] = [
  ['integer', matches(String.raw`[+-]?(?:0|[1-9]\d{0,17})`)],
  ['float', (text) => isNumber(text) && !/^[+-]?0\d/.test(text)],
  ['boolean', matches('(?:true|false)')],
  ['date', matches(date)],
  ['datetime', matches(`${date}[T ]${time}`)],
  ['timestamp', matches(`${date}[T ]${time}${zone}`)],
  ['time', matches(time)],
];

/** The narrowest type that all values fit; empty ones say nothing. */
export const typeFor = (values: readonly string[]): ValueType => {
  const filled = values.map((value) => value.trim()).filter((value) => value !== '');
  if (filled.length === 0) return 'string';
  return tests.find(([, fits]) => filled.every(fits))?.[0] ?? 'string';
};

/** Each once: `amount`, `amount_2`. */
const distinct = (ids: readonly string[]): readonly string[] => {
  const taken = new Set<string>();
  return ids.map((id) => {
    let name = id;
    for (let count = 2; taken.has(name); count += 1) name = `${id.slice(0, idCharactersMax - 5)}_${count}`;
    taken.add(name);
    return name;
  });
};

export const proposeColumns = ({ header, rows, width }: CsvPreview): readonly ColumnDraft[] => {
  const ids = distinct(Array.from({ length: width }, (_, at) => nameFor(header?.[at] ?? '') ?? `column_${at + 1}`));
  return ids.map((id, at) => ({
    id,
    type: typeFor(rows.map(({ values }) => values[at] ?? '')),
    isKey: false,
  }));
};
