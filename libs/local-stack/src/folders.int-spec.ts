import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findCacheFolder, installFolder, isEnterableByAll, ensureFolder } from './folders.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tessera-folders-'));
  chmodSync(root, 0o755);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('isEnterableByAll', () => {
  it('checks every folder on the path, and treats missing folders as enterable', () => {
    expect(isEnterableByAll(join(root, 'to', 'come'))).toBe(isEnterableByAll(root));
    mkdirSync(join(root, 'closed', 'inside'), { recursive: true });
    chmodSync(join(root, 'closed'), 0o700);
    expect(isEnterableByAll(join(root, 'closed', 'inside'))).toBe(false);
  });
});

describe('ensureFolder', () => {
  it('gives the folder the requested mode regardless of the umask', () => {
    const before = process.umask(0o077);
    try {
      ensureFolder(join(root, 'a', 'b'), 0o711);
    } finally {
      process.umask(before);
    }
    expect(['a', 'a/b'].map((path) => (statSync(join(root, path)).mode & 0o777).toString(8))).toEqual(['755', '711']);
  });
});

describe('findCacheFolder', () => {
  it('returns the folder of TESSERA_CACHE, created when missing', () => {
    const chosen = join(root, 'cache');
    expect(findCacheFolder({ TESSERA_CACHE: chosen })).toBe(chosen);
    expect(existsSync(chosen)).toBe(true);
  });

  it('returns a folder below the home folder by default', () => {
    expect(findCacheFolder({ HOME: root })).toBe(join(root, '.cache', 'tessera'));
  });

  it('returns another folder when the home folder is not writable', () => {
    writeFileSync(join(root, 'home'), 'a file, no folder');
    const found = findCacheFolder({ HOME: join(root, 'home') });
    expect(found.startsWith(root)).toBe(false);
    expect(existsSync(found)).toBe(true);
  });

  it('rejects a folder that everybody may write to, naming the setting', () => {
    mkdirSync(join(root, 'open'));
    chmodSync(join(root, 'open'), 0o777);
    expect(() => findCacheFolder({ TESSERA_CACHE: join(root, 'open') })).toThrow(/TESSERA_CACHE=.* cannot be used/);
  });

  it('rejects a folder that other accounts cannot enter when access by all is required', () => {
    mkdirSync(join(root, 'closed'));
    chmodSync(join(root, 'closed'), 0o700);
    expect(() => findCacheFolder({ TESSERA_CACHE: join(root, 'closed') }, { enterableByAll: true })).toThrow(
      /let other accounts enter/,
    );
  });
});

describe('installFolder', () => {
  it('leaves one complete copy when several install at once', async () => {
    const target = join(root, 'program');
    const install = (text: string): Promise<string> =>
      installFolder(target, async (folder) => {
        writeFileSync(join(folder, 'first'), text);
        await sleep(20);
        writeFileSync(join(folder, 'second'), text);
      });
    expect(await Promise.all([install('one'), install('two'), install('three')])).toEqual([target, target, target]);
    expect(readFileSync(join(target, 'first'), 'utf8')).toBe(readFileSync(join(target, 'second'), 'utf8'));
    expect(readdirSync(root)).toEqual(['program']);
  });

  it('leaves nothing after a failure, and can be repeated', async () => {
    const target = join(root, 'program');
    await expect(installFolder(target, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
    expect(readdirSync(root)).toEqual([]);
    await installFolder(target, (folder) => writeFileSync(join(folder, 'file'), ''));
    expect(readdirSync(target)).toEqual(['file']);
  });
});
