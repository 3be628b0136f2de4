/** Catalogues: the texts of an area in each language, English first, which says what there is to say. */
import type { Message, PlacesOf, PluralMessage } from './fill-message.js';
import type { Language } from './languages.js';

export type Messages = Readonly<Record<string, Message>>;

/** The same names as in English; a plural stays a plural. */
export type Translation<English extends Messages> = {
  readonly [Name in keyof English]: English[Name] extends string ? string : PluralMessage;
};
export type Catalogue<English extends Messages = Messages> = { readonly en: English } & {
  readonly [Other in Exclude<Language, 'en'>]: Translation<English>;
};

/** The values that a message needs, by its English text; none is an empty tuple. */
export type ValuesFor<M> = [PlacesOf<M>] extends [never]
  ? readonly []
  : readonly [values: { readonly [Place in PlacesOf<M>]: Place extends 'count' ? number : string | number }];

/** Says a message of a catalogue in the language of the person. */
export type Say<English extends Messages> = <Name extends keyof English & string>(
  name: Name,
  ...values: ValuesFor<English[Name]>
) => string;

/** The texts of an area; types say when a translation lacks one. */
export const catalogue = <const English extends Messages>(texts: Catalogue<English>): Catalogue<English> => texts;
