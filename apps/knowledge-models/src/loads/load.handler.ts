/**
 * Loads into a table of a team: begin, stage, commit, read, cancel. Only who may administer the team; for everybody else the
 * team does not exist.
 */
import { Controller } from '@nestjs/common';
import { canAdminister, type ByteReply, type Operation, type ReplyOf, type RequestOf } from '@tessera/contracts';
import {
  beginLoad,
  cancelLoad,
  commitLoad,
  readLoad,
  stageRows,
  type LoadFault,
  type LoadStatus,
} from '@tessera/contracts/knowledge-models';
import { waitForReplicas } from '@tessera/definitions';
import { fail, succeed, type Result, findNearestName, type Fault } from '@tessera/failures';
import { createJsonReply, type OperationContext, Serves } from '@tessera/messaging';
import {
  runIdempotently,
  findStoredAnswer,
  createIdempotentCall,
  mapDatabaseErrors,
  type PoolClient,
} from '@tessera/persistence';
import { TableLoad } from '@tessera/persistence/knowledge-models';
import { attemptInTenantEntityTransaction, runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { DataSource, type EntityManager } from 'typeorm';
import { Pools } from '../database.module.js';
import { parseLoadOptions } from './load-options.js';
import { describeShrinking, rejectLoadAndDropRows } from './commit-generation.js';
import { createTableGeneration, stagingTableFor } from './generation.js';
import { deleteLoad } from './old-loads.js';
import { toStagedColumns } from './load-columns.js';
import { LoadJobs } from './load-jobs.js';
import {
  countBatches,
  findLoad,
  findTable,
  insertLoad,
  isTableBusy,
  ensureTeamSchema,
  whereLoad,
  readTableNames,
  type LoadKey,
  findMissingOrdinals,
  type TableKey,
} from './load.repository.js';
import { checkBatch, copyBatch, toCopyFault } from './stage-batch.js';

/** A little less than the caller's own patience. */
const patienceMs = 25_000;

/** Of the steps; what takes long is done by the job of a commit. */
const statementTimeoutMs = 9_000;

@Controller()
export class LoadHandler {
  constructor(
    private readonly source: DataSource,
    private readonly pools: Pools,
    private readonly jobs: LoadJobs,
  ) {}

  @Serves(beginLoad)
  begin(request: RequestOf<typeof beginLoad>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#once(beginLoad, request, context, async (manager, client) => {
      const table = await findTable(manager, request);
      if (!table) return tableNotFound(request, await readTableNames(manager, request.team));
      const options = parseLoadOptions(request.begin, table.definition);
      if (!options.ok) return options;
      const place = await ensureTeamSchema(client, request);
      const loadId = await insertLoad(manager, request, options.value, context.caller.subject);
      await createTableGeneration(
        client,
        stagingTableFor(place, { ...request, loadId }),
        toStagedColumns(options.value),
      );
      return createJsonReply({ loadId, state: 'loading', rows: 0 });
    });
  }

  @Serves(stageRows)
  async stage(request: RequestOf<typeof stageRows>, context: OperationContext): Promise<Result<ByteReply>> {
    const refused: { faults?: readonly LoadFault[] } = {};
    const staged = await this.#once(stageRows, request, context, async (manager, client) => {
      const load = await findLoad(manager, request, 'share');
      if (!load) return loadNotFound;
      if (load.state === 'refused') return rowsRefused(load.faults ?? []);
      if (load.state !== 'loading') return fail('GENERAL_CONFLICT', 'The load is committed already, or at it.');
      const { options } = load;
      const checked = checkBatch(request.batch, options);
      if (checked.faults) return rowsRefused((refused.faults = checked.faults));
      const staging = stagingTableFor(await ensureTeamSchema(client, request), request);
      try {
        const { ordinal } = request.batch;
        return createJsonReply({
          rows: await copyBatch(manager, client, request, { ordinal, checked, options, staging }),
        });
      } catch (error) {
        const fault = toCopyFault(error, request.batch, options);
        if (!fault) throw error;
        return rowsRefused((refused.faults = [fault]));
      }
    });
    const { faults } = refused;
    if (faults) return mapDatabaseErrors(() => this.#refuse(request, faults));
    return staged;
  }

  /** In a transaction of its own: that of the batch is rolled back. It waits for batches that are on their way. */
  async #refuse(key: LoadKey, faults: readonly LoadFault[]): Promise<Result<never>> {
    const work = async (manager: EntityManager, client: PoolClient): Promise<void> => {
      const load = await findLoad(manager, key, 'update');
      if (load?.state !== 'loading') return;
      await rejectLoadAndDropRows(manager, client, key, await ensureTeamSchema(client, key), faults);
    };
    await runInTenantEntityTransaction(this.source, key.team, work, { pool: this.pools.loads, statementTimeoutMs });
    return rowsRefused(faults);
  }

  @Serves(commitLoad)
  async commit(request: RequestOf<typeof commitLoad>, context: OperationContext): Promise<Result<ByteReply>> {
    const call = callOf(commitLoad, request);
    const ordered = await this.#asTeam(request.team, context, async (manager, client) => {
      const kept = call ? await findStoredAnswer(client, call) : succeed(undefined);
      if (!kept.ok) return kept;
      return kept.value ? succeed('committed' as const) : startCommit(manager, client, request, request.commit);
    });
    if (!ordered.ok) return ordered;
    return mapDatabaseErrors(async () => {
      if (ordered.value === 'committing') await this.jobs.run(request, requestedBy(context), patienceMs);
      const outcome = await this.#outcome(request, context);
      await waitForReplicas();
      return outcome;
    });
  }

  /** That a commit goes on is news of one and no answer, so it is not kept. */
  #outcome(request: RequestOf<typeof commitLoad>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#asTeam(request.team, context, async (manager, client) => {
      const status = await statusOf(manager, client, request);
      if (status.ok && status.value.state === 'committing') return createJsonReply(status.value);
      return runIdempotently(client, callOf(commitLoad, request), () => {
        if (!status.ok) return Promise.resolve(status);
        const { state, faults = [] } = status.value;
        return Promise.resolve(state === 'refused' ? rowsRefused(faults) : createJsonReply(status.value));
      });
    });
  }

  @Serves(readLoad)
  async read(key: RequestOf<typeof readLoad>, context: OperationContext): Promise<Result<ReplyOf<typeof readLoad>>> {
    const status = await this.#asTeam(key.team, context, (manager, client) => statusOf(manager, client, key));
    // Its replica may be gone; who asks for the load makes it go on. What goes wrong is logged.
    if (status.ok && status.value.state === 'committing')
      void this.jobs.run(key, requestedBy(context), 0).catch(() => undefined);
    if (status.ok && status.value.state === 'committed') await waitForReplicas();
    return status;
  }

  @Serves(cancelLoad)
  cancel(key: RequestOf<typeof cancelLoad>, context: OperationContext): Promise<Result<ReplyOf<typeof cancelLoad>>> {
    return this.#asTeam(key.team, context, async (manager, client) => {
      const load = await findLoad(manager, key, 'update');
      if (!load) return loadNotFound;
      if (load.state === 'committed') return fail('GENERAL_CONFLICT', 'The load is committed already.');
      if (load.state === 'committing' && (this.jobs.isRunning(key) || (await isTableBusy(client, key))))
        return fail('GENERAL_CONFLICT', 'The load is being committed; read it to see how that ends.');
      await deleteLoad(manager, client, key);
      return succeed({ loadId: key.loadId });
    });
  }

  /** One transaction of the team that is administered, for those who may. */
  #asTeam<T>(
    team: string,
    { caller }: OperationContext,
    work: (manager: EntityManager, client: PoolClient) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    if (!canAdminister(caller, team)) return Promise.resolve(teamNotFound);
    return mapDatabaseErrors(() =>
      attemptInTenantEntityTransaction(this.source, team, work, { pool: this.pools.loads, statementTimeoutMs }),
    );
  }

  /** The same, at most once under the Idempotency-Key of the request. */
  #once(
    operation: Operation,
    request: IdempotentRequest,
    context: OperationContext,
    work: (manager: EntityManager, client: PoolClient) => Promise<Result<ByteReply>>,
  ): Promise<Result<ByteReply>> {
    return this.#asTeam(request.team, context, (manager, client) =>
      runIdempotently(client, callOf(operation, request), () => work(manager, client)),
    );
  }
}

