/** What integration specs need: a database with the company in it, the module of the service, callers, and answers as data. */
import { Test } from '@nestjs/testing';
import type { Type } from '@nestjs/common';
import type { ByteReply } from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import { silentLog, type OperationContext } from '@tessera/messaging';
import { EventPublishTrigger, ServiceModule } from '@tessera/service-kit';
import { createTestProcess } from '@tessera/service-kit/testing';
import { createTestDatabase } from '@tessera/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { StorageChanges } from '../change/change-storage.js';
import { ContentRepoModule } from '../content-repo.module.js';
import { Pools } from '../database.module.js';
import { contentRepoSettings } from '../settings.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';
import { companyContent } from './company.js';
import { importTestContent, type TestContent } from './load-content.js';

export type TestService = {
  readonly pools: Pools;
  readonly source: DataSource;
  readonly definitions: StorageDefinitions;
  readonly changes: StorageChanges;
  /** A handler or another provider of the module. */
  readonly get: <T>(type: Type<T>) => T;
  /** Of the service's own role. */
  readonly serviceUrl: string;
  /** Of the superuser, whom row-level security does not bind. */
  readonly adminUrl: string;
  /** As the superuser. */
  readonly rows: (text: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;
  readonly end: () => Promise<void>;
};

type ServiceOptions = {
  /** Settings beside the address of the database. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The address that the pools connect to instead of the given one. */
  readonly proxy?: (url: string) => Promise<string>;
  readonly wrapPools?: (pools: Pools) => Pools;
};

export const testPublicUrl = 'https://tessera.example:8443';
export const testStorageNames = { collectionId: 'Meridian', storageId: 'p2p' } as const;

/** Events stay in the outbox. */
export const noopEventPublishing = { wake: () => undefined };

/** The service without NATS; jobs do not run. */
export const openTestService = async (
  contents: readonly TestContent[] = [companyContent],
  { environment = {}, proxy = (url) => Promise.resolve(url), wrapPools = (pools) => pools }: ServiceOptions = {},
): Promise<TestService> => {
  const database = await createTestDatabase();
  const serviceUrl = await proxy(database.urlFor('content-repo'));
  const configuration = contentRepoSettings.parse({ ...environment, DATABASE_URL: serviceUrl });
  const pools = wrapPools(new Pools(configuration, silentLog));
  const service = createTestProcess('content-repo', configuration);
  const module = await Test.createTestingModule({ imports: [ServiceModule.forRoot(service), ContentRepoModule] })
    .overrideProvider(Pools)
    .useValue(pools)
    .overrideProvider(EventPublishTrigger)
    .useValue(noopEventPublishing)
    .compile();
  const source = module.get(DataSource);
  for (const content of contents) await importTestContent({ pools, source }, content);
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  return {
    pools,
    source,
    definitions: module.get(StorageDefinitions),
    changes: module.get(StorageChanges),
    get: (type) => module.get(type),
    serviceUrl,
    adminUrl: database.adminUrl,
    rows: async (text, values = []) => (await admin.query<Record<string, unknown>>(text, [...values])).rows,
    end: async () => {
      await admin.end();
      await module.close();
      await database.drop();
    },
  };
};

export const createReaderContext = (team: string, signal = new AbortController().signal): OperationContext => ({
  caller: { team, subject: 'tester', scopes: ['content:read'] },
  requestId: 'request-1',
  deadlineMs: Date.now() + 60_000,
  publicUrl: testPublicUrl,
  signal,
});

export const createWriterContext = (team: string): OperationContext => ({
  ...createReaderContext(team),
  caller: { team, subject: 'ann', scopes: ['content:read', 'content:write'] },
});

export const createAdminContext = (team: string): OperationContext => ({
  ...createReaderContext(team),
  caller: { team, subject: 'admin', scopes: ['admin'] },
});

export const readBodyText = async (reply: ByteReply): Promise<string> => {
  if (reply.body instanceof Uint8Array) return Buffer.from(reply.body).toString('utf8');
  const pieces: Uint8Array[] = [];
  for await (const piece of reply.body) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
};

/** What a body holds, until it is compared. */
export type Json = ReturnType<typeof JSON.parse>;

/** The body as data; throws when the answer is a failure. */
export const readJsonReply = async (answer: Promise<Result<ByteReply>>): Promise<Json> => {
  const result = await answer;
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.detail}`);
  return JSON.parse(await readBodyText(result.value));
};

export const readFailure = async (answer: Promise<Result<unknown>>) => {
  const result = await answer;
  return result.ok ? undefined : result.failure;
};
