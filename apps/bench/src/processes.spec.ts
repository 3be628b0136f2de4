import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { measureGrowth, readProportionalMb, readResidentMb, startCpuClock } from './processes.js';

const busyMs = 300;
/** Starts a process that is busy, waits for its end, and goes on until it is killed. */
const parentProgram = `
  require('node:child_process').execFileSync(process.execPath, ['-e', 'const end = process.cpuUsage().user + ${busyMs}e3; while (process.cpuUsage().user < end);']);
  console.log('ended');
  setInterval(() => {}, 1000);`;

it('startCpuClock counts the processor time of children that have ended', async () => {
  const parent = spawn(process.execPath, ['-e', parentProgram], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const readCpuMs = startCpuClock(() => ({ parent: [parent.pid ?? 0] }));
    await once(parent.stdout, 'data');
    expect(readCpuMs()['parent']).toBeGreaterThanOrEqual(busyMs - 20);
  } finally {
    parent.kill('SIGKILL');
  }
});

it('readProportionalMb adds up processes, of shared pages their share, and nothing for those that are gone', () => {
  const [own, gone] = [readProportionalMb([process.pid]), 2 ** 22 + 1];
  expect(own).toBeGreaterThan(1);
  expect(own).toBeLessThan(1.5 * readResidentMb(process.pid));
  expect(readProportionalMb([gone])).toBe(0);
  expect(readProportionalMb([process.pid, process.pid, gone])).toBeGreaterThan(1.5 * own);
});

it('measureGrowth keeps the highest value, also when the last one is lower', async () => {
  let memoryMb = 10;
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
  const read = (): number => {
    if (memoryMb === 40) see();
    return memoryMb;
  };
  const { growthMb, peakMb } = await measureGrowth({ own: read }, async () => {
    memoryMb = 40;
    await isSeen;
    memoryMb = 20;
  });
  expect([growthMb['own'], peakMb['own']]).toEqual([30, 40]);
});
