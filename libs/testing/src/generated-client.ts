import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ClientAnswer, GeneratedClientRun } from './generated-client-process.js';

/**
 * Generates a client from a specification in a child process, as a user of the platform would, and returns the result of each call.
 * Rejects when the client cannot be generated or lacks an operation.
 */
export const callGeneratedClient = async (run: GeneratedClientRun): Promise<readonly ClientAnswer[]> => {
  const program = join(import.meta.dirname, 'generated-client-process.ts');
  const child = fork(program, { stdio: 'pipe', execArgv: [] });
  const errors = child.stderr ? text(child.stderr) : Promise.resolve('');
  child.send(run);
  const outcome = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  child.kill();
  const [{ answers, failed }] =
    outcome[0] === null || typeof outcome[0] === 'number' ? [{ failed: await errors }] : outcome;
  if (failed !== undefined) throw new Error(failed);
  return answers;
};
