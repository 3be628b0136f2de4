/** The tool search-data: what a model, or a value in its tables, may be called by the words of a person. */
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { searchData, type SearchHit } from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { selectBestHits, createNameSearch } from '@tessera/knowledge-model';
import { createJsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { QueryPreparer } from '../queries/query-preparer.js';
import { ValueSearch } from './value-search.js';

/** For values; names are found in any case. */
const timeMs = 2_000;
/** What is left of the caller's time for the answer. */
const answeringMs = 1_000;

@Controller()
export class SearchDataHandler {
  constructor(
    private readonly models: QueryPreparer,
    private readonly values: ValueSearch,
  ) {}

  @Serves(searchData)
  search(
    { km_id, arguments: asked }: RequestOf<typeof searchData>,
    { caller, signal, deadlineMs }: OperationContext,
  ): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const model = await this.models.open(caller, km_id);
      if (!model.ok) return model;
      const endMs = deadlineMs - answeringMs;
      const leftMs = Math.max(0, Math.min(timeMs, endMs - Date.now()));
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(leftMs)]);
      const { search_terms, user_query } = asked;
      const { hits: values, complete } = await this.values.find(model.value, search_terms, inTime);
      const namesOf = createNameSearch(model.value.view, user_query);
      const found: [string, readonly SearchHit[]][] = [];
      let isLate = false;
      for (const term of search_terms) {
        // A term in a very large model takes a tenth of a second.
        isLate ||= Date.now() >= endMs;
        const names = isLate ? [] : namesOf(term);
        found.push([term, selectBestHits([...names, ...(values.get(term) ?? [])])]);
        await eventLoopTurn();
      }
      return createJsonReply({
        search_result: JSON.stringify(Object.fromEntries(found)),
        complete: complete && !isLate,
      });
    });
  }
}
