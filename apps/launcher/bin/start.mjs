/**
 * `npm start`: prepares the checkout, then runs the launcher on Node 24 and forwards signals. Plain JavaScript for Node
 * 20, without node_modules.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { openOutput } from './output.mjs';
import { build, cancelPreparation, checkout, installDependencies, productNode, toolEnvironment } from './prepare.mjs';

const orphanCheckMs = 250;
const output = openOutput(process.stdout, { json: process.env.LOG_FORMAT?.trim() === 'json' });

let launcher;
let stopping = false;

/** Every way to be told to end: a signal, perhaps several times, or a parent that is gone. */
const stop = () => {
  if (launcher === undefined) {
    cancelPreparation();
    process.exit(130);
  }
  if (stopping) return;
  stopping = true;
  launcher.kill('SIGTERM');
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

// Who reads our output may leave before us.
process.stdout.on('error', () => undefined);

// npm starts us through a shell; a signal to npm may end the shell and never reach us.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), orphanCheckMs).unref();
}

try {
  await installDependencies(output.begin);
  await build(output.begin);
  // The channel tells the launcher when this process is gone without a word.
  launcher = spawn(productNode(), [join(checkout, 'apps', 'launcher', 'dist', 'main.js')], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: toolEnvironment(),
  });
  launcher.once('error', (error) => {
    output.line('launcher', error.message);
    process.exit(1);
  });
  launcher.once('exit', (code) => process.exit(code ?? 1));
} catch (error) {
  output.line('launcher', error instanceof Error ? error.message : String(error));
  process.exit(1);
}
