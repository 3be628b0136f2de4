/** The published models of a team, and what one of them is called. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { listModels, readModel } from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { jsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { Catalogs } from '../catalog/catalogs.js';
import { findModel } from '../catalog/caller-models.js';
import { listPage } from './list-page.js';
import { modelMembers, presentModel, presentModelDetails } from './present-entries.js';

@Controller()
export class ListModelsHandler {
  constructor(private readonly catalogs: Catalogs) {}

  @Serves(listModels)
  list(request: RequestOf<typeof listModels>, { caller }: OperationContext): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const { models } = await this.catalogs.of(caller.team);
      await models.whole();
      return listPage([...models.values()].map(presentModel), modelMembers, request);
    });
  }

  @Serves(readModel)
  read({ km_id }: RequestOf<typeof readModel>, { caller }: OperationContext): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const found = findModel(await this.catalogs.of(caller.team), km_id);
      return found.ok ? jsonReply(presentModelDetails(found.value)) : found;
    });
  }
}
