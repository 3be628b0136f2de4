/**
 * The process of the columnar engine: it takes commands of the service that started it, and ends with it. What it has of the
 * environment is no secret; whatever a statement does to it, the service answers from PostgreSQL.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { version } from '@duckdb/node-api';
import { isEngineOptions, isEngineRequest, type EngineOptions, type EngineReply } from './engine-messages.js';
import { Engine } from './engine.js';

const parseOptions = (text = ''): EngineOptions => {
  const options: unknown = JSON.parse(text);
  if (!isEngineOptions(options)) throw new Error('The first parameter is the options of the engine as JSON.');
  return options;
};

const reply = (message: EngineReply): void => {
  // Who is gone is told nothing; `disconnect` ends this process.
  process.send?.(message, undefined, undefined, () => undefined);
};

// DuckDB makes files that everybody may read, and the folder may be older than the service.
process.umask(0o077);
const options = parseOptions(process.argv[2]);
// What a process before this one left there is of no use.
rmSync(options.temporaryFolder, { recursive: true, force: true });
mkdirSync(options.temporaryFolder, { recursive: true, mode: 0o700 });
const engine = new Engine(options, reply);

process.on('message', (message) => {
  if (isEngineRequest(message)) void engine.handle(message);
});
// At once: leaving in order would wait for statements that run, and there is nothing to be kept.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// The service is told to stop with it, and ends this process when nothing is asked any more.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
reply({ kind: 'ready', version: version() });
