/**
 * Imports into a storage: begin, stage, commit, read, cancel. Only who may administer the team; for everybody else the
 * team does not exist.
 */
import { Controller } from '@nestjs/common';
import { checkDefinition } from '@tessera/content-model';
import { type ByteReply, canAdminister, type Operation, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { beginImport, cancelImport, commitImport, readImport, stageElements } from '@tessera/contracts/content-repo';
import { fail, type Fault, type Result, succeed } from '@tessera/failures';
import { createJsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { runIdempotently, createIdempotentCall, mapDatabaseErrors } from '@tessera/persistence';
import { attemptInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { DataSource } from 'typeorm';
import { Pools } from '../database.module.js';
import { contentNotFound } from '../replies.js';
import { ImportCommits } from './import-commits.js';
import {
  countStagedElements,
  deleteImport,
  findImport,
  type ImportKey,
  type ImportTransaction,
  insertImport,
  isImportBeingCommitted,
} from './imports.repository.js';
import { stageBatch } from './stage-elements.js';

@Controller()
export class ImportHandler {
  constructor(
    private readonly pools: Pools,
    private readonly source: DataSource,
    private readonly jobs: ImportCommits,
  ) {}

  @Serves(beginImport)
  begin(request: RequestOf<typeof beginImport>, context: OperationContext): Promise<Result<ByteReply>> {
    const { begin, ...names } = request;
    return this.#once(beginImport, request, context, async ({ client }) => {
      const faults = [...nameFaults(request), ...checkDefinition(begin.definition)];
      if (faults.length > 0)
        return fail('GENERAL_CONSTRAINT_VIOLATION', 'The definition of the storage has faults.', { faults });
      return createJsonReply({ importId: await insertImport(client, names, begin.definition, context.caller.subject) });
    });
  }

  @Serves(stageElements)
  stage(request: RequestOf<typeof stageElements>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#once(stageElements, request, context, async (transaction) => {
      const staged = await stageBatch(transaction, request, request.batch);
      return staged.ok ? createJsonReply(staged.value) : staged;
    });
  }

  @Serves(commitImport)
  commit(request: RequestOf<typeof commitImport>, { caller, requestId }: OperationContext): Promise<Result<ByteReply>> {
    if (!canAdminister(caller, request.team)) return Promise.resolve(contentNotFound);
    const by = { subject: caller.subject, requestId };
    const { overwrite } = request.commit ?? {};
    return mapDatabaseErrors(() => this.jobs.commit(request, by, { call: callOf(commitImport, request), overwrite }));
  }

  @Serves(readImport)
  read(key: RequestOf<typeof readImport>, context: OperationContext): Promise<Result<ReplyOf<typeof readImport>>> {
    return this.#asTeam(key.team, context, async ({ manager, client }) => {
      const row = await findImport(manager, key);
      if (!row) return contentNotFound;
      if (row.outcome) return succeed({ importId: key.importId, ...row.outcome });
      const state = this.jobs.isRunning(key) || (await isImportBeingCommitted(client, key)) ? 'committing' : 'staged';
      return succeed({ importId: key.importId, state, staged: await countStagedElements(manager, key) });
    });
  }

  @Serves(cancelImport)
  cancel(
    key: RequestOf<typeof cancelImport>,
    context: OperationContext,
  ): Promise<Result<ReplyOf<typeof cancelImport>>> {
    return this.#asTeam<ReplyOf<typeof cancelImport>>(key.team, context, async ({ manager, client }) => {
      // The lock first: what is read behind it is no outcome that comes a moment later.
      const isAtWork = this.jobs.isRunning(key) || (await isImportBeingCommitted(client, key));
      const row = await findImport(manager, key);
      if (!row) return contentNotFound;
      if (row.outcome?.state === 'committed') return succeed({ cancelled: false });
      if (isAtWork) return fail('CONTENT_CONFLICT', 'The import is being committed; read it to see how that ends.');
      await deleteImport(manager, key);
      return succeed({ cancelled: true });
    });
  }

  /** One transaction of the team that is administered, for those who may. */
  #asTeam<T>(
    team: string,
    { caller }: OperationContext,
    work: (transaction: ImportTransaction) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    if (!canAdminister(caller, team)) return Promise.resolve(contentNotFound);
    const { writes: pool } = this.pools;
    return mapDatabaseErrors(() =>
      attemptInTenantEntityTransaction(this.source, team, (manager, client) => work({ manager, client }), { pool }),
    );
  }

  /** The same, at most once under the Idempotency-Key of the request. */
  #once(
    operation: Operation,
    request: IdempotentRequest,
    context: OperationContext,
    work: (transaction: ImportTransaction) => Promise<Result<ByteReply>>,
  ): Promise<Result<ByteReply>> {
    return this.#asTeam(request.team, context, (transaction) =>
      runIdempotently(transaction.client, callOf(operation, request), () => work(transaction)),
    );
  }
}

type IdempotentRequest = { readonly team: string; readonly idempotencyKey?: string | undefined };

const callOf = (operation: Operation, request: IdempotentRequest) =>
  createIdempotentCall({ schema: 'content_repo', tenant: request.team }, operation, request);

/** The address and the definition have to name the same storage. */
const nameFaults = ({
  collection,
  storage,
  begin,
}: Pick<ImportKey, 'collection' | 'storage'> & RequestOf<typeof beginImport>): readonly Fault[] => {
  const { definition } = begin;
  const fault = (path: string, expected: string): Fault => ({
    in: 'definition',
    path,
    message: `expected "${expected}"`,
    rule: 'const',
  });
  return [
    ...(definition.collection === collection ? [] : [fault('collection', collection)]),
    ...(definition.id === storage ? [] : [fault('id', storage)]),
  ];
};
