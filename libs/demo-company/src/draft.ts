/** An element before its life is known: what it is, what it is called, where it leads. */
import type { AttributeValues, ContentDocument, LocalisedText, RelationTargets } from '@tessera/contracts';

export type Translations = { readonly en: string; readonly de?: string | undefined; readonly es?: string | undefined };

export type DemoElement = {
  readonly id: string;
  readonly type: string;
  readonly parent?: string;
  readonly name: Translations;
  readonly description?: Translations;
  readonly attributes?: AttributeValues;
  readonly relations?: RelationTargets;
  readonly content?: readonly ContentDocument[];
  /** Whether a structure element is hidden. */
  readonly hidden?: boolean;
  /** A fixed history in place of a drawn one; such an element has no gaps in its languages. */
  readonly history?: readonly DemoElementVersion[];
  /** One of very many: an owner at most, no other people. */
  readonly plain?: boolean;
};

export type DemoElementVersion = { readonly version: string; readonly state: string; readonly name?: Translations };

export const cultureByLanguage = { en: '1033', de: '1031', es: '3082' } as const;
export type Language = keyof typeof cultureByLanguage;
export const languages = ['de', 'en', 'es'] as const;

/** By culture, without the languages in `missing`. */
export const toLocalisedText = (texts: Translations, missing: readonly Language[] = []): LocalisedText => {
  const given: Record<string, string> = {};
  for (const language of languages) {
    const text = texts[language];
    if (text !== undefined && !missing.includes(language)) given[cultureByLanguage[language]] = text;
  }
  return given;
};
