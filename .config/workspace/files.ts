/**
 * The files that people wrote, by path relative to the root; without what is installed, built or produced at run time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const workspaceRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const skipped = new Set(['node_modules', 'dist', '.git', '.nx', '.tessera', 'coverage']);

/** Paths with forward slashes, sorted. */
export const listFiles = (root: string, folder = ''): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listFiles(root, path);
      return entry.isFile() && !entry.name.endsWith('.log') ? [path] : [];
    })
    .sort();

export const readText = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');

const specPattern = /\.(?:spec|int-spec|e2e-spec)\.tsx?$/;

/** Code that only tests run: spec files, folders named `testing`, and the testing library. */
export const isTest = (path: string): boolean =>
  specPattern.test(path) || path.includes('/testing/') || path.startsWith('apps/e2e/');

export const isSpec = (path: string): boolean => specPattern.test(path);

/** `apps/gateway`, `libs/filter`, `.config`; undefined for a file of the root. */
export const projectOf = (path: string): string | undefined =>
  /^(?:(?:apps|libs)\/[^/]+|\.config)(?=\/)/.exec(path)?.[0];

/** Written by a tool and committed. */
export const isGenerated = (path: string): boolean => path.endsWith('.gen.ts');

/** TypeScript that belongs to a project. */
export const isSource = (path: string): boolean =>
  /\.tsx?$/.test(path) && !isGenerated(path) && projectOf(path) !== undefined;
