/**
 * The definitions of a team: apply, export, delete. Only for who may administer the team; for everybody else the team does
 * not exist.
 */
import { Controller, Inject } from '@nestjs/common';
import { mayAdminister, type ByteReply, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { applyDefinitions, deleteModel, exportDefinitions } from '@tessera/contracts/knowledge-models';
import { removeDefinition } from '@tessera/definitions';
import { fail, type Result } from '@tessera/failures';
import { jsonReply, Serves, type OperationContext } from '@tessera/messaging';
import { answerOnce, idempotentCallOf, mapDatabaseErrors, type Writer } from '@tessera/persistence';
import { attemptInTenant, inTenant } from '@tessera/persistence/data-source';
import { DataSource, type EntityManager } from 'typeorm';
import { EventPublishing } from '@tessera/service-kit';
import { Pools } from '../database.module.js';
import { TableIndexes } from '../loads/table-indexes.js';
import { ExternalDatabases } from '../database/external-databases.js';
import { applyInTransaction } from './apply-definitions.js';
import { readExport } from './definitions.repository.js';
import { modelKind, type StoredModels } from './stored-definitions.js';

@Controller()
export class DefinitionsHandler {
  constructor(
    private readonly source: DataSource,
    private readonly pools: Pools,
    private readonly events: EventPublishing,
    @Inject(ExternalDatabases) private readonly external: Pick<ExternalDatabases, 'namesFor'>,
    @Inject(TableIndexes) private readonly indexes: Pick<TableIndexes, 'ensure'>,
  ) {}

  @Serves(applyDefinitions)
  async apply(request: RequestOf<typeof applyDefinitions>, context: OperationContext): Promise<Result<ByteReply>> {
    const { team } = request;
    const call = idempotentCallOf({ schema: 'knowledge_models', tenant: team }, applyDefinitions, request);
    let isChanged = false;
    const answer = await this.#change(team, context, (writer) =>
      answerOnce(writer.client, call, async () => {
        const applying = { ...writer, pool: this.pools.light, databases: this.external.namesFor(team) };
        const applied = await applyInTransaction(applying, request.apply);
        if (!applied.ok) return applied;
        isChanged = applied.value.definitions.some(({ state }) => state !== 'unchanged');
        return jsonReply(applied.value);
      }),
    );
    if (answer.ok && isChanged && request.apply.mode === 'publish') this.indexes.ensure(team);
    return answer;
  }

  @Serves(deleteModel)
  delete(
    { team, modelId }: RequestOf<typeof deleteModel>,
    context: OperationContext,
  ): Promise<Result<ReplyOf<typeof deleteModel>>> {
    return this.#change(team, context, (writer) =>
      removeDefinition(modelKind, writer, modelId, (stored) => refusalWhileExtended(modelId, stored)),
    );
  }

  @Serves(exportDefinitions)
  export({ team }: RequestOf<typeof exportDefinitions>, context: OperationContext): Promise<Result<ByteReply>> {
    if (!mayAdminister(context.caller, team)) return Promise.resolve(notFound);
    const read = (manager: EntityManager) => readExport(manager, team);
    return mapDatabaseErrors(async () => jsonReply(await inTenant(this.source, team, read, { kind: 'snapshot' })));
  }

  /** One transaction of the team that is administered, for those who may; its events leave after it. */
  async #change<T>(
    team: string,
    { caller, requestId }: OperationContext,
    work: (writer: Writer & { readonly requestId: string }) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    if (!mayAdminister(caller, team)) return notFound;
    const { subject } = caller;
    const done = await mapDatabaseErrors(() =>
      attemptInTenant(this.source, team, (manager, client) => work({ manager, client, team, subject, requestId }), {
        pool: this.pools.definitions,
      }),
    );
    if (done.ok) this.events.wake();
    return done;
  }
}

const notFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');

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
