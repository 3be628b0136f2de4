/** What is shipped to browsers: its size, and that nothing of it is what a browser refuses or must not have. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';

const project = join(import.meta.dirname, '..');
const dist = join(project, 'dist');
const entryBytesMax = 200 * 1024;
const routeBytesMax = 60 * 1024;

type Chunk = {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
};
let chunks: Readonly<Record<string, Chunk>>;
let scripts: readonly (readonly [name: string, text: string])[];
beforeAll(() => {
  // Leaves alone what was built of the same text.
  execFileSync(process.execPath, [join(project, '..', '..', '.config', 'build.mjs')], { cwd: project, stdio: 'pipe' });
  chunks = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as typeof chunks;
  scripts = readdirSync(join(dist, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(join(dist, 'assets', name), 'utf8')]);
});

/** Files that are loaded with a chunk, scripts and styles. */
const filesWith = (name: string, seen = new Set<string>()): ReadonlySet<string> => {
  const chunk = chunks[name];
  if (chunk === undefined || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const sheet of chunk.css ?? []) seen.add(sheet);
  for (const imported of chunk.imports ?? []) filesWith(imported, seen);
  return seen;
};
const gzipBytes = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0);
const entry = (): string => Object.keys(chunks).find((name) => chunks[name]?.isEntry) ?? '';

describe('the build', () => {
  it('begins with at most 200 KB', () => {
    expect(gzipBytes(filesWith(entry()))).toBeLessThanOrEqual(entryBytesMax);
  });

  it('adds at most 60 KB with each page', () => {
    const first = filesWith(entry());
    const pages = Object.entries(chunks).filter(([, { isDynamicEntry }]) => isDynamicEntry);
    expect(pages.length).toBeGreaterThan(0);
    const sizes = pages.map(([name]) => [name, gzipBytes([...filesWith(name)].filter((file) => !first.has(file)))]);
    expect(sizes.filter(([, bytes]) => Number(bytes) > routeBytesMax)).toEqual([]);
  });

  it('has nothing of Node, and no schema of the contracts', () => {
    for (const [name, text] of scripts) {
      expect([name, /["'`]node:|\brequire\(["'`](?:fs|path|crypto|util|stream|http)/.exec(text)?.[0]]).toEqual([
        name,
        undefined,
      ]);
      expect([name, /ZodObject|\$ZodType|__vite-browser-external/.exec(text)?.[0]]).toEqual([name, undefined]);
    }
  });

  it('knows the addresses of operations', () => {
    expect(scripts.some(([, text]) => text.includes('/admin/teams/{team}/members'))).toBe(true);
  });

  it('evaluates no text and writes no markup from texts', () => {
    // React has the name of the attribute for who uses it; the linter says that nobody does.
    for (const [name, text] of scripts)
      expect([name, /\beval\(|new Function\(|document\.write\(|insertAdjacentHTML/.exec(text)?.[0]]).toEqual([
        name,
        undefined,
      ]);
  });

  it('asks no other host for anything', () => {
    const sheets = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.css'));
    for (const name of sheets)
      expect(readFileSync(join(dist, 'assets', name), 'utf8')).not.toMatch(
        /url\((?!["']?(?:data:|\/console\/))|@import/,
      );
  });

  it('has a page without scripts, styles and handlers in it', () => {
    const page = readFileSync(join(dist, 'index.html'), 'utf8');
    expect(page).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]* src=)|javascript:/);
    for (const [, address = ''] of page.matchAll(/(?:src|href)="([^"]+)"/g))
      expect(address).toMatch(/^\/console\/assets\//);
  });

  it('is compressed beforehand, without loss', () => {
    for (const [name, text] of scripts.filter(([, each]) => each.length > 1_000)) {
      const read = (suffix: string) => readFileSync(join(dist, 'assets', `${name}${suffix}`));
      expect([name, gunzipSync(read('.gz')).toString() === text]).toEqual([name, true]);
      expect([name, brotliDecompressSync(read('.br')).toString() === text]).toEqual([name, true]);
    }
  });

  it('has the licences of what is in it', () => {
    const licences = readFileSync(join(dist, 'licences.md'), 'utf8');
    for (const name of ['react-dom', 'react-aria-components', '@tanstack/react-router'])
      expect(licences).toContain(name);
  });
});
