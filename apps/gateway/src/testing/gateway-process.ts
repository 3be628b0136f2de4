/** The real gateway in a process of its own, from source: for what would end a process. */
import { findFreePort } from '@tessera/local-stack';
import { waitUntil } from '@tessera/testing';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export type GatewayProcess = {
  readonly url: string;
  /** Code or signal when it has ended; empty while it runs. */
  readonly ending: () => string;
  readonly output: () => string;
  readonly stop: () => Promise<void>;
};

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const typescript = file('../../../../libs/service-kit/src/testing/run-typescript.mjs');

/** Resolves when the process was started; `whenReady` of the answer waits until it says so. */
export const startGatewayProcess = async (
  settings: Readonly<Record<string, string>>,
  { hasFastClock = false } = {},
): Promise<GatewayProcess & { readonly whenReady: () => Promise<void> }> => {
  const port = await findFreePort();
  const child = fork(file('../main.ts'), {
    execPath: process.execPath,
    execArgv: [
      ...['-C', 'development', '--import', typescript],
      ...(hasFastClock ? ['--import', file('fast-clock.mjs')] : []),
    ],
    env: { GATEWAY_PORT: String(port), DRAIN_DELAY_MS: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let [output, isReady, ending] = ['', false, ''];
  child.stdout?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.stderr?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.on('message', (message) => (isReady ||= message === 'ready'));
  const ended = new Promise<void>((resolve) =>
    child.once('exit', (code, signal) => {
      ending = `code ${code}, signal ${signal}`;
      resolve();
    }),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    ending: () => ending,
    output: () => output,
    whenReady: () =>
      waitUntil(() => {
        if (ending !== '') throw new Error(`The gateway has ended (${ending}):\n${output}`);
        return isReady;
      }),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
