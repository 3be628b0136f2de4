/** Only for callers who may administer the team; for everybody else the team does not exist. */
import { Controller } from '@nestjs/common';
import { canAdminister, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { listToolNames } from '@tessera/contracts/tool-gateway';
import { fail, type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { assetTables } from '../assets/asset-definitions.js';

/** What is read of a stored definition: what else it says, and whether that still parses, is seen when it is called. */
const NamedAsset = z.object({ id: z.string(), tools: z.array(z.object({ id: z.string() })) });

@Controller()
export class ListToolNamesHandler {
  constructor(private readonly source: DataSource) {}

  @Serves(listToolNames)
  name(
    { team }: RequestOf<typeof listToolNames>,
    { caller }: OperationContext,
  ): Promise<Result<ReplyOf<typeof listToolNames>>> {
    if (!canAdminister(caller, team)) return Promise.resolve(assetNotFound);
    return mapDatabaseErrors(async () => {
      const stored = await runInTenantEntityTransaction(this.source, team, (manager) =>
        assetTables.readExport(manager, team),
      );
      return succeed({
        published: stored.flatMap(({ definition }) => namesOf(definition)),
        drafts: stored.flatMap(({ draft }) => namesOf(draft)),
      });
    });
  }
}

const namesOf = (definition: unknown): ReplyOf<typeof listToolNames>['published'] => {
  const read = NamedAsset.safeParse(definition);
  return read.success ? [{ id: read.data.id, tools: read.data.tools.map(({ id }) => id) }] : [];
};

const assetNotFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
