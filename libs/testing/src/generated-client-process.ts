/** A child process: generates a client from a specification, makes the calls it is sent and returns the client's results. */
import { createClient } from '@hey-api/openapi-ts';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export type ClientCall = {
  readonly operation: string;
  readonly options: Readonly<Record<string, unknown>>;
};

export type GeneratedClientRun = {
  /** The file of the specification. */
  readonly specification: string;
  /** The folder that the client is written to. */
  readonly folder: string;
  readonly credential: { readonly header: 'Authorization' | 'AppKey'; readonly value: string };
  readonly calls: readonly ClientCall[];
};

export type ClientAnswer = { readonly status?: number; readonly data?: unknown; readonly error?: unknown };

const member = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;

const invoke = (holder: unknown, name: string, argument: unknown): unknown => {
  const method = member(holder, name);
  if (typeof method !== 'function') throw new Error(`The client has no ${name}.`);
  return Reflect.apply(method, holder, [argument]);
};

const run = async ({
  specification,
  folder,
  credential,
  calls,
}: GeneratedClientRun): Promise<readonly ClientAnswer[]> => {
  await createClient({
    input: specification,
    output: { path: folder, module: { extension: '.ts' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  const load = (name: string): Promise<unknown> => import(pathToFileURL(join(folder, name)).href);
  const auth = (scheme: unknown): string | undefined =>
    (member(scheme, 'name') === 'AppKey') === (credential.header === 'AppKey') ? credential.value : undefined;
  invoke(member(await load('client.gen.ts'), 'client'), 'setConfig', { auth });
  const operations = await load('sdk.gen.ts');
  const answers: ClientAnswer[] = [];
  for (const { operation, options } of calls) {
    const answer = await invoke(operations, operation, options);
    const status = member(member(answer, 'response'), 'status');
    answers.push({
      ...(typeof status === 'number' && { status }),
      data: member(answer, 'data'),
      error: member(answer, 'error'),
    });
  }
  return answers;
};

process.once('message', (message: GeneratedClientRun) => {
  run(message).then(
    (answers) => process.send?.({ answers }),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});
