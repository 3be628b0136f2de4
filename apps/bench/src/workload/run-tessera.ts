/** Workspaces of the benchmark, and `tessera`, which brings them into a product. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureGrowth, readResidentMb } from '../processes.js';
import { checkoutFolder, type Product } from '../product/product.js';

export type TesseraRunResult = {
  readonly seconds: number;
  /** The most memory of the command line itself. */
  readonly ownPeakMb: number;
};

/** `words` are those after `tessera`. */
export const runTessera = async (product: Product, words: readonly string[]): Promise<TesseraRunResult> => {
  const begunAt = performance.now();
  const program = join(checkoutFolder, 'apps', 'cli', 'bin', 'tessera.mjs');
  const child = spawn(process.execPath, [program, ...words], {
    env: {
      PATH: process.env['PATH'],
      GATEWAY_URL: product.variable('GATEWAY_URL'),
      ADMIN_KEY: product.variable('ADMIN_KEY'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const { pid = 0 } = child;
  const { peakMb } = await measureGrowth({ own: () => readResidentMb(pid) }, () => once(child, 'close'));
  const { exitCode: code } = child;
  if (code !== 0) throw new Error(`tessera ${words.join(' ')} ended with ${code}:\n${output.slice(-2_000)}`);
  return { seconds: (performance.now() - begunAt) / 1_000, ownPeakMb: peakMb['own'] ?? 0 };
};

/** The folder goes after `work`. */
export const withFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export const benchFolder = join(checkoutFolder, 'apps', 'bench');

export const writeLines = async (path: string, lines: Iterable<string>): Promise<void> => {
  const file = createWriteStream(path, { highWaterMark: 1 << 20 });
  for (const line of lines) if (!file.write(`${line}\n`)) await once(file, 'drain');
  file.end();
  await once(file, 'finish');
};
