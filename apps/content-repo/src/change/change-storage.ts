/**
 * One change of a storage: a transaction that waits for the writers before it, decides on what is stored then, writes,
 * and records who did what, its events and its answer, all or nothing.
 */
import { types } from 'node:util';
import { Injectable } from '@nestjs/common';
import { withPublicUrl } from '@tessera/content-model';
import type { ByteReply, Caller, EventDataOf, EventDeclaration, Operation } from '@tessera/contracts';
import { elementChanged, elementDeleted, versionReleased } from '@tessera/contracts/content-repo';
import { fail, type Failure, type Result, succeed } from '@tessera/failures';
import { KeyedQueue } from '@tessera/fair-queue';
import { jsonContentType, type OperationContext } from '@tessera/messaging';
import {
  runIdempotently,
  createIdempotentCall,
  openTenantTransaction,
  mapDatabaseErrors,
  RequestAbandonedError,
  writeEvents,
} from '@tessera/persistence';
import { EventPublishTrigger } from '@tessera/service-kit';
import type pg from 'pg';
import { Pools } from '../database.module.js';
import { contentNotFound } from '../replies.js';
import { hasNulCharacter, type Storage, StorageDefinitions } from '../storage/storage-definitions.js';
import {
  type ChangeEntry,
  type ChangeScope,
  type ChangeStart,
  type LockedStorage,
  lockStorageRow,
  recordChange,
  startChange,
  type StorageNames,
} from './change.repository.js';

/** What a change is about, before it has its number. */
export type StorageScope = ChangeScope & {
  readonly storage: Storage;
  readonly caller: Caller;
};

export type ChangeContext = StorageScope & ChangeStart;

/** What a work has done, and the JSON that answers it, with the placeholder of the public URL. */
export type ChangeResult = {
  readonly entries: readonly ChangeEntry[];
  /** A function sends its last statements when it is called; what is recorded is sent behind them. */
  readonly body: string | (() => Promise<string>);
  readonly headers?: Readonly<Record<string, string>>;
};

type ChangeRequest = StorageNames & { readonly idempotencyKey?: string | undefined };

export type ChangeWork<Read = undefined> = {
  /** What needs no answer of the lock and of the number: sent behind both at once. Never writes. */
  readonly read: (scope: StorageScope) => Promise<Read>;
  readonly apply: (change: ChangeContext, read: Read) => Promise<Result<ChangeResult>>;
};

/** A work that reads nothing before it has its number. */
export const createWorkWithoutReads = (apply: ChangeWork['apply']): ChangeWork => ({
  read: () => Promise.resolve(undefined),
  apply,
});

@Injectable()
export class StorageChanges {
  /**
   * Keys are storages. Writers of one storage follow each other in the database, each on a connection; those that wait here
   * hold none, so the storages of others go on.
   */
  readonly #queue: KeyedQueue;

  constructor(
    private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
    private readonly events: EventPublishTrigger,
  ) {
    const { max } = pools.changes.options;
    this.#queue = new KeyedQueue({ limit: Number.POSITIVE_INFINITY, limitPerKey: Math.ceil(max / 2) });
  }

  /** Runs `work` as the caller's team, or as `team` for who administers it. What it answers as a failure changes nothing. */
  run<Read>(
    operation: Operation,
    request: ChangeRequest,
    context: OperationContext,
    work: ChangeWork<Read>,
    team = context.caller.team,
  ): Promise<Result<ByteReply>> {
    const call: Call<Read> = { operation, request, context, work, team };
    return mapDatabaseErrors(async () => {
      if (hasNulCharacter(request.collectionId) || hasNulCharacter(request.storageId)) return contentNotFound;
      const storage = [team, request.collectionId, request.storageId].join('\0');
      const endTurn = await this.#queue.acquire(storage, { signal: context.signal }).catch(() => undefined);
      if (!endTurn) return deadlineExceeded;
      try {
        return await this.#run(call);
      } catch (error) {
        if (error instanceof RequestAbandonedError) return deadlineExceeded;
        throw error;
      } finally {
        endTurn();
      }
    });
  }

  async #run<Read>(call: Call<Read>): Promise<Result<ByteReply>> {
    const { operation, request, context, team } = call;
    const transaction = await openTenantTransaction(this.pools.changes, team, {
      lockTimeoutMs,
      signal: context.signal,
    });
    let answer: Result<ByteReply>;
    try {
      const once = createIdempotentCall({ schema: 'content_repo', tenant: team }, operation, request);
      answer = await runIdempotently(transaction.client, once, () => this.#change(transaction.client, call));
    } catch (error) {
      await transaction.rollback().catch(() => undefined);
      return databaseFailure(error);
    }
    if (!answer.ok) {
      await transaction.rollback();
      return answer;
    }
    await transaction.commit();
    this.events.wake();
    return succeed(withAddresses(answer.value, context.publicUrl));
  }

