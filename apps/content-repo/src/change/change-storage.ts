/**
 * One change of a storage: a transaction that waits for the writers before it, decides on what is stored then, writes,
 * and records who did what, its events and its answer, all or nothing.
 */
import { types } from 'node:util';
import { Injectable } from '@nestjs/common';
import { withPublicUrl } from '@tessera/content-model';
import type { ByteReply, Caller, DataOf, EventDeclaration, Operation } from '@tessera/contracts';
import { elementChanged, elementDeleted, versionReleased } from '@tessera/contracts/content-repo';
import { fail, type Failure, type Result, succeed } from '@tessera/failures';
import { KeyedQueue } from '@tessera/fair-queue';
import { jsonType, type OperationContext } from '@tessera/messaging';
import {
  answerOnce,
  idempotentCallOf,
  openTenantTransaction,
  mapDatabaseErrors,
  ReaderGone,
  writeEvents,
} from '@tessera/persistence';
import { EventPublishing } from '@tessera/service-kit';
import type pg from 'pg';
import { Pools } from '../database.module.js';
import { contentNotFound } from '../replies.js';
import { hasNul, type Storage, StorageDefinitions } from '../storage/storage-definitions.js';
import {
  type ChangeEntry,
  type ChangeScope,
  type ChangeStart,
  lockStorageRow,
  recordChange,
  startChange,
  type StorageNames,
} from './change.repository.js';

export type Change = ChangeScope &
  ChangeStart & {
    readonly storage: Storage;
    readonly caller: Caller;
  };

/** What a work has done, and the JSON that answers it, with the placeholder of the public URL. */
export type ChangeResult = {
  readonly entries: readonly ChangeEntry[];
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

type ChangeRequest = StorageNames & { readonly idempotencyKey?: string | undefined };
export type Work = (change: Change) => Promise<Result<ChangeResult>>;

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
    private readonly events: EventPublishing,
  ) {
    const { max } = pools.changes.options;
    this.#queue = new KeyedQueue({ limit: Number.POSITIVE_INFINITY, limitPerKey: Math.ceil(max / 2) });
  }

  /** Runs `work` as the caller's team, or as `team` for who administers it. What it answers as a failure changes nothing. */
  run(
    operation: Operation,
    request: ChangeRequest,
    context: OperationContext,
    work: Work,
    team = context.caller.team,
  ): Promise<Result<ByteReply>> {
    const call: Call = { operation, request, context, work, team };
    return mapDatabaseErrors(async () => {
      if (hasNul(request.collectionId) || hasNul(request.storageId)) return contentNotFound;
      const storage = [team, request.collectionId, request.storageId].join('\0');
      const endTurn = await this.#queue.acquire(storage, { signal: context.signal }).catch(() => undefined);
      if (!endTurn) return deadlineExceeded;
      try {
        return await this.#run(call);
      } catch (error) {
        if (error instanceof ReaderGone) return deadlineExceeded;
        throw error;
      } finally {
        endTurn();
      }
    });
  }

  async #run(call: Call): Promise<Result<ByteReply>> {
    const { operation, request, context, team } = call;
    const transaction = await openTenantTransaction(this.pools.changes, team, {
      lockTimeoutMs,
      signal: context.signal,
    });
    let answer: Result<ByteReply>;
    try {
      const once = idempotentCallOf({ schema: 'content_repo', tenant: team }, operation, request);
      answer = await answerOnce(transaction.client, once, () => this.#change(transaction.client, call));
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

  async #change(client: pg.PoolClient, call: Call): Promise<Result<ByteReply>> {
    const storage = await this.#lock(client, call.team, call.request);
    if (!storage.ok) return storage;
    if (call.context.signal.aborted) return deadlineExceeded;
    const { storageId, model } = storage.value;
    const start = await startChange(client, call.team, storageId, { hasNow: true });
    const { caller } = call.context;
    const change = { client, tenant: call.team, storageId, model, storage: storage.value, caller, ...start };
    const done = await call.work(change);
    if (!done.ok) return done;
    const { entries, body, headers } = done.value;
    await this.#record(change, call, entries);
    return succeed({ contentType: jsonType, ...(headers && { headers }), body: Buffer.from(body) });
  }

  async #lock(client: pg.PoolClient, team: string, names: StorageNames): Promise<Result<Storage>> {
    const known = this.definitions.lastRead(team, names);
    const locked = await lockStorageRow(client, team, names, known?.revision);
    if (!locked) return contentNotFound;
    if (known?.revision === locked.revision && known.storageId === locked.storageId) return succeed(known);
    const text = locked.definition ?? (await lockStorageRow(client, team, names, undefined))?.definition;
    if (!text) return contentNotFound;
    return succeed(this.definitions.keep(team, names, { ...locked, definition: text }));
  }

  async #record(change: Change, { operation, context }: Call, entries: readonly ChangeEntry[]): Promise<void> {
    const { sequence, changedAt } = change;
    const { subject } = context.caller;
    const by = { subject, requestId: context.requestId };
    if (entries.length === 0) return;
    const events = eventsOf(change, entries).map((event) => ({ ...event, ...by }));
    await Promise.all([
      recordChange(change, { sequence, changedAt, operation: operation.name, ...by, entries }),
      writeEvents(change.client, change.tenant, events),
    ]);
  }
}

type Call = {
  readonly operation: Operation;
  readonly request: ChangeRequest;
  readonly context: OperationContext;
  readonly work: Work;
  readonly team: string;
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

type ChangeEvent = { readonly event: EventDeclaration; readonly data: DataOf<EventDeclaration> };

export const eventsOf = (
  { model, sequence }: Pick<Change, 'model' | 'sequence'>,
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
