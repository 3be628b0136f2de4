/**
 * What a team has, as its files say it: storages, definitions, elements. Only for who may administer the team; for
 * everybody else the team does not exist. Refuses: to write.
 */
import { Controller, Inject } from '@nestjs/common';
import { mayAdminister, type ByteReply, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { exportDefinition, exportElements, listStorages } from '@tessera/contracts/content-repo';
import { succeed, type Result } from '@tessera/failures';
import { Serves, type OperationContext } from '@tessera/messaging';
import { inTenantTransaction } from '@tessera/persistence';
import type pg from 'pg';
import { orOutage } from '../database/outage.js';
import { poolsToken, type Pools } from '../database/pools.js';
import { contentNotFound } from '../not-found.js';
import { exportLines, findStorageDefinition, listTeamStorages } from './export-storage.js';

@Controller()
export class ExportHandler {
  constructor(@Inject(poolsToken) private readonly pools: Pools) {}

  @Serves(listStorages)
  list(
    { team }: RequestOf<typeof listStorages>,
    context: OperationContext,
  ): Promise<Result<ReplyOf<typeof listStorages>>> {
    return this.#asTeam(team, context, async (client) =>
      succeed({ storages: [...(await listTeamStorages(client, team))] }),
    );
  }

  @Serves(exportDefinition)
  definition(
    { team, collection, storage }: RequestOf<typeof exportDefinition>,
    context: OperationContext,
  ): Promise<Result<ReplyOf<typeof exportDefinition>>> {
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
      const body = exportLines(this.pools.writes, team, found, context.signal);
      return succeed({ contentType: 'application/x-ndjson', body });
    });
  }

  #asTeam<T>(
    team: string,
    { caller }: OperationContext,
    work: (client: pg.PoolClient) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    if (!mayAdminister(caller, team)) return Promise.resolve(contentNotFound);
    return orOutage(() => inTenantTransaction(this.pools.writes, team, work));
  }
}
