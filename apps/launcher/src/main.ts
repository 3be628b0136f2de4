/** The launcher's process: settings in, signals in, exit code out. */
import { fileURLToPath } from 'node:url';
import { StartError } from '@tessera/local-stack';
import { launch } from './launch.js';
import { readSettings } from './settings.js';
import { openTerminal } from './terminal.js';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const terminal = openTerminal(process.stdout, process.env);
const stopping = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
// `npm start` holds the other end of the channel; stop when it is gone.
process.once('disconnect', () => stopping.abort());

// Who reads our output may leave before us.
process.stdout.on('error', () => undefined);
// A bug must not leave processes behind.
process.on('uncaughtException', (error) => {
  terminal.problem(`The launcher has failed: ${error.stack ?? error.message}`);
  process.exitCode = 1;
  stopping.abort();
});

try {
  await launch({
    settings: readSettings(process.env, checkout),
    checkout,
    terminal,
    stopping: stopping.signal,
    giveUp: () => process.exit(1),
  });
} catch (error) {
  const isExpected = error instanceof StartError;
  terminal.problem(
    isExpected
      ? error.message
      : `The start failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  process.exitCode = 1;
}
if (process.connected) process.disconnect();
