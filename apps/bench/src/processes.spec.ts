import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { measureCpu } from './processes.js';

const busyMs = 300;
/** Starts a process that is busy, waits for its end, and goes on until it is killed. */
const parentProgram = `
  require('node:child_process').execFileSync(process.execPath, ['-e', 'const end = process.cpuUsage().user + ${busyMs}e3; while (process.cpuUsage().user < end);']);
  console.log('ended');
  setInterval(() => {}, 1000);`;

it('measureCpu counts the processor time of children that have ended', async () => {
  const parent = spawn(process.execPath, ['-e', parentProgram], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const { cpuMs } = await measureCpu(
      () => ({ parent: [parent.pid ?? 0] }),
      () => once(parent.stdout, 'data'),
    );
    expect(cpuMs['parent']).toBeGreaterThanOrEqual(busyMs - 20);
  } finally {
    parent.kill('SIGKILL');
  }
});
