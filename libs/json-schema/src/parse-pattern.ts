/** The text of a regular expression as parts that lay out the steps of its matching. */
/** What an assertion asks of the character on one side of a place. */
export type AdjacentCharacter = 'none' | 'word' | 'other';
export type PatternPosition = { readonly before: AdjacentCharacter; readonly after: AdjacentCharacter };

export type PatternStep =
  | { readonly kind: 'take'; readonly fits: (character: string) => boolean; readonly next: number }
  | { readonly kind: 'assert'; readonly holds: (place: PatternPosition) => boolean; readonly next: number }
  | { readonly kind: 'split'; readonly branches: number[] }
  | { readonly kind: 'end' };

/** Adds its steps, which go on at `next`; answers the first of them. */
export type PatternStepBuilder = (add: (step: PatternStep) => number, next: number) => number;

type SizedPart = { readonly part: PatternStepBuilder; readonly size: number };
type ParsedPattern = ({ readonly ok: true } & SizedPart) | { readonly ok: false; readonly why: string };

const emptyPart: SizedPart = { part: (_, next) => next, size: 0 };

const sequenceOf = (first: SizedPart, second: SizedPart): SizedPart => ({
  part: (add, next) => first.part(add, second.part(add, next)),
  size: first.size + second.size,
});

const choiceOf = (first: SizedPart, second: SizedPart): SizedPart => ({
  part: (add, next) => add({ kind: 'split', branches: [first.part(add, next), second.part(add, next)] }),
  size: first.size + second.size + 1,
});

const repeatAnyTimes = ({ part, size }: SizedPart): SizedPart => ({
  part: (add, next) => {
    const branches = [next];
    const split = add({ kind: 'split', branches });
    branches.push(part(add, split));
    return split;
  },
  size: size + 1,
});

/** More copies than any expression may have steps; their number alone tells that it is too large. */
const copiesMax = 1_000;

const repeat = (item: SizedPart, min: number, max: number): SizedPart => {
  const copies = Math.max(min, Number.isFinite(max) ? max : min);
  if (copies > copiesMax) return { part: item.part, size: Infinity };
  let repeated = Number.isFinite(max) ? emptyPart : repeatAnyTimes(item);
  if (Number.isFinite(max))
    for (let count = min; count < max; count++) repeated = choiceOf(emptyPart, sequenceOf(item, repeated));
  for (let count = 0; count < min; count++) repeated = sequenceOf(item, repeated);
  return repeated;
};

const takeCharacter = (fits: (character: string) => boolean): SizedPart => ({
  part: (add, next) => add({ kind: 'take', fits, next }),
  size: 1,
});

const assertion = (holds: (place: PatternPosition) => boolean): SizedPart => ({
  part: (add, next) => add({ kind: 'assert', holds, next }),
  size: 1,
});

/** `character`: undefined before the first and after the last. */
export const classifyAdjacentCharacter = (character: string | undefined): AdjacentCharacter =>
  character === undefined ? 'none' : /^\w$/.test(character) ? 'word' : 'other';

const isWordEdge = ({ before, after }: PatternPosition): boolean => (before === 'word') !== (after === 'word');

const assertions: Readonly<Record<string, SizedPart>> = {
  '^': assertion(({ before }) => before === 'none'),
  $: assertion(({ after }) => after === 'none'),
  '\\b': assertion(isWordEdge),
  '\\B': assertion((place) => !isWordEdge(place)),
};

const tokenPattern =
  /\\(?:u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|[1-9]\d*|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|<[^>]*>|[^)]*?:))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

/** Nested deeper, the parts would be too. */
const depthMax = 50;

type Reading = { readonly tokens: readonly string[]; at: number; refused?: string };

export const parsePattern = (source: string): ParsedPattern => {
  const reading: Reading = { tokens: source.match(tokenPattern) ?? [], at: 0 };
  const whole = parseAlternatives(reading, 0);
  return reading.refused === undefined ? { ok: true, ...whole } : { ok: false, why: reading.refused };
};

const parseAlternatives = (reading: Reading, depth: number): SizedPart => {
  if (depth > depthMax) reading.refused = 'is nested too deeply';
  let read = parseItems(reading, depth);
  while (reading.refused === undefined && reading.tokens[reading.at] === '|') {
    reading.at++;
    read = choiceOf(read, parseItems(reading, depth));
  }
  return read;
};

const parseItems = (reading: Reading, depth: number): SizedPart => {
  const list: SizedPart[] = [];
  while (reading.refused === undefined) {
    const token = reading.tokens[reading.at];
    if (token === undefined || token === '|' || token === ')') break;
    reading.at++;
    list.push(parseQuantifier(reading, parseItem(reading, token, depth)));
  }
  return list.reduceRight((following, item) => sequenceOf(item, following), emptyPart);
};

const parseItem = (reading: Reading, token: string, depth: number): SizedPart => {
  if (token.startsWith('(')) return parseGroup(reading, token, depth);
  const held = Object.hasOwn(assertions, token) ? assertions[token] : undefined;
  if (held) return held;
  if (/^\\(?:[1-9]|k<)/.test(token)) reading.refused = 'refers back to a group';
  return takeCharacter(reading.refused === undefined ? characterTest(token) : () => false);
};

const parseGroup = (reading: Reading, opening: string, depth: number): SizedPart => {
  if (!/^\((?:\?:|\?<[^=!].*)?$/s.test(opening)) reading.refused = 'looks around itself, or changes its flags';
  const inner = parseAlternatives(reading, depth + 1);
  // The closing one.
  reading.at++;
  return inner;
};

const parseQuantifier = (reading: Reading, item: SizedPart): SizedPart => {
  const [, sign, least, comma, most] =
    /^(?:([*+?])|\{(\d+)(,)?(\d*)\})\??$/.exec(reading.tokens[reading.at] ?? '') ?? [];
  if (sign === undefined && least === undefined) return item;
  reading.at++;
  if (sign === '?') return repeat(item, 0, 1);
  if (sign !== undefined) return repeat(item, sign === '+' ? 1 : 0, Infinity);
  const min = Number(least);
  if (comma === undefined) return repeat(item, min, min);
  return repeat(item, min, most === '' ? Infinity : Number(most));
};

/** One character, a class or an escape: what the platform says of one character alone. */
const characterTest = (token: string): ((character: string) => boolean) => {
  if (!/^[.\\[]/.test(token)) return (character) => character === token;
  const expression = new RegExp(`^${token}$`, 'u');
  return (character) => expression.test(character);
};
