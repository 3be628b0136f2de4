import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure, KnowledgeBench } from '../measures/bench.js';
import { measureMemoryGrowth } from '../processes.js';
import { checkoutFolder, type Product, requireVariable } from '../product/product.js';
import { benchTeam, benchTeamName } from '../product/largest-facet.js';
import { salesRowCount, writeBenchModel } from './bench-model.js';

export const measureSalesLoad = async (bench: KnowledgeBench): Promise<Figure> => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
  try {
    const [sales, ...related] = await writeBenchModel(folder, benchTeam, benchTeamName);
    if (!sales) throw new Error('There are no sales.');
    await applyWorkspace(bench.product, folder);
    bench.say(`loading ${salesRowCount} rows`);
    const load = (file: typeof sales) =>
      runTessera(bench.product, ['load', file.table, file.path, '--team', benchTeam]);
    const { seconds, ownPeakMb } = await load(sales);
    for (const file of related) await load(file);
    return {
      what: `Load of ${salesRowCount.toLocaleString('en')} rows of 20 columns: time`,
      actual: `${seconds.toFixed(0)} s (${(salesRowCount / seconds).toFixed(0)} rows a second, command line ${ownPeakMb.toFixed(0)} MB)`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export type TesseraRunResult = {
  readonly seconds: number;
  /** The most memory of the command line itself. */
  readonly ownPeakMb: number;
};

export const applyWorkspace = (product: Product, folder: string): Promise<TesseraRunResult> =>
  runTessera(product, ['apply', folder]);

/** `words` are those after `tessera`. */
export const runTessera = async ({ environment }: Product, words: readonly string[]): Promise<TesseraRunResult> => {
  const begunAt = performance.now();
  const program = join(checkoutFolder, 'apps', 'cli', 'bin', 'tessera.mjs');
  const child = spawn(process.execPath, [program, ...words], {
    env: {
      PATH: process.env['PATH'],
      GATEWAY_URL: requireVariable(environment, 'GATEWAY_URL'),
      ADMIN_KEY: requireVariable(environment, 'ADMIN_KEY'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const { value: code, peakMb } = await measureMemoryGrowth({ own: child.pid ?? 0 }, () => ended);
  if (code !== 0) throw new Error(`tessera ${words.join(' ')} ended with ${code}:\n${output.slice(-2_000)}`);
  return { seconds: (performance.now() - begunAt) / 1_000, ownPeakMb: peakMb['own'] ?? 0 };
};
