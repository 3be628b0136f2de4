import { readConfiguration } from './configuration.js';
import { runProgram } from './program.js';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

// The reader of our output has closed the pipe.
process.stdout.on('error', () => process.exit());

process.exitCode = await runProgram(process.argv.slice(2), {
  configuration: readConfiguration(),
  folder: process.cwd(),
  input: process.stdin,
  out: process.stdout,
  err: process.stderr,
  stopping: stopping.signal,
});
