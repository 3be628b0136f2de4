/**
 * How a process ends: on SIGTERM, SIGINT or the end of its parent it stops in order, once; on a bug it exits with code 1; after
 * a time limit it exits whatever is still running.
 */
import type { LogHandle } from './log.js';

export type ProcessShutdown = {
  /** Stops in order and ends the process with this code. */
  readonly end: (reason: string, exitCode: number) => void;
  /** Ends at once, before the service was ready: no start with this setting can succeed. */
  readonly refuse: (setting: string, expected: string) => never;
};

/** EX_CONFIG of sysexits. */
const configurationExitCode = 78;

/** Says on standard error, a line each, what is wrong with the settings, and ends the process. */
export const exitWithConfigurationFaults = (service: string, faults: readonly string[]): never => {
  process.stderr.write(faults.map((fault) => `${service}: ${fault}\n`).join(''));
  process.exit(configurationExitCode);
};

export type ShutdownOptions = LogHandle & {
  readonly service: string;
  readonly stopTimeoutMs: number;
  readonly stop: () => Promise<void>;
};

export const installShutdownHandlers = ({
  service,
  log,
  flush,
  stopTimeoutMs,
  stop,
}: ShutdownOptions): ProcessShutdown => {
  let ending = false;
  const exit = (code: number): never => {
    flush();
    process.exit(code);
  };
  const end = (reason: string, exitCode: number): void => {
    if (ending) return;
    ending = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => {
      log.error({ stopTimeoutMs }, 'stopping took too long; ending all the same');
      exit(1);
    }, stopTimeoutMs).unref();
    void stop().then(
      () => {
        log.info({}, 'stopped');
        exit(exitCode);
      },
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        exit(1);
      },
    );
  };
  const bug = (kind: string) => (error: unknown) => {
    log.fatal({ err: error }, kind);
    exit(1);
  };
  process.on('SIGTERM', () => end('SIGTERM', 0));
  process.on('SIGINT', () => end('SIGINT', 0));
  process.on('disconnect', () => end('the parent process is gone', 0));
  process.on('uncaughtException', bug('an exception that nobody caught'));
  process.on('unhandledRejection', bug('a rejection that nobody handled'));
  const refuse = (setting: string, expected: string): never => {
    flush();
    return exitWithConfigurationFaults(service, [`${setting} is wrong; expected ${expected}`]);
  };
  return { end, refuse };
};
