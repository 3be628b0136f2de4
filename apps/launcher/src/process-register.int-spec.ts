import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readProcessStartTime, isRunning, waitForProcessEnd } from '@tessera/local-stack';
import { openProcessRegistry } from './process-register.js';
import { resolveHomeFilePaths } from './settings.js';

let home: string;
const children: ChildProcess[] = [];

/** A process that would run for an hour. */
const sleeper = (): number => {
  const child = spawn('sleep', ['3600'], { stdio: 'ignore' });
  children.push(child);
  return child.pid ?? 0;
};

/** The id of a process that has ended. */
const goneId = async (): Promise<number> => {
  const child = spawn('true', { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid ?? 0;
};

const writeLock = (entries: readonly { readonly name: string; readonly pid: number; readonly mark: string }[]): void =>
  writeFileSync(resolveHomeFilePaths(home).lock, JSON.stringify(entries));

const open = (messages: string[] = []) =>
  openProcessRegistry(resolveHomeFilePaths(home), home, (line) => messages.push(line));

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tessera-register-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

describe('openProcessRegistry', () => {
  it('ends the processes of a killed launcher and reports it', async () => {
    const left = sleeper();
    writeLock([
      { name: 'launcher', pid: await goneId(), mark: '1' },
      { name: 'content-repo', pid: left, mark: readProcessStartTime(left) ?? '' },
    ]);
    const messages: string[] = [];
    const register = await open(messages);
    expect(isRunning(left)).toBe(false);
    expect(messages).toEqual([`ending content-repo (process ${left}), left by a launcher that was killed`]);
    register.release();
  });

  it('does not end another process that reuses the id', async () => {
    const stranger = sleeper();
    writeLock([
      { name: 'launcher', pid: await goneId(), mark: '1' },
      { name: 'postgres', pid: stranger, mark: 'born at another time' },
    ]);
    const register = await open();
    expect(isRunning(stranger)).toBe(true);
    register.release();
  });

  it('replaces the lock of a launcher whose id was reused', async () => {
    writeLock([{ name: 'launcher', pid: sleeper(), mark: 'born at another time' }]);
    const register = await open();
    expect(JSON.parse(readFileSync(resolveHomeFilePaths(home).pids, 'utf8'))).toEqual({ launcher: [process.pid] });
    register.release();
  });

  it('rejects a data folder in use, naming the process and the setting', async () => {
    const other = sleeper();
    writeLock([{ name: 'launcher', pid: other, mark: readProcessStartTime(other) ?? '' }]);
    await expect(open()).rejects.toThrow(new RegExp(`process id ${other}.*TESSERA_HOME`));
    expect(isRunning(other)).toBe(true);
  });

  it('locks the folder for exactly one of many parallel starts', async () => {
    writeLock([{ name: 'launcher', pid: await goneId(), mark: '1' }]);
    const opened = await Promise.allSettled([open(), open(), open()]);
    expect(opened.filter((one) => one.status === 'fulfilled').length).toBe(1);
  });

  it('kills the registered processes, but no removed ones', async () => {
    const register = await open();
    const [held, forgotten] = [sleeper(), sleeper()];
    register.add('gateway', held);
    register.add('gateway', forgotten)();
    register.kill();
    await waitForProcessEnd(held, 60_000);
    expect([isRunning(held), isRunning(forgotten)]).toEqual([false, true]);
    register.release();
  });

  it('lists every process by name until it is removed', async () => {
    const register = await open();
    const [first, second] = [sleeper(), sleeper()];
    const forget = register.add('gateway', first);
    register.add('gateway', second);
    const listed = (): unknown => JSON.parse(readFileSync(resolveHomeFilePaths(home).pids, 'utf8'));
    expect(listed()).toEqual({ launcher: [process.pid], gateway: [first, second] });
    forget();
    expect(listed()).toEqual({ launcher: [process.pid], gateway: [second] });
    register.release();
  });
});