type IdempotentRequest = { readonly team: string; readonly idempotencyKey?: string | undefined };

const callOf = (operation: Operation, request: IdempotentRequest) =>
  createIdempotentCall({ schema: 'knowledge_models', tenant: request.team }, operation, request);

const requestedBy = ({ caller, requestId }: OperationContext) => ({ subject: caller.subject, requestId });

const statusOf = async (manager: EntityManager, client: PoolClient, key: LoadKey): Promise<Result<LoadStatus>> => {
  const load = await findLoad(manager, key);
  if (!load) return loadNotFound;
  const rows = load.rowCount ?? (await countBatches(client, key)).rows;
  const { state, dataVersion, faults, orphans } = load;
  return succeed({
    loadId: key.loadId,
    state,
    rows,
    ...(dataVersion !== null && { dataVersion }),
    ...(faults && { faults }),
    ...(orphans && { orphans }),
  });
};

const listedMax = 10;

/** From here on no batch is added. Answers the state of the load afterwards; it may have been committed before. */
const startCommit = async (
  manager: EntityManager,
  client: PoolClient,
  key: LoadKey,
  { batches, allowShrink, rowsMin = allowShrink ? 0 : undefined }: RequestOf<typeof commitLoad>['commit'],
): Promise<Result<LoadStatus['state']>> => {
  const load = await findLoad(manager, key, 'update');
  if (!load) return loadNotFound;
  if (load.state === 'refused') return rowsRefused(load.faults ?? []);
  if (load.state !== 'loading') return succeed(load.state);
  const staged = await countBatches(client, key);
  if (staged.ordinalMax >= batches)
    return fail(
      'GENERAL_CONFLICT',
      `The load has a batch ${staged.ordinalMax}, which is more than ${batches} batches.`,
    );
  if (staged.count < batches) {
    const missing = await findMissingOrdinals(client, key, { batches, atMost: listedMax });
    const more = batches - staged.count > missing.length ? ', …' : '';
    return fail('GENERAL_CONFLICT', `Batches are missing: ${missing.join(', ')}${more}; send them and commit again.`);
  }
  const table = await findTable(manager, key);
  if (!table) return tableNotFound(key, await readTableNames(manager, key.team));
  const isWhole = load.options.mode === 'replace';
  const tooFew = isWhole ? describeShrinking(table.rows, staged.rows, rowsMin) : undefined;
  if (tooFew !== undefined) return tooFewRows(tooFew);
  const options = { ...load.options, rowsMin };
  await manager.update(TableLoad, whereLoad(key), { state: 'committing', rowCount: String(staged.rows), options });
  return succeed('committing');
};

