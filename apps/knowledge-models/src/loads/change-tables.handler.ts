/** Brings back the generation before of a table, and deletes tables. Only for who may administer the team; for everybody else it does not exist. */
import { Controller, Inject } from '@nestjs/common';
import { canAdminister, type ByteReply, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { deleteTable, tableDeleted, undoLoad } from '@tessera/contracts/knowledge-models';
import { readDefinitions, waitForReplicas } from '@tessera/definitions';
import { fail, succeed, type Result } from '@tessera/failures';
import { createJsonReply, Serves, type OperationContext } from '@tessera/messaging';
import {
  createIdempotentCall,
  mapDatabaseErrors,
  runIdempotently,
  runInTenantTransactionOn,
  writeEvents,
} from '@tessera/persistence';
import { TableLoad, TeamTable } from '@tessera/persistence/knowledge-models';
import { EventPublishTrigger } from '@tessera/service-kit';
import { versionedModelDefinitions } from '../definitions/definitions.repository.js';
import { modelDefinitionKind } from '../definitions/stored-definitions.js';
import { dropLoadedRows, swapPatiently } from './commit-generation.js';
import { dropTableGeneration } from './generation.js';
import { dropAllKept, undoLoadIn, type TableChange } from './kept-generations.js';
import { ensureTeamSchema, findTable, whereTable, type TableKey } from './load.repository.js';
import { TableIndexes } from './table-indexes.js';
import { TableLocks } from './table-locks.js';
import { findTableReaders } from './table-readers.js';

/** A little less than the caller's own patience; a load may hold the table for longer. */
const patienceMs = 20_000;

@Controller()
export class ChangeTablesHandler {
  constructor(
    private readonly locks: TableLocks,
    private readonly events: EventPublishTrigger,
    @Inject(TableIndexes) private readonly indexes: Pick<TableIndexes, 'ensure'>,
  ) {}

  @Serves(undoLoad)
  async undo(request: RequestOf<typeof undoLoad>, context: OperationContext): Promise<Result<ByteReply>> {
    const { team, schema, table } = request;
    const call = createIdempotentCall({ schema: 'knowledge_models', tenant: team }, undoLoad, request);
    const undone = await this.#change({ team, schema, table }, context, (change) =>
      runIdempotently(change.client, call, async () => {
        const answer = await undoLoadIn(change);
        return answer.ok ? createJsonReply(answer.value) : answer;
      }),
    );
    if (undone.ok) this.indexes.ensure(team);
    return undone;
  }

  @Serves(deleteTable)
  delete(key: RequestOf<typeof deleteTable>, context: OperationContext): Promise<Result<ReplyOf<typeof deleteTable>>> {
    return this.#change(key, context, deleteTableIn);
  }

  /** One transaction of the team with the lock of the table. Waits for those who read it. */
  async #change<T>(
    key: TableKey,
    { caller, requestId }: OperationContext,
    work: (change: TableChange) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    if (!canAdminister(caller, key.team)) return notFound;
    const by = { subject: caller.subject, requestId };
    const changed = await mapDatabaseErrors(
      async () =>
        (await this.locks.hold(
          key,
          async (manager, client) => {
            const place = await runInTenantTransactionOn(client, key.team, async () =>
              (await findTable(manager, key)) ? ensureTeamSchema(client, key) : undefined,
            );
            const change = { manager, client, key, place, by };
            return place
              ? swapPatiently(client, key, place, () => work(change))
              : runInTenantTransactionOn(client, key.team, () => work(change));
          },
          AbortSignal.timeout(patienceMs),
        )) ?? busy,
    );
    if (!changed.ok) return changed;
    this.events.wake();
    await waitForReplicas();
    return changed;
  }
}

/** With everything that was loaded into it. Refused while a model reads it. */
const deleteTableIn = async ({
  manager,
  client,
  key,
  place,
  by,
}: TableChange): Promise<Result<{ deleted: string }>> => {
  if (!place) return notFound;
  const { team, schema, table } = key;
  await versionedModelDefinitions.lockTeam(client, team);
  const readers = findTableReaders(await readDefinitions(modelDefinitionKind, { manager, team }), key);
  if (readers.length > 0) return isRead(key, readers);
  await versionedModelDefinitions.raiseRevision(client, team);
  for (const { loadId } of await manager.findBy(TableLoad, whereTable(key)))
    await dropLoadedRows(client, { ...key, loadId }, place);
  await manager.delete(TableLoad, whereTable(key));
  await dropAllKept(manager, client, key, place);
  await dropTableGeneration(client, { ...place, name: table });
  await manager.delete(TeamTable, whereTable(key));
  await writeEvents(client, team, [{ event: tableDeleted, ...by, data: { schema, table } }]);
  return succeed({ deleted: `${schema}.${table}` });
};

const namedMax = 10;

const isRead = ({ schema, table }: TableKey, readers: readonly string[]): Result<never> => {
  const named = [...readers.slice(0, namedMax), ...(readers.length > namedMax ? ['...'] : [])].join(', ');
  return fail('GENERAL_CONFLICT', `The table ${schema}.${table} is read by ${named}; delete or change these first.`, {
    faults: readers
      .slice(0, namedMax)
      .map((id) => ({ in: 'models', path: id, message: 'reads the table', rule: 'reads' })),
  });
};

const notFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
const busy = fail('GENERAL_CONFLICT', 'A load is being put in place in this table; try again when it has ended.');
