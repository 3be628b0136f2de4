/** The records, KPIs and filters of a model as its caller sees them. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { listFilters, listKpis, listRecords } from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import type { KnowledgeModel } from '@tessera/knowledge-model';
import { type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { CallerModels } from '../catalog/caller-models.js';
import { listPage } from './list-page.js';
import {
  filterMembers,
  kpiMembers,
  presentFilter,
  presentKpi,
  presentRecord,
  recordMembers,
} from './present-entries.js';

@Controller()
export class ListMembersHandler {
  constructor(private readonly models: CallerModels) {}

  @Serves(listRecords)
  listRecords(request: RequestOf<typeof listRecords>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#list(request, context, ({ records }) => listPage(records.map(presentRecord), recordMembers, request));
  }

  @Serves(listKpis)
  listKpis(request: RequestOf<typeof listKpis>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#list(request, context, ({ kpis }) => listPage(kpis.map(presentKpi), kpiMembers, request));
  }

  @Serves(listFilters)
  listFilters(request: RequestOf<typeof listFilters>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#list(request, context, ({ filters }) => listPage(filters.map(presentFilter), filterMembers, request));
  }

  #list(
    { km_id }: RequestOf<typeof listRecords>,
    { caller }: OperationContext,
    present: (model: KnowledgeModel) => Result<ByteReply>,
  ): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const found = await this.models.find(caller, km_id);
      return found.ok ? present(found.value.view.model) : found;
    });
  }
}
