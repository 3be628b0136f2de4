import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findFullDisk } from './full-disk.js';
import { StartError } from './start-error.js';

const folder = join(tmpdir(), 'not-there', 'home');
const withCode = (code: string, message = 'it failed') => Object.assign(new Error(message), { code });

describe('a failure for want of room', () => {
  it.each<[string, Error]>([
    ['of a write of ours', withCode('ENOSPC')],
    ['of a quota', withCode('EDQUOT')],
    ['of a statement', withCode('53100', 'could not extend file "base/5/1259"')],
    [
      'of initdb',
      new StartError('initdb failed (exit code 1): x\ninitdb: error: could not write: No space left on device'),
    ],
    ['behind another error', new Error('it failed', { cause: withCode('ENOSPC') })],
  ])('%s names the folder, what is free and what is needed', (_, error) => {
    const found = findFullDisk(error, [folder], 200);
    expect(found?.setting).toBe('TESSERA_HOME');
    expect(found?.message).toMatch(
      /^There is no room for the data in .*not-there\/home: \d+ MB are free on its disk, and a first start needs some 200 MB\. Make room/,
    );
  });

  it('says what was told about it', () => {
    const error = new StartError(
      'It wrote:\nLOG: starting\nPANIC: could not write: No space left on device\nLOG: ended',
    );
    expect(findFullDisk(error, [folder], 200)?.message.split('\n').at(-1)).toBe(
      'PANIC: could not write: No space left on device',
    );
  });

  it('is no other failure', () => {
    for (const error of [withCode('EACCES'), new Error('Port 8080 is in use'), 'ENOSPC'])
      expect(findFullDisk(error, [folder], 200)).toBeUndefined();
  });
});
