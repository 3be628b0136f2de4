import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { withMemoryGrowth } from '../processes.js';
import { required } from '../product/environment-file.js';
import { checkout, type Product } from '../product/product.js';

export type Ran = {
  readonly seconds: number;
  /** The most memory of the command line itself. */
  readonly ownPeakMb: number;
};

export const applyWorkspace = (product: Product, folder: string): Promise<Ran> =>
  runTessera(product, ['apply', folder]);

/** `words` are those after `tessera`. */
export const runTessera = async ({ environment }: Product, words: readonly string[]): Promise<Ran> => {
  const begunAt = performance.now();
  const program = join(checkout, 'apps', 'cli', 'bin', 'tessera.mjs');
  const child = spawn(process.execPath, [program, ...words], {
    env: {
      PATH: process.env['PATH'],
      GATEWAY_URL: required(environment, 'GATEWAY_URL'),
      ADMIN_KEY: required(environment, 'ADMIN_KEY'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const { value: code, peakMb } = await withMemoryGrowth({ own: child.pid ?? 0 }, () => ended);
  if (code !== 0) throw new Error(`tessera ${words.join(' ')} ended with ${code}:\n${output.slice(-2_000)}`);
  return { seconds: (performance.now() - begunAt) / 1_000, ownPeakMb: peakMb['own'] ?? 0 };
};
