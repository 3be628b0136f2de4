import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  it('gives a shell exactly the values that were written', () => {
    const path = join(folder, 'env');
    writeEnvironmentFile(path, hostile, '/programs');
    // Of a program that the shell starts, not of the shell alone.
    const show = `printf "%s\\n" "$PLAIN" "$QUOTE" "$EMPTY" "$QUERY"`;
    const shown = execFileSync('sh', ['-euc', `. ${path}; sh -c '${show}'`], { encoding: 'utf8' });
    expect(shown).toBe(`${Object.values(hostile).join('\n')}\n`);
  });

  it('adds the folder of the command to the PATH only once', () => {
    const [path, programs] = [join(folder, 'path'), join(folder, "it's a folder")];
    mkdirSync(programs);
    writeFileSync(join(programs, 'tessera'), '#!/bin/sh\necho "$PATH"\n', { mode: 0o755 });
    writeEnvironmentFile(path, {}, programs);
    const found = execFileSync('sh', ['-euc', `. ${path}; . ${path}; tessera`], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin' },
    });
    expect(found).toBe(`${programs}:/usr/bin:/bin\n`);
  });

  it('is read back with the values that were written', () => {
    const path = join(folder, 'again');
    writeEnvironmentFile(path, hostile, '/programs');
    expect(readEnvironmentFile(path)).toEqual(hostile);
    expect(readEnvironmentFile(join(folder, 'absent'))).toEqual({});
  });

  it('is readable only by its owner, even when it replaces a public file', () => {
    const path = join(folder, 'open');
    writeFileSync(path, 'OLD=1\n');
    chmodSync(path, 0o644);
    writeEnvironmentFile(path, { NEW: '2' }, '/programs');
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    expect(readEnvironmentFile(path)).toEqual({ NEW: '2' });
  });
});
