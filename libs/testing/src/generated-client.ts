/**
 * A client that a public generator makes of a specification, as a user of the platform would, and its calls.
 * Refuses: to run in the process of the specs; the generator and the client have one of their own.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ClientAnswer, ClientWork } from './generated-client-process.js';

/** What each call came to, in their order; rejects when the client could not be made or has no such operation. */
export const callByGeneratedClient = async (work: ClientWork): Promise<readonly ClientAnswer[]> => {
  const program = join(import.meta.dirname, 'generated-client-process.ts');
  const child = fork(program, { stdio: 'pipe', execArgv: [] });
  const errors = child.stderr ? text(child.stderr) : Promise.resolve('');
  child.send(work);
  const told = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  child.kill();
  const [{ answers, failed }] = told[0] === null || typeof told[0] === 'number' ? [{ failed: await errors }] : told;
  if (failed !== undefined) throw new Error(failed);
  return answers;
};
