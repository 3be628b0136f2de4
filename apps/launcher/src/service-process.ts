/**
 * One service as a child process: addresses by environment, output by line, readiness by message. A service that ends,
 * or is not ready in time, is a failed start.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endProcess, type ServiceName, StartError } from '@tessera/local-stack';
import type { RunningProcess } from './supervision.js';

type ServiceProcessOptions = {
  readonly service: ServiceName;
  readonly checkout: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  /** Fires when the service is not wanted any more. */
  readonly stopping: AbortSignal;
  readonly onSpawn?: (pid: number) => () => void;
};

/** A busy machine needs many times the second that a start takes. */
const readyTimeoutMs = 60_000;
/** Long enough for requests under way; the whole stop has five seconds. */
const stopSteps = [{ signal: 'SIGTERM', waitMs: 3_000 }] as const;

/**
 * Five idle services must fit into 700 MB: small young generations, and a heap that is collected before it grows. With 8 MB what is made of a body of
 * 1 MiB reached the old generation, whose collection held the gateway for 80 ms of the processor; with 16 MB, as with 32, for 50 at most.
 */
const memoryLimits = ['--max-semi-space-size=16', '--max-old-space-size=384'];

/** Starts the service and answers when it says `ready`. */
export const startService = (options: ServiceProcessOptions): Promise<RunningProcess> => {
  const child = fork(join(options.checkout, 'apps', options.service, 'dist', 'main.js'), [], {
    env: options.environment,
    execArgv: memoryLimits,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Ctrl-C goes to the launcher alone, which ends the services in its order.
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on('line', options.log);
  const pid = child.pid ?? 0;
  const forget = pid > 0 ? options.onSpawn?.(pid) : undefined;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`),
    );
  }).finally(() => forget?.());
  const stop = async (): Promise<void> => {
    if (pid > 0) await endProcess(pid, stopSteps);
    await ended;
  };
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      void stop().then(() => reject(new StartError(`${options.service} was stopped before it was ready.`)));
    };
    if (options.stopping.aborted) giveUp();
    options.stopping.addEventListener('abort', giveUp, { once: true });
    const tooLate = setTimeout(() => {
      void stop().then(() =>
        reject(new StartError(`${options.service} was not ready after ${readyTimeoutMs / 1_000} s.`)),
      );
    }, readyTimeoutMs);
    child.on('message', (message) => {
      if (message !== 'ready') return;
      clearTimeout(tooLate);
      options.stopping.removeEventListener('abort', giveUp);
      resolve({ pid, ended, stop });
    });
    void ended.then((how) => {
      clearTimeout(tooLate);
      options.stopping.removeEventListener('abort', giveUp);
      // Whoever has stopped it says so himself.
      if (!options.stopping.aborted)
        reject(new StartError(`${options.service} ended (${how}) before it was ready; its log lines are above.`));
    });
  });
};