  async #change<Read>(client: pg.PoolClient, call: Call<Read>): Promise<Result<ByteReply>> {
    const { team, request, context, work } = call;
    const known = this.definitions.lastRead(team, request);
    const locking = lockStorageRow(client, team, request, known?.revision);
    // Nearly always the storage is as it was last: then what comes behind the lock does not wait for its answer.
    const early = known && begin(client, call, known);
    const locked = await locking;
    if (!locked) return contentNotFound;
    if (context.signal.aborted) return deadlineExceeded;
    const isSame = known?.storageId === locked.storageId;
    const isKnown = isSame && known.revision === locked.revision;
    const storage = isKnown ? known : await this.#keep(client, team, request, locked);
    if (!storage) return contentNotFound;
    const begun = (isKnown && early) || begin(client, call, storage, isSame ? early?.started : undefined);
    const [start, read] = await Promise.all([begun.started, begun.reading]);
    const change = { ...begun.scope, ...start };
    const done = await work.apply(change, read);
    if (!done.ok) return done;
    const { entries, body, headers } = done.value;
    const [text] = await Promise.all([typeof body === 'string' ? body : body(), this.#record(change, call, entries)]);
    return succeed({ contentType: jsonContentType, ...(headers && { headers }), body: Buffer.from(text) });
  }

  async #keep(
    client: pg.PoolClient,
    team: string,
    names: StorageNames,
    locked: LockedStorage,
  ): Promise<Storage | undefined> {
    const definition = locked.definition ?? (await lockStorageRow(client, team, names, undefined))?.definition;
    return definition ? this.definitions.keep(team, names, { ...locked, definition }) : undefined;
  }

  async #record(
    change: ChangeContext,
    { operation, context }: Pick<Call<unknown>, 'operation' | 'context'>,
    entries: readonly ChangeEntry[],
  ): Promise<void> {
    const { sequence, changedAt } = change;
    const { subject } = context.caller;
    const by = { subject, requestId: context.requestId };
    if (entries.length === 0) return;
    const events = toChangeEvents(change, entries).map((event) => ({ ...event, ...by }));
    await Promise.all([
      recordChange(change, { sequence, changedAt, operation: operation.name, ...by, entries }),
      writeEvents(change.client, change.tenant, events),
    ]);
  }
}

type Call<Read> = {
  readonly operation: Operation;
  readonly request: ChangeRequest;
  readonly context: OperationContext;
  readonly work: ChangeWork<Read>;
  readonly team: string;
};

type BegunChange<Read> = {
  readonly scope: StorageScope;
  readonly started: Promise<ChangeStart>;
  readonly reading: Promise<Read>;
};

/** `started`: when the change has its number already. */
const begin = <Read>(
  client: pg.PoolClient,
  { team, context, work }: Call<Read>,
  storage: Storage,
  started?: Promise<ChangeStart>,
): BegunChange<Read> => {
  const { storageId, model } = storage;
  const scope: StorageScope = { client, tenant: team, storageId, model, storage, caller: context.caller };
  const begun = {
    scope,
    started: started ?? startChange(client, team, storageId, { hasNow: true }),
    reading: work.read(scope),
  };
  // Nobody waits for them when the lock is not had, or is one of another definition.
  for (const promise of [begun.started, begun.reading]) promise.catch(() => undefined);
  return begun;
};

/** A writer waits so long for those before it; an import may hold the storage longer. */
const lockTimeoutMs = 15_000;

const withAddresses = (reply: ByteReply, publicUrl: string): ByteReply =>
  reply.body instanceof Uint8Array
    ? { ...reply, body: Buffer.from(withPublicUrl(Buffer.from(reply.body).toString(), publicUrl)) }
    : reply;

/** Nobody would hear of what it did. */
const deadlineExceeded = fail(
  'SERVICE_UNAVAILABLE',
  'Other writes to this storage took too long; nothing was done. Try again.',
  {
    retryAfterSeconds: 1,
  },
);

const lockNotAvailable = '55P03';

const databaseFailure = (error: unknown): { readonly ok: false; readonly failure: Failure } => {
  const code = types.isNativeError(error) && 'code' in error ? error.code : undefined;
  if (code !== lockNotAvailable) throw error;
  return fail('SERVICE_UNAVAILABLE', 'Another write to this storage takes long, an import perhaps; try again.', {
    retryAfterSeconds: 5,
  });
};

type ChangeEvent = { readonly event: EventDeclaration; readonly data: EventDataOf<EventDeclaration> };

export const toChangeEvents = (
  { model, sequence }: Pick<ChangeContext, 'model' | 'sequence'>,
  entries: readonly ChangeEntry[],
): readonly ChangeEvent[] =>
  entries.flatMap(({ action, facet, elementId, versionId, detail }): readonly ChangeEvent[] => {
    const element = { collection: model.collection, storage: model.id, facet, elementId, sequence };
    const place = { ...element, ...(versionId && { versionId }) };
    switch (action) {
      case 'created':
      case 'updated':
      case 'versionCreated':
      case 'restored':
        return [{ event: elementChanged, data: { ...place, change: action } }];
      case 'transitioned': {
        const changed: ChangeEvent = { event: elementChanged, data: { ...place, change: action } };
        const { to, version, expiredVersionId } = detail;
        if (to !== 'released' || !versionId || detail['from'] === 'requestToExpire') return [changed];
        return [
          changed,
          { event: versionReleased, data: { ...place, version, ...(expiredVersionId ? { expiredVersionId } : {}) } },
        ];
      }
      case 'deleted':
        return [{ event: elementDeleted, data: place }];
      case 'purged':
      case 'imported':
        return [];
    }
  });
