import { Readable, Writable } from 'node:stream';
import type { Configuration, Environment } from '../configuration.js';
import type { ExitCode } from '../exit-code.js';
import { runProgram } from '../program.js';

type RunResult = { readonly exitCode: ExitCode; readonly out: string; readonly err: string };

export type RunOptions = {
  readonly gatewayUrl?: string;
  readonly adminKey?: string;
  readonly apiKey?: string;
  readonly environment?: Environment;
  /** What comes in at the standard input. */
  readonly input?: string;
  readonly stopping?: AbortSignal;
  /** Hears the standard output as it is written. */
  readonly heard?: (text: string) => void;
  /** The same of the standard error. */
  readonly heardErr?: (text: string) => void;
};

export const testKey = 'tsk_0123456789ab_secret_sum';

export const runTessera = async (words: readonly string[], options: RunOptions = {}): Promise<RunResult> => {
  const written = { out: '', err: '' };
  const collect = (stream: 'out' | 'err') =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        written[stream] += chunk.toString();
        (stream === 'out' ? options.heard : options.heardErr)?.(written[stream]);
        done();
      },
    });
  const { gatewayUrl, adminKey = testKey, apiKey, environment = {}, input = '' } = options;
  const configuration: Configuration = {
    gatewayUrl: gatewayUrl === undefined ? undefined : { value: gatewayUrl, origin: 'GATEWAY_URL of the spec' },
    adminKey: { value: adminKey, origin: 'ADMIN_KEY of the spec' },
    apiKey: apiKey === undefined ? undefined : { value: apiKey, origin: 'API_KEY of the spec' },
    environmentFile: 'nowhere/env',
    environment,
  };
  const exitCode = await runProgram(words, {
    configuration,
    folder: '/',
    input: Readable.from([Buffer.from(input)]),
    out: collect('out'),
    err: collect('err'),
    stopping: options.stopping ?? new AbortController().signal,
  });
  return { exitCode, ...written };
};

export const nonEmptyLines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
