import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readEnvironmentFile, writeEnvironmentFile } from './environment-file.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-env-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hostile = {
  PLAIN: 'http://127.0.0.1:8080',
  QUOTE: `it's "$HOME" & \`id\`; x`,
  EMPTY: '',
  QUERY: 'postgres://u:p@h/d?a=1&b=2',
};

describe('the environment file', () => {
  it('gives a shell exactly the written values', () => {
    const path = join(folder, 'env');
    writeEnvironmentFile(path, hostile);
    const shown = execFileSync('sh', ['-c', `. ${path}; printf '%s\\n' "$PLAIN" "$QUOTE" "$EMPTY" "$QUERY"`], {
      encoding: 'utf8',
    });
    expect(shown).toBe(`${Object.values(hostile).join('\n')}\n`);
  });

  it('reads the written values', () => {
    const path = join(folder, 'again');
    writeEnvironmentFile(path, hostile);
    expect(readEnvironmentFile(path)).toEqual(hostile);
    expect(readEnvironmentFile(join(folder, 'absent'))).toEqual({});
  });

  it('is readable by its owner only, also when it replaces a public file', () => {
    const path = join(folder, 'open');
    writeFileSync(path, 'OLD=1\n');
    chmodSync(path, 0o644);
    writeEnvironmentFile(path, { NEW: '2' });
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    expect(readEnvironmentFile(path)).toEqual({ NEW: '2' });
  });
});
