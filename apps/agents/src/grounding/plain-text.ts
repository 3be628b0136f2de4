/**
 * An answer as a reader sees it: digits of every script and style as ASCII, entities of HTML as what they stand for, without
 * signs that cannot be seen and without emphasis or elements inside a number. Never loses where a character stood.
 */
export type PlainText = {
  readonly text: string;
  /** Of each character of `text`: where it begins in the original, in UTF-16 code units; one more for the end. */
  readonly at: readonly number[];
};

const invisible =
  /^(?:[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|\p{Variation_Selector}|\u034f|\u20e3)$/u;
const plainCharacters = /^[\n\r\t -%'-~]*$/;
const spaces = /^[\u00a0\u2007\u2009\u202f]$/u;
const otherSigns: Readonly<Record<string, string>> = {
  '\u2212': '-',
  '\u2010': '-',
  '\u2011': '-',
  '\u066b': '.',
  '\u066c': ',',
  '\u066a': '%',
};
/** Between the digits of one number. */
const emphasis = /(?<=\d)[*_`~]+(?=\d)|(?<=\d[.,])[*`~]+(?=\d)|(?<=\d)[*`~]+(?=[.,]\d)/g;
/** Those that begin a line or stand above it leave the digits apart. */
const elements =
  /(?<=\d|\d[.,])(?:<!--[^]{0,500}?-->|<\/?(?!(?:br|hr|p|div|li|ul|ol|dl|d[td]|h\d|t[drh]|table|thead|tbody|pre|blockquote|su[bp])\b)[a-z][^<>]{0,200}>)+(?=[.,]?\d)/gi;

export const toPlainText = (original: string): PlainText => {
  const seen = plainCharacters.test(original) ? asItIs(original) : normalise(original);
  return [elements, emphasis].reduce(without, seen);
};

const asItIs = (text: string): PlainText => ({
  text,
  at: Array.from({ length: text.length + 1 }, (_, place) => place),
});

const normalise = (original: string): PlainText => {
  let text = '';
  const at: number[] = [];
  let place = 0;
  for (const [written] of original.matchAll(characterOrEntity)) {
    const plain = plainCharacter(written.length > 2 ? decodeEntity(written) : written);
    text += plain;
    for (let unit = 0; unit < plain.length; unit++) at.push(place);
    place += written.length;
  }
  return { text, at: [...at, place] };
};

const entityNames: Readonly<Record<string, string>> = {
  ...{ nbsp: '\u00a0', ensp: ' ', emsp: ' ', thinsp: '\u2009', minus: '-', comma: ',', period: '.', percnt: '%' },
  ...{ shy: '\u00ad', zwj: '\u200d', zwnj: '\u200c', lrm: '\u200e', rlm: '\u200f' },
  ...{ ZeroWidthSpace: '\u200b', NoBreak: '\u2060' },
};
const characterOrEntity = new RegExp(
  `&(?:#\\d{1,8}|#[xX][\\da-fA-F]{1,8}|${Object.keys(entityNames).join('|')});|[^]`,
  'gu',
);

/** What stands for no character stays as it is. */
const decodeEntity = (entity: string): string => {
  const name = entity.slice(1, -1);
  if (!name.startsWith('#')) return entityNames[name] ?? entity;
  const code = Number(name.replace(/^#/, '').replace(/^[xX]/, '0x'));
  return code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff) ? String.fromCodePoint(code) : entity;
};

const plainCharacter = (character: string): string => {
  if (character <= '~') return character;
  if (invisible.test(character)) return '';
  if (spaces.test(character)) return '\u00a0';
  const sign = otherSigns[character];
  if (sign !== undefined) return sign;
  if (/^\p{Nd}$/u.test(character)) return String(digitOf(character));
  return character.normalize('NFKC');
};

/** The digits of a script stand one after the other, ten of them; runs of several styles follow each other without a gap. */
const digitOf = (character: string): number => {
  const plain = character.normalize('NFKC');
  if (/^\d$/.test(plain)) return Number(plain);
  let before = 0;
  const code = character.codePointAt(0) ?? 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before++;
  return before % 10;
};

const without = (seen: PlainText, pattern: RegExp): PlainText => {
  let text = '';
  const at: number[] = [];
  let from = 0;
  const keep = (to: number): void => {
    text += seen.text.slice(from, to);
    for (let place = from; place < to; place++) at.push(seen.at[place] ?? 0);
  };
  for (const found of seen.text.matchAll(pattern)) {
    keep(found.index);
    from = found.index + found[0].length;
  }
  if (from === 0) return seen;
  keep(seen.text.length);
  return { text, at: [...at, seen.at.at(-1) ?? 0] };
};
