/**
 * What a team has, as its files say it: storages, definitions, elements. Only for who may administer the team; for
 * everybody else the team does not exist.
 */
import { Controller } from '@nestjs/common';
import { type ByteReply, canAdminister, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { exportStorageDefinition, exportElements, listStorages } from '@tessera/contracts/content-repo';
import { type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { runInTenantTransaction, mapDatabaseErrors } from '@tessera/persistence';
import type pg from 'pg';
import { Pools } from '../database.module.js';
import { contentNotFound } from '../replies.js';
import { streamExportLines, findStorageDefinition, listTeamStorages } from './export-storage.js';

@Controller()
export class ExportHandler {
  constructor(private readonly pools: Pools) {}

  @Serves(listStorages)
  list(
    { team }: RequestOf<typeof listStorages>,
    context: OperationContext,
  ): Promise<Result<ReplyOf<typeof listStorages>>> {
    return this.#asTeam(team, context, async (client) =>
      succeed({ storages: [...(await listTeamStorages(client, team))] }),
    );
  }

  @Serves(exportStorageDefinition)
  definition(
    { team, collection, storage }: RequestOf<typeof exportStorageDefinition>,
    context: OperationContext,
  ): Promise<Result<ReplyOf<typeof exportStorageDefinition>>> {
    return this.#asTeam(team, context, async (client) => {
      const found = await findStorageDefinition(client, team, collection, storage);
      return found ? succeed(found.definition) : contentNotFound;
    });
  }

  @Serves(exportElements)
  elements(
    { team, collection, storage }: RequestOf<typeof exportElements>,
    context: OperationContext,
  ): Promise<Result<ByteReply>> {
    return this.#asTeam(team, context, async (client) => {
      const found = await findStorageDefinition(client, team, collection, storage);
      if (!found) return contentNotFound;
      const body = streamExportLines(this.pools.writes, team, found, context.signal);
      return succeed({ contentType: 'application/x-ndjson', body });
    });
  }

  #asTeam<T>(
    team: string,
    { caller }: OperationContext,
    work: (client: pg.PoolClient) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    if (!canAdminister(caller, team)) return Promise.resolve(contentNotFound);
    return mapDatabaseErrors(() => runInTenantTransaction(this.pools.writes, team, work));
  }
}
