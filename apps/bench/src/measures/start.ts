/** From `npm start` on an empty data folder to READY, and the memory of the five idle services. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readResidentMb } from '../processes.js';
import { startProduct } from '../product/product.js';
import type { Figure } from './bench.js';

const readyMaxSeconds = 20;
const idleMaxMb = 700;
const settleMs = 15_000;
const services = ['gateway', 'content-repo', 'tool-gateway', 'agents', 'knowledge-models'];

export const measureStartup = async (): Promise<readonly Figure[]> => {
  const product = await startProduct('demo');
  try {
    await sleep(settleMs);
    const processes = product.processes();
    const each = services.map((name) => ({
      name,
      mb: (processes[name] ?? []).reduce((sum, pid) => sum + readResidentMb(pid), 0),
    }));
    const total = each.reduce((sum, { mb }) => sum + mb, 0);
    const missing = each.filter(({ mb }) => mb === 0).map(({ name }) => name);
    if (missing.length > 0) throw new Error(`These services do not run: ${missing.join(', ')}.`);
    const seconds = product.readySeconds ?? NaN;
    return [
      {
        what: '`npm start` on an empty data folder to READY',
        target: `<= ${readyMaxSeconds} s`,
        actual: `${seconds.toFixed(1)} s`,
        holds: seconds <= readyMaxSeconds,
      },
      {
        what: 'Five services idle, resident memory together',
        target: `< ${idleMaxMb} MB`,
        actual: `${total.toFixed(0)} MB (${each.map(({ name, mb }) => `${name} ${mb.toFixed(0)}`).join(', ')})`,
        holds: total < idleMaxMb,
      },
    ];
  } finally {
    await product.stop();
  }
};