const loadNotFound = fail('GENERAL_NOTFOUND', 'There is no such load; it may be older than 24 hours.');

/** The same for a team that is not there and for one that the caller may not administer. */
const teamNotFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');

const tableNotFound = ({ schema, table }: TableKey, known: readonly string[]): Result<never> => {
  const name = `${schema}.${table}`;
  const nearest = findNearestName(name, known);
  const hint = nearest === undefined ? 'apply its definition first' : `did you mean "${nearest}"?`;
  return fail('GENERAL_NOTFOUND', `There is no table "${name}"; ${hint}`);
};

const tooFewRows = (message: string): Result<never> => fail('LOAD_TOO_FEW_ROWS', `Nothing was changed: ${message}.`);

/** Where a fault is: `<line>.<column>` as far as they are known. */
const rowsRefused = (faults: readonly LoadFault[]): Result<never> => {
  const tooFew = faults.find(({ rule }) => rule === 'LOAD_TOO_FEW_ROWS');
  if (tooFew) return tooFewRows(tooFew.message);
  return fail('GENERAL_CONSTRAINT_VIOLATION', 'The rows do not fit the table; nothing of the load is kept.', {
    faults: faults.map(({ line, column, message }): Fault => ({
      in: 'rows',
      path: [line, column].filter((part) => part !== undefined).join('.'),
      message,
    })),
  });
};
