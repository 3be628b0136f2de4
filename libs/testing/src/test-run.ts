/** The folder that the spec files of one Jest run share; `.config/jest.config.mjs` makes it and removes it at the end. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 20;
/** Less than Jest's timeout for hooks, so that the error names what was missing. */
const timeoutMs = 150_000;

export const testRunFolder = (): string => {
  const folder = process.env['TESSERA_TEST_RUN'];
  if (folder === undefined) throw new Error('no test run: start Jest with --config .config/jest.config.mjs');
  return folder;
};

type Outcome = { readonly text: string } | { readonly error: string };

/** The result of `make`, which only the first worker runs; the others wait for it. */
export const makeOncePerTestRun = async (name: string, make: () => Promise<string>): Promise<string> => {
  const file = join(testRunFolder(), `${name}.json`);
  if (claim(join(testRunFolder(), `${name}.claimed`))) await record(file, make);
  const deadline = Date.now() + timeoutMs;
  while (!existsSync(file)) {
    if (Date.now() > deadline) throw new Error(`${name} was not ready after ${timeoutMs} ms`);
    await sleep(pollMs);
  }
  const outcome = JSON.parse(readFileSync(file, 'utf8')) as Outcome;
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome.text;
};

const claim = (folder: string): boolean => {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
};

const record = async (file: string, make: () => Promise<string>): Promise<void> => {
  const outcome: Outcome = await make().then(
    (text) => ({ text }),
    (error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  writeFileSync(`${file}.part`, JSON.stringify(outcome), { mode: 0o600 });
  renameSync(`${file}.part`, file);
};
