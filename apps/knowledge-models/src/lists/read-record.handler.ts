/** A record with the fields that its caller sees; a sort orders each list of fields. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { readRecord } from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { findRecord } from '@tessera/knowledge-model';
import { jsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { CallerModels } from '../catalog/caller-models.js';
import { readListSort, sortEntries } from './list-sort.js';
import { fieldMembers, presentFields, presentRecord } from './present-entries.js';

@Controller()
export class ReadRecordHandler {
  constructor(private readonly models: CallerModels) {}

  @Serves(readRecord)
  read(request: RequestOf<typeof readRecord>, { caller }: OperationContext): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const found = await this.models.find(caller, request.km_id);
      if (!found.ok) return found;
      const { view } = found.value;
      const record = findRecord(view, request.record_id);
      if (!record.ok) return record;
      const order = readListSort(request.sort, fieldMembers);
      if (!order.ok) return order;
      const { attributes, augmentedAttributes, flags } = presentFields(view, record.value);
      return jsonReply({
        ...presentRecord(record.value),
        curated: record.value.curated,
        identifier: record.value.identifier,
        attributes: sortEntries(attributes, order.value),
        augmentedAttributes: sortEntries(augmentedAttributes, order.value),
        flags: sortEntries(flags, order.value),
      });
    });
  }
}
