/** Only for callers who may administer the team; for everybody else the team does not exist. */
import { Controller } from '@nestjs/common';
import { mayAdminister, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { nameTools } from '@tessera/contracts/tool-gateway';
import { fail, type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { inTenant } from '@tessera/persistence/data-source';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { assetTables } from '../assets/asset-definitions.js';

/** What is read of a stored definition: what else it says, and whether that still parses, is seen when it is called. */
const NamedAsset = z.object({ id: z.string(), tools: z.array(z.object({ id: z.string() })) });

@Controller()
export class NameToolsHandler {
  constructor(private readonly source: DataSource) {}

  @Serves(nameTools)
  name(
    { team }: RequestOf<typeof nameTools>,
    { caller }: OperationContext,
  ): Promise<Result<ReplyOf<typeof nameTools>>> {
    if (!mayAdminister(caller, team)) return Promise.resolve(notFound);
    return mapDatabaseErrors(async () => {
      const stored = await inTenant(this.source, team, (manager) => assetTables.readExport(manager, team));
      return succeed({
        published: stored.flatMap(({ definition }) => namesOf(definition)),
        drafts: stored.flatMap(({ draft }) => namesOf(draft)),
      });
    });
  }
}

const namesOf = (definition: unknown): ReplyOf<typeof nameTools>['published'] => {
  const read = NamedAsset.safeParse(definition);
  return read.success ? [{ id: read.data.id, tools: read.data.tools.map(({ id }) => id) }] : [];
};

const notFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
