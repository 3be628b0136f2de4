/** A build of the console for the specs: small, and of the same form. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const script = `export const words = '${'console '.repeat(200)}';`;
export const consoleScript = { path: 'assets/index-C6NBH2Xw.js', text: script };
export const consolePage =
  '<!doctype html><title>Tessera</title><script type="module" src="/console/assets/index.js"></script>';

let folder: string | undefined;

/** The folder, made once in a process. */
export const consoleBuild = (): string => {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), 'tessera-console-'));
  const files: Readonly<Record<string, string | Buffer>> = {
    'index.html': consolePage,
    'licences.md': '# Licences',
    'assets/logo.svg': '<svg/>',
    '.vite/manifest.json': '{"secret":1}',
    '.sources.json': '{"secret":1}',
    [consoleScript.path]: script,
    [`${consoleScript.path}.br`]: brotliCompressSync(script),
    [`${consoleScript.path}.gz`]: gzipSync(script),
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(made, name)), { recursive: true });
    writeFileSync(join(made, name), content);
  }
  folder = made;
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
};
