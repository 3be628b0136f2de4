/** What a spec of reading needs: a database with the company in it, pools as the service has them, and a caller. */
import type { ByteReply } from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import { silentLog, type OperationContext } from '@tessera/messaging';
import { testDatabase } from '@tessera/testing';
import { Pools } from '../database/pools.js';
import { settings } from '../settings.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';
import { company } from './company.js';
import { loadContent, type LoadedContent } from './load-content.js';

export type Reading = {
  readonly pools: Pools;
  readonly definitions: StorageDefinitions;
  /** Of the service's own role. */
  readonly serviceUrl: string;
  /** Of the superuser, whom row-level security does not bind. */
  readonly adminUrl: string;
  readonly end: () => Promise<void>;
};

export const publicUrl = 'https://tessera.example:8443';
export const storagePath = { collectionId: 'Meridian', storageId: 'p2p' } as const;

/** `through` may lead the pools over something that stands between them and the server. */
export const openReading = async (
  contents: readonly LoadedContent[] = [company],
  through: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<Reading> => {
  const database = await testDatabase();
  const url = await through(database.urlFor('content-repo'));
  const pools = new Pools(settings.parse({ DATABASE_URL: url }), silentLog);
  for (const content of contents) await loadContent(pools.writes, content);
  return {
    pools,
    definitions: new StorageDefinitions(),
    serviceUrl: url,
    adminUrl: database.adminUrl,
    end: async () => {
      await pools.onApplicationShutdown();
      await database.drop();
    },
  };
};

export const callerOf = (team: string, signal = new AbortController().signal): OperationContext => ({
  caller: { team, subject: 'tester', scopes: ['content:read'] },
  requestId: 'request-1',
  deadlineMs: Date.now() + 30_000,
  publicUrl,
  signal,
});

export const bodyText = async (reply: ByteReply): Promise<string> => {
  if (reply.body instanceof Uint8Array) return Buffer.from(reply.body).toString('utf8');
  const pieces: Uint8Array[] = [];
  for await (const piece of reply.body) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
};

/** What a body holds, until it is compared. */
export type Json = ReturnType<typeof JSON.parse>;

/** The body as data; throws when the answer is a failure. */
export const answered = async (answer: Promise<Result<ByteReply>>): Promise<Json> => {
  const result = await answer;
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.detail}`);
  return JSON.parse(await bodyText(result.value));
};

export const refused = async (answer: Promise<Result<unknown>>) => {
  const result = await answer;
  return result.ok ? undefined : result.failure;
};
