/** `tessera apply` of 100,000 elements into a new team: duration, and whether memory stays flat. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureMemoryGrowth } from '../processes.js';
import { type TesseraRunResult, applyWorkspace } from '../workload/run-tessera.js';
import { writeBenchWorkspace } from '../workload/bench-storage.js';
import { type Bench, type Figure, pidOf } from './bench.js';

const elements = 100_000;
const underEachRoot = 100;
const secondsMax = 180;
const growthMaxMb = 150;
const services = ['gateway', 'content-repo'] as const;
const team = 'bench';

export const measureImport = async (bench: Bench): Promise<readonly Figure[]> => {
  // A few elements first: what the command line needs for those it needs for nothing.
  const few = await apply(bench, 'few', 10);
  const pids = Object.fromEntries(services.map((service) => [service, pidOf(bench.product, service)]));
  const { value: all, growthMb, peakMb } = await measureMemoryGrowth(pids, () => apply(bench, 'many', elements));
  const growth = [
    { name: 'command line', mb: all.ownPeakMb - few.ownPeakMb, toMb: all.ownPeakMb },
    ...services.map((name) => ({ name, mb: growthMb[name] ?? NaN, toMb: peakMb[name] ?? NaN })),
  ];
  const what = `Import of ${elements.toLocaleString('en')} elements`;
  return [
    {
      what: `${what}: time`,
      target: `< ${secondsMax} s`,
      actual: `${all.seconds.toFixed(0)} s (${(elements / all.seconds).toFixed(0)} elements a second)`,
      holds: all.seconds < secondsMax,
    },
    ...growth.map(({ name, mb, toMb }) => ({
      what: `${what}: growth of ${name}`,
      target: `< ${growthMaxMb} MB`,
      actual: `${mb.toFixed(0)} MB (to ${toMb.toFixed(0)} MB)`,
      holds: mb < growthMaxMb,
    })),
  ];
};

const apply = async ({ product, say }: Bench, storage: string, count: number): Promise<TesseraRunResult> => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
  try {
    const size = { elements: count, contentOfEach: 0, underEachRoot };
    await writeBenchWorkspace(folder, { team, teamName: 'Benchmark', storage, ...size });
    say(`importing ${count} elements`);
    return await applyWorkspace(product, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
