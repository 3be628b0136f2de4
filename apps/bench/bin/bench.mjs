/**
 * `npm run bench`: builds the benchmark and the product, then runs it on Node 24 with the same options. Plain
 * JavaScript for Node 20. When this process ends, so do the benchmark and the product that it started.
 */
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const programs = join(checkout, 'node_modules', '.bin');
const env = {
  ...process.env,
  PATH: `${programs}${delimiter}${process.env.PATH ?? ''}`,
  NX_DAEMON: 'false',
  NX_TUI: 'false',
};
const orphanCheckMs = 250;

let running;

const run = (program, parameters, stdio) =>
  new Promise((resolve, reject) => {
    running = spawn(join(programs, program), parameters, { cwd: checkout, env, stdio });
    running.once('error', reject);
    running.once('exit', (code) => resolve(code ?? 1));
  });

const stop = () => running?.kill('SIGTERM');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

// npm starts us through a shell; a signal to npm may end the shell and never reach us.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && stop(), orphanCheckMs).unref();

// What is printed while building goes to the error output: the standard output holds the figures and nothing else.
const built = await run('nx', ['run-many', '-t', 'build', '--output-style=static'], ['ignore', 2, 2]);
if (built !== 0) process.exit(built);
const main = join(checkout, 'apps', 'bench', 'dist', 'main.js');
const options = process.argv.slice(2);
const code = await run('node', [main, ...options], ['inherit', 'inherit', 'inherit', 'ipc']);
if (options.includes('--write')) await run('oxfmt', ['docs/performance-tables.md'], 'inherit');
process.exit(code);
