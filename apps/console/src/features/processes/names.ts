/** What elements, types, attributes and relations are called in a language; where there is no name in it, that is said. */
import type { ContentElement, ValuesByCulture } from './content-element.js';
import { neutralCulture } from './content-element.js';

export type NameInCulture = {
  /** Empty when there is none in any language. */
  readonly text: string;
  /** Of which culture the text is; undefined when it has no language. */
  readonly culture?: string;
  /** There is none in the language that was asked for. */
  readonly isGap: boolean;
};

const filled = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
};

/** The text in a culture; else one without a language, else the first that there is: English ones come first. */
export const textInCulture = (values: ValuesByCulture, culture: string): NameInCulture => {
  const own = filled(values[culture]);
  if (own !== undefined) return { text: own, culture, isGap: false };
  const neutral = filled(values[neutralCulture]);
  if (neutral !== undefined) return { text: neutral, isGap: false };
  const others = ['1033', ...Object.keys(values)];
  const other = others.find((key) => filled(values[key]) !== undefined);
  if (other === undefined) return { text: '', isGap: true };
  return { text: filled(values[other]) ?? '', culture: other, isGap: true };
};

/** The attribute that says what an element is called. */
const nameAttribute = 'name';

export const nameOf = (element: Pick<ContentElement, 'attributes'>, culture: string): NameInCulture =>
  textInCulture(element.attributes[nameAttribute] ?? {}, culture);

/** `casesPerYear` -> `Cases per year`: for what has no name for people. */
export const spelledOut = (name: string): string => {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .trim();
  const [first = '', ...rest] = words.split(/\s+/);
  const lower = rest.map((word) => (/^\p{Lu}{2}/u.test(word) ? word : word.toLowerCase()));
  return [first.slice(0, 1).toUpperCase() + first.slice(1), ...lower].join(' ');
};

/** What a definition calls something by its technical name, in the language that is shown. */
export type LabelOf = (name: string, displayNames: ValuesByCulture | undefined) => string;

/** What a definition calls something, e.g. a type or a relation; else its technical name, spelled out. */
export const definedName = (name: string, displayNames: ValuesByCulture | undefined, culture: string): string =>
  textInCulture(displayNames ?? {}, culture).text || spelledOut(name);
