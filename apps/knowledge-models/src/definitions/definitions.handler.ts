/**
 * The definitions of a team: apply, export, delete. Only for who may administer the team; for everybody else the team does
 * not exist.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Inject } from '@nestjs/common';
import { canAdminister, type ByteReply, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { applyModelDefinitions, deleteModel, exportModelDefinitions } from '@tessera/contracts/knowledge-models';
import { changeDefinitions, removeDefinition } from '@tessera/definitions';
import { fail, type Result } from '@tessera/failures';
import { createJsonReply, Serves, type OperationContext } from '@tessera/messaging';
import { runIdempotently, createIdempotentCall, mapDatabaseErrors } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { DataSource, type EntityManager } from 'typeorm';
import { EventPublishTrigger } from '@tessera/service-kit';
import { Pools } from '../database.module.js';
import { TableBusyError } from '../loads/fit-generation.js';
import { TableIndexes } from '../loads/table-indexes.js';
import { ExternalDatabases } from '../database/external-databases.js';
import { applyInTransaction } from './apply-definitions.js';
import type { ReadExternalSchema } from './check-tables.js';
import { readDefinitionsExport } from './definitions.repository.js';
import { modelDefinitionKind, type StoredModels } from './stored-definitions.js';

@Controller()
export class DefinitionsHandler {
  constructor(
    private readonly source: DataSource,
    private readonly pools: Pools,
    private readonly events: EventPublishTrigger,
    @Inject(ExternalDatabases) private readonly external: Pick<ExternalDatabases, 'namesFor' | 'readSchema'>,
    @Inject(TableIndexes) private readonly indexes: Pick<TableIndexes, 'ensure'>,
  ) {}

  @Serves(applyModelDefinitions)
  async apply(request: RequestOf<typeof applyModelDefinitions>, context: OperationContext): Promise<Result<ByteReply>> {
    const { team } = request;
    const applied: { isChanged?: boolean } = {};
    const answer = await whileTablesAreBusy((lockTimeoutMs) =>
      this.#apply(request, context, { lockTimeoutMs, applied }),
    );
    if (answer.ok && applied.isChanged === true && request.apply.mode === 'publish') this.indexes.ensure(team);
    return answer;
  }

  #apply(
    request: RequestOf<typeof applyModelDefinitions>,
    context: OperationContext,
    { lockTimeoutMs, applied }: { readonly lockTimeoutMs: number; readonly applied: { isChanged?: boolean } },
  ): Promise<Result<ByteReply>> {
    const { team } = request;
    const call = createIdempotentCall({ schema: 'knowledge_models', tenant: team }, applyModelDefinitions, request);
    const readExternal: ReadExternalSchema = (source) => this.external.readSchema(source, team);
    return this.#change(team, context, (writer) =>
      runIdempotently(writer.client, call, async () => {
        const databases = this.external.namesFor(team);
        const applying = { ...writer, pool: this.pools.light, databases, readExternal, lockTimeoutMs };
        const done = await applyInTransaction(applying, request.apply, request.ifMatch);
        if (!done.ok) return done;
        applied.isChanged = done.value.definitions.some(({ state }) => state !== 'unchanged');
        return createJsonReply(done.value);
      }),
    );
  }

  @Serves(deleteModel)
  delete(
    { team, modelId }: RequestOf<typeof deleteModel>,
    context: OperationContext,
  ): Promise<Result<ReplyOf<typeof deleteModel>>> {
    return this.#change(team, context, (writer) =>
      removeDefinition(modelDefinitionKind, writer, modelId, (stored) => refusalWhileExtended(modelId, stored)),
    );
  }

  @Serves(exportModelDefinitions)
  export({ team }: RequestOf<typeof exportModelDefinitions>, context: OperationContext): Promise<Result<ByteReply>> {
    if (!canAdminister(context.caller, team)) return Promise.resolve(notFound);
    const read = (manager: EntityManager) => readDefinitionsExport(manager, team);
    return mapDatabaseErrors(async () =>
      createJsonReply(await runInTenantEntityTransaction(this.source, team, read, { kind: 'snapshot' })),
    );
  }

  /** One transaction of the team that is administered, for those who may. */
  #change<T>(
    team: string,
    { caller, requestId }: OperationContext,
    work: Parameters<typeof changeDefinitions<T>>[1],
  ): Promise<Result<T>> {
    if (!canAdminister(caller, team)) return Promise.resolve(notFound);
    const { source, events } = this;
    const { subject } = caller;
    return changeDefinitions({ source, pool: this.pools.definitions, team, subject, requestId, events }, work);
  }
}

const notFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');

const lockTimeoutMinMs = 100;
/** Less than PostgreSQL waits before it looks for deadlocks, of which it would end the query of a caller. */
const lockTimeoutMaxMs = 800;
/** Longer than a query may take, shorter than the caller waits. */
const patienceMs = 15_000;

/** Tries again, each time in a transaction of its own, so that loads and publications of the team go on in between. */
const whileTablesAreBusy = async <T>(work: (lockTimeoutMs: number) => Promise<Result<T>>): Promise<Result<T>> => {
  const startedMs = performance.now();
  for (let lockTimeoutMs = lockTimeoutMinMs; ; lockTimeoutMs = Math.min(lockTimeoutMs * 2, lockTimeoutMaxMs)) {
    try {
      return await work(lockTimeoutMs);
    } catch (error) {
      if (!(error instanceof TableBusyError)) throw error;
      if (performance.now() - startedMs > patienceMs) return tableBusyFailure(error.table);
      await sleep(lockTimeoutMs);
    }
  }
};

const tableBusyFailure = (table: string): Result<never> =>
  fail(
    'GENERAL_CONFLICT',
    `Columns of ${table} could not be changed, since it is being loaded, indexed or read; nothing was changed. Apply again when that is over.`,
  );

/** A model that others extend stays. */
const refusalWhileExtended = (modelId: string, models: StoredModels): Result<never> | undefined => {
  const ids = [...models].flatMap(([id, { published, draft }]) =>
    [published, draft].some((stored) => stored?.definition?.extends === modelId) ? [id] : [],
  );
  return ids.length === 0
    ? undefined
    : fail(
        'GENERAL_CONFLICT',
        `The model is the base of ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', ...' : ''}; delete or change these first.`,
      );
};
