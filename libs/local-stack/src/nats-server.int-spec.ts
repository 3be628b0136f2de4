import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checksumMatches, type NatsServerSource, findOrInstallNatsServer } from './nats-program.js';
import { startNats } from './nats-server.js';
import { isRunning } from './processes.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-nats-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('startNats', () => {
  it('writes passwords into a file that only its owner may read, and returns an address per service', async () => {
    const nats = await startNats({ folder: join(folder, 'nats'), users: { gateway: 'one', operator: 'two' } });
    try {
      expect((statSync(join(folder, 'nats', 'nats-server.conf')).mode & 0o777).toString(8)).toBe('600');
      expect(nats.urlFor('gateway')).toBe(`nats://gateway:one@127.0.0.1:${nats.port}`);
      expect(nats.url).toBe(`nats://operator:two@127.0.0.1:${nats.port}`);
    } finally {
      await nats.stop();
    }
    expect(isRunning(nats.pid)).toBe(false);
  });

  it('stops a server left running by an earlier run', async () => {
    const left = await startNats({ folder: join(folder, 'nats') });
    const messages: string[] = [];
    const next = await startNats({ folder: join(folder, 'nats'), port: left.port, log: (line) => messages.push(line) });
    expect(messages[0]).toBe(`stopping the nats-server (process ${left.pid}) that an earlier run has left`);
    expect(isRunning(left.pid)).toBe(false);
    await next.stop();
  });

  it('rejects a port that is in use, naming the setting', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    await expect(startNats({ folder: join(folder, 'nats'), port })).rejects.toMatchObject({
      message: expect.stringContaining(`Port ${port}, meant for nats-server, is in use`),
      setting: 'NATS_URL',
    });
    taken.close();
  });
});

describe('findOrInstallNatsServer', () => {
  const environment = (path = ''): NodeJS.ProcessEnv => ({ PATH: path, TESSERA_CACHE: join(folder, 'cache') });
  const program = (folder: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'nats-server'), '#!/bin/sh\n');
    chmodSync(join(folder, 'nats-server'), 0o755);
  };
  const source = (title: string, fill: NatsServerSource['fill']): NatsServerSource => ({ title, folder: title, fill });
  const good = source('good', (folder) => Promise.resolve(program(folder)));
  const broken = source('broken', () => Promise.reject(new Error('no connection')));

  it('prefers the program on the PATH', async () => {
    program(join(folder, 'bin'));
    const found = await findOrInstallNatsServer(
      undefined,
      environment(['/nowhere', join(folder, 'bin')].join(delimiter)),
      [good],
    );
    expect(found).toBe(join(folder, 'bin', 'nats-server'));
  });

  it('installs from the first source that works, and uses the cache afterwards', async () => {
    const messages: string[] = [];
    const path = await findOrInstallNatsServer((line) => messages.push(line), environment(), [broken, good]);
    expect(readFileSync(path, 'utf8')).toBe('#!/bin/sh\n');
    expect(await findOrInstallNatsServer((line) => messages.push(line), environment(), [broken, good])).toBe(path);
    expect(messages).toEqual(['getting nats-server: broken', 'getting nats-server: good']);
  });

  it('repairs a cache folder that lacks the program', async () => {
    mkdirSync(join(folder, 'cache', 'good'), { recursive: true });
    expect(await findOrInstallNatsServer(undefined, environment(), [good])).toBe(
      join(folder, 'cache', 'good', 'nats-server'),
    );
  });

  it('lists every failure and names the setting when no source works', async () => {
    await expect(findOrInstallNatsServer(undefined, environment(), [broken])).rejects.toThrow(
      /set NATS_URL to the address of a running one\.\n {2}broken: no connection/,
    );
  });

  it('accepts only a download with the expected checksum', () => {
    const bytes = Buffer.from('abc');
    const right = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect([checksumMatches(bytes, right), checksumMatches(Buffer.from('abd'), right)]).toEqual([true, false]);
  });
});
