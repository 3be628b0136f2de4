/**
 * Loads the demo into a platform that runs elsewhere, and exits. TESSERA_DEMO is its size, GATEWAY_URL the platform,
 * ADMIN_KEY the key, TESSERA_HOME a folder for files.
 */
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { StartError } from '@tessera/local-stack';
import { loadMissingDemoTeams } from './load-missing.js';
import { readDemoSettings } from './settings.js';
import { openTerminal } from './terminal.js';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const terminal = openTerminal(process.stdout, process.env);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

try {
  const { size, ...where } = readDemoSettings(process.env, tmpdir());
  if (size !== 'none') await loadMissingDemoTeams({ ...where, size, checkout, terminal, stopping: stopping.signal });
} catch (error) {
  const isExpected = error instanceof StartError;
  terminal.line('demo', isExpected ? error.message : `The demo was not loaded: ${String(error)}`);
  process.exitCode = 1;
}
