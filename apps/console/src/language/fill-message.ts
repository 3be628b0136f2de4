/** Texts with places for values. A value is isolated, so that its direction does not change the text around it. */
import type { Language } from './languages.js';

/** A text for each plural form that a language has; `other` is always there. `{count}` chooses. */
export type PluralMessage = { readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;
export type Message = string | PluralMessage;
export type MessageValue = string | number;
/** By the names of the places. */
export type MessageValues = Readonly<Record<string, MessageValue>>;

type PlacesIn<Text> = Text extends `${string}{${infer Place}}${infer Rest}` ? Place | PlacesIn<Rest> : never;
/** The names of the places of a message: `'{count} of {all}'` -> `'count' | 'all'`. */
export type PlacesOf<M> = M extends string ? PlacesIn<M> : PlacesIn<M[keyof M]> | 'count';

const isolateStart = '\u2068';
const isolateEnd = '\u2069';
const ownIsolates = /[\u2066-\u2069\u202a-\u202e]/g;

/** A value that stays apart from the text around it; marks of direction in it would end that early. */
export const isolate = (text: string): string => `${isolateStart}${text.replace(ownIsolates, '')}${isolateEnd}`;

const pluralRules = new Map<Language, Intl.PluralRules>();
const pluralOf = (language: Language, count: number): Intl.LDMLPluralRule => {
  const rules = pluralRules.get(language) ?? new Intl.PluralRules(language);
  pluralRules.set(language, rules);
  return rules.select(count);
};

const textFor = (language: Language, message: Message, { count }: MessageValues): string => {
  if (typeof message === 'string') return message;
  return message[pluralOf(language, typeof count === 'number' ? count : Number.NaN)] ?? message.other;
};

/** The text in a language with its values: texts isolated, numbers as the language writes them. */
export const fillMessage = (language: Language, message: Message, values: MessageValues = {}): string =>
  textFor(language, message, values).replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    if (value === undefined) return place;
    return typeof value === 'number' ? value.toLocaleString(language) : isolate(value);
  });
