import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readProcessStartTime, readCommandLine, endProcess, isRunning } from './processes.js';

const children: ChildProcess[] = [];
const run = (script: string): Promise<number> => {
  const child = spawn('sh', ['-c', `${script}; echo ready; while :; do sleep 0.05; done`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  return new Promise((resolve) => child.stdout.once('data', () => resolve(child.pid ?? 0)));
};
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

describe('processes', () => {
  it('distinguishes a running process from an ended one', async () => {
    const pid = await run('true');
    expect(isRunning(pid)).toBe(true);
    await endProcess(pid, [{ signal: 'SIGTERM', waitMs: 60_000 }]);
    expect(isRunning(pid)).toBe(false);
    expect([readProcessStartTime(pid), readCommandLine(pid)]).toEqual([undefined, '']);
  });

  it('rejects zero and negative ids, which are process groups', () => {
    expect([0, -1, Number.NaN].map(isRunning)).toEqual([false, false, false]);
  });

  it('identifies a process by its start time', async () => {
    const pid = await run('true');
    expect(readProcessStartTime(pid)).toBe(readProcessStartTime(pid));
    expect(readProcessStartTime(pid)).not.toBe(readProcessStartTime(process.pid));
    expect(readCommandLine(pid)).toContain('echo ready');
  });

  it('kills a process that ignores signals', async () => {
    const pid = await run("trap '' TERM INT");
    const began = Date.now();
    await endProcess(pid, [
      { signal: 'SIGTERM', waitMs: 100 },
      { signal: 'SIGINT', waitMs: 100 },
    ]);
    expect(isRunning(pid)).toBe(false);
    expect(Date.now() - began).toBeGreaterThanOrEqual(200);
  });
});
