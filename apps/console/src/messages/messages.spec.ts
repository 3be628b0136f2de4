/** What types do not see: that translations have the same places for values as English, and that no text is left in English. */
import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../language/catalogue.js';
import type { Message } from '../language/fill-message.js';
import { languages } from '../language/languages.js';

const areas = readdirSync(import.meta.dirname).filter((name) => existsSync(join(import.meta.dirname, name, 'en.ts')));
const read = async (area: string): Promise<Catalogue> => {
  const exported = (await import(`./${area}/catalogue.ts`)) as Readonly<Record<string, Catalogue>>;
  const [found] = Object.values(exported);
  if (found === undefined) throw new Error(`messages/${area}/catalogue.ts exports no catalogue.`);
  return found;
};

const textsOf = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message);
const placesOf = (message: Message): readonly string[] =>
  [...new Set(textsOf(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].toSorted();

describe.each(areas)('the messages of %s', (area) => {
  it.each(languages)('in %s have the names, places and plural forms that they need', async (language) => {
    const texts = await read(area);
    expect(Object.keys(texts[language]).toSorted()).toEqual(Object.keys(texts.en).toSorted());
    for (const [name, message] of Object.entries<Message>(texts[language])) {
      expect([name, placesOf(message)]).toEqual([name, placesOf(texts.en[name] ?? '')]);
      for (const text of textsOf(message)) expect([name, text.trim()]).toEqual([name, text]);
      for (const text of textsOf(message)) expect([name, text]).not.toEqual([name, '']);
      if (typeof message === 'string') continue;
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      // Spanish has one for millions, which is that of all other numbers where nobody counts so far.
      for (const form of forms.filter((each) => each !== 'many')) expect(message).toHaveProperty(form);
    }
  });
});

it('every area is there', () => {
  expect(areas).toEqual(expect.arrayContaining(['faults', 'home', 'session', 'shell', 'ui']));
});
