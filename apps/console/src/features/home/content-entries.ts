/** Elements and facets as Home names them: the contract leaves members of elements open, so they are read with care. */
import { isObject } from '../../api/json-values.js';
import type { Language } from '../../language/languages.js';

export type ContentEntry = {
  readonly facetName: string;
  readonly id: string;
  readonly state: string;
  readonly names: Names;
};
/** By culture identifier; `127` has no language. */
export type Names = Readonly<Record<string, string>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const namesOf = (value: unknown): Names =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => textOf(entry[1]).trim() !== ''),
      )
    : {};

/** What is no element is left out. */
export const readEntries = (list: unknown): readonly ContentEntry[] =>
  (Array.isArray(list) ? list : []).filter(isObject).flatMap((element) => {
    const [id, facetName, state] = [element['id'], element['facetName'], element['state']].map(textOf);
    const attributes = isObject(element['attributes']) ? element['attributes'] : {};
    if (id === undefined || id === '') return [];
    return [{ id, facetName: facetName ?? '', state: state ?? '', names: namesOf(attributes['name']) }];
  });

/** The cultures of the languages of the console, those of their own country first. */
const culturesOf: Readonly<Record<Language, readonly string[]>> = {
  en: ['1033', '2057'],
  de: ['1031', '2055', '3079'],
  es: ['3082', '1034', '2058'],
};

/** The name in the language of the page, else in that of the storage, else any; `isGap` when it is in another language. */
export const nameIn = (
  names: Names,
  language: Language,
  defaultCulture: number,
): { readonly text: string; readonly isGap: boolean } => {
  const own = [...culturesOf[language], '127'].find((culture) => names[culture] !== undefined);
  if (own !== undefined) return { text: names[own] ?? '', isGap: false };
  return { text: names[String(defaultCulture)] ?? Object.values(names)[0] ?? '', isGap: true };
};
