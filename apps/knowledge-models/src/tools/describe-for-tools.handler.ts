/** What tools are made of: a model as their caller sees it, and which models a team has. */
import { Controller, Inject } from '@nestjs/common';
import { canAdminister, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { describeModelForTools, listModelNames } from '@tessera/contracts/knowledge-models';
import { fail, succeed, type Result } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { CallerModels } from '../catalog/caller-models.js';
import { readModelNames } from '../catalog/catalog.repository.js';
import { Pools } from '../database.module.js';
import { describeModel } from './tool-model.js';

@Controller()
export class DescribeForToolsHandler {
  constructor(
    private readonly models: CallerModels,
    @Inject(Pools) private readonly pools: Pick<Pools, 'light'>,
  ) {}

  @Serves(describeModelForTools)
  describe(
    { km_id, known }: RequestOf<typeof describeModelForTools>,
    { caller }: OperationContext,
  ): Promise<Result<ReplyOf<typeof describeModelForTools>>> {
    return mapDatabaseErrors(async () => {
      const found = await this.models.find(caller, km_id);
      if (!found.ok) return found;
      const { key, model } = describeModel(caller.team, found.value);
      return succeed({ key, ...(key !== known && { model }) });
    });
  }

  /** For everybody who may not administer it, the team does not exist. */
  @Serves(listModelNames)
  name(
    { team }: RequestOf<typeof listModelNames>,
    { caller }: OperationContext,
  ): Promise<Result<ReplyOf<typeof listModelNames>>> {
    if (!canAdminister(caller, team)) return Promise.resolve(notFound);
    return mapDatabaseErrors(async () => succeed(await readModelNames(this.pools.light, team)));
  }
}

const notFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
