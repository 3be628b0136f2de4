/** Style sheets and components know the same class names: neither types nor the build see a name that is missing. */
import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const source = join(import.meta.dirname, '..');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((name) => join(source, name));
const read = (file: string): string => readFileSync(file, 'utf8');

/** A name that is computed may be any of the sheet. */
const usedIn = (text: string, local: string): ReadonlySet<string> | 'computed' =>
  new RegExp(`\\b${local}\\[(?!')`).test(text)
    ? 'computed'
    : new Set([...text.matchAll(new RegExp(`\\b${local}\\['(\\w+)'\\]`, 'g'))].map(([, name = '']) => name));

const uses = files
  .filter((file) => file.endsWith('.tsx'))
  .flatMap((file) => {
    const text = read(file);
    return [...text.matchAll(/import (\w+) from '(\.{1,2}\/[^']+\.module\.css)'/g)].map(
      ([, local = '', path = '']) => ({
        ...{ file: relative(source, file), sheet: join(dirname(file), path) },
        used: usedIn(text, local),
        /** Other than by brackets: never found here. */
        dotted: new RegExp(`\\b${local}\\.\\w`).test(text),
      }),
    );
  });
const sheets = files.filter((file) => file.endsWith('.module.css'));
const definedIn = (sheet: string): readonly string[] => [
  ...new Set(
    [
      ...read(sheet)
        .replaceAll(/:global\([^)]*\)/g, '')
        .matchAll(/\.([a-zA-Z]\w*)(?![^{}]*;)/g),
    ].map(([, name = '']) => name),
  ),
];

describe('class names', () => {
  it.each(uses)('that $file uses are in the sheet', ({ sheet, used, dotted }) => {
    expect(dotted).toBe(false);
    if (used !== 'computed') expect(definedIn(sheet)).toEqual(expect.arrayContaining([...used]));
  });

  it.each(sheets.map((sheet) => [relative(source, sheet), sheet]))('of %s are all used', (_, sheet) => {
    const using = uses.filter((use) => use.sheet === sheet);
    expect(using.length).toBeGreaterThan(0);
    if (using.some(({ used }) => used === 'computed')) return;
    const used = new Set(using.flatMap((use) => (use.used === 'computed' ? [] : [...use.used])));
    expect(definedIn(sheet).filter((name) => !used.has(name))).toEqual([]);
  });
});
