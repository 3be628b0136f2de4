import { expect, it } from '@jest/globals';
import { keepPreferences, readPreferences } from './preferences.js';

const storage = () => {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
};

it('follows browser and system until something is chosen', () => {
  expect(readPreferences(storage(), ['de-CH'])).toEqual({ language: 'de', theme: 'system' });
});

it('keeps what was chosen, and nothing else', () => {
  const keep = storage();
  keepPreferences(keep, { theme: 'dark' });
  expect([...keep.kept]).toEqual([['tessera.theme', 'dark']]);
  keepPreferences(keep, { language: 'es' });
  expect(readPreferences(keep, ['de'])).toEqual({ language: 'es', theme: 'dark' });
});

it('passes over what it does not know', () => {
  const keep = storage();
  keep.setItem('tessera.language', 'xx');
  keep.setItem('tessera.theme', '<b>');
  expect(readPreferences(keep, ['en'])).toEqual({ language: 'en', theme: 'system' });
});

it('does without a browser that keeps nothing', () => {
  const refuse = (): never => {
    throw new Error('denied');
  };
  const refusing = { getItem: refuse, setItem: refuse };
  keepPreferences(refusing, { theme: 'dark', language: 'de' });
  expect(readPreferences(refusing, ['es'])).toEqual({ language: 'es', theme: 'system' });
  expect(readPreferences(undefined, [])).toEqual({ language: 'en', theme: 'system' });
});
