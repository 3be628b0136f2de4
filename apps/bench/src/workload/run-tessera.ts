import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure, KnowledgeBench } from '../measures/bench.js';
import { measureMemoryGrowth } from '../processes.js';
import { checkoutFolder, type Product, requireVariable } from '../product/product.js';
import { benchTeam, benchTeamName } from '../product/largest-facet.js';
import { rollupCount, type TableFile, writeBenchModel } from './bench-model.js';

/** The folder of the workspace and the files of its tables, the sales first; all of it goes after `work`. */
export const withSalesWorkspace = async <T>(
  rows: number,
  work: (folder: string, files: readonly [TableFile, ...TableFile[]]) => Promise<T>,
): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
  try {
    const workspace = { folder, team: benchTeam, teamName: benchTeamName, rows };
    const [sales, ...related] = await writeBenchModel(workspace);
    if (!sales) throw new Error('There are no sales.');
    return await work(folder, [sales, ...related]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The time of the sales alone; the other tables are small. */
export const measureSalesLoad = ({ product, say }: KnowledgeBench, rows: number): Promise<Figure> =>
  withSalesWorkspace(rows, async (folder, [sales, ...related]) => {
    await applyWorkspace(product, folder);
    say(`loading ${rows} rows`);
    const { seconds, ownPeakMb } = await loadTable(product, sales);
    for (const file of related) await loadTable(product, file);
    return {
      what: `Load of ${rows.toLocaleString('en')} rows of 20 columns (rollups of the model: ${rollupCount}): time`,
      actual: `${seconds.toFixed(0)} s (${(rows / seconds).toFixed(0)} rows a second, command line ${ownPeakMb.toFixed(0)} MB)`,
    };
  });

/** Ends when its rows can be asked for. */
export const loadTable = (product: Product, { table, path }: TableFile): Promise<TesseraRunResult> =>
  runTessera(product, ['load', table, path, '--allow-shrink', '--team', benchTeam]);

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
