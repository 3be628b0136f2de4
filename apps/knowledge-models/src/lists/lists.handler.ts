/** The published models of a team; the records, KPIs and filters of one as its caller sees them; one record with its fields. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import {
  listFilters,
  listKpis,
  listModels,
  listRecords,
  readModel,
  readRecord,
} from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { type CallerView, findRecord } from '@tessera/knowledge-model';
import { createJsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { CallerModels, findModel } from '../catalog/caller-models.js';
import { Catalogs } from '../catalog/catalogs.js';
import { createListPage, readListSort, sortEntries } from './list-page.js';
import {
  fieldMembers,
  filterMembers,
  kpiMembers,
  modelMembers,
  presentFields,
  presentFilter,
  presentKpi,
  presentModel,
  presentModelDetails,
  presentRecord,
  presentRelationships,
  recordMembers,
} from './present-entries.js';

type Reply = Promise<Result<ByteReply>>;

@Controller()
export class ListsHandler {
  constructor(
    private readonly catalogs: Catalogs,
    private readonly models: CallerModels,
  ) {}

  @Serves(listModels)
  listModels(request: RequestOf<typeof listModels>, { caller }: OperationContext): Reply {
    return mapDatabaseErrors(async () => {
      const { models } = await this.catalogs.of(caller.team);
      await models.whole();
      return createListPage([...models.values()].map(presentModel), modelMembers, request);
    });
  }

  @Serves(readModel)
  readModel({ km_id }: RequestOf<typeof readModel>, { caller }: OperationContext): Reply {
    return mapDatabaseErrors(async () => {
      const found = findModel(await this.catalogs.of(caller.team), km_id);
      return found.ok ? createJsonReply(presentModelDetails(found.value)) : found;
    });
  }

  @Serves(listRecords)
  listRecords(request: RequestOf<typeof listRecords>, context: OperationContext): Reply {
    return this.#list(request, context, ({ model: { records } }) =>
      createListPage(records.map(presentRecord), recordMembers, request),
    );
  }

  @Serves(listKpis)
  listKpis(request: RequestOf<typeof listKpis>, context: OperationContext): Reply {
    return this.#list(request, context, (view) => {
      const kpis = view.model.kpis.map((kpi) => presentKpi(view, kpi));
      return createListPage(kpis, kpiMembers, request);
    });
  }

  @Serves(listFilters)
  listFilters(request: RequestOf<typeof listFilters>, context: OperationContext): Reply {
    return this.#list(request, context, ({ model: { filters } }) =>
      createListPage(filters.map(presentFilter), filterMembers, request),
    );
  }

  /** A sort orders each list of fields. */
  @Serves(readRecord)
  readRecord(request: RequestOf<typeof readRecord>, { caller }: OperationContext): Reply {
    return mapDatabaseErrors(async () => {
      const found = await this.models.find(caller, request.km_id);
      if (!found.ok) return found;
      const { view } = found.value;
      const record = findRecord(view, request.record_id);
      if (!record.ok) return record;
      const order = readListSort(request.sort, fieldMembers);
      if (!order.ok) return order;
      const { fields, attributes, augmentedAttributes, flags } = presentFields(view, record.value);
      return createJsonReply({
        ...presentRecord(record.value),
        curated: record.value.curated,
        identifier: record.value.identifier,
        fields: sortEntries(fields, order.value),
        attributes: sortEntries(attributes, order.value),
        augmentedAttributes: sortEntries(augmentedAttributes, order.value),
        flags: sortEntries(flags, order.value),
        relationships: presentRelationships(view, record.value.id),
      });
    });
  }

  #list(
    { km_id }: RequestOf<typeof listRecords>,
    { caller }: OperationContext,
    present: (view: CallerView) => Result<ByteReply>,
  ): Reply {
    return mapDatabaseErrors(async () => {
      const found = await this.models.find(caller, km_id);
      return found.ok ? present(found.value.view) : found;
    });
  }
}
