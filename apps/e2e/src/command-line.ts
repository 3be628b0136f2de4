import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { checkoutFolder, type RunningProduct } from './product.js';

export type CommandOutcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export const runTessera = (product: RunningProduct, ...parameters: readonly string[]): Promise<CommandOutcome> =>
  runTesseraWithSettings({ TESSERA_HOME: product.home }, ...parameters);

/** With settings of its own. */
export const runTesseraWithSettings = (
  settings: Readonly<Record<string, string>>,
  ...parameters: readonly string[]
): Promise<CommandOutcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(join(checkoutFolder, 'apps', 'cli', 'bin', 'tessera'), parameters, {
      cwd: checkoutFolder,
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
