/**
 * Rows of a record as OData entries: a page of them with its count and the link to the next, one by its key, how many there are.
 * Never tells an entry that a policy hides from one that is not there.
 */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { countODataEntries, readODataEntries, readODataEntry } from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import type { CallerView } from '@tessera/knowledge-model';
import { Serves, type OperationContext } from '@tessera/messaging';
import {
  buildCountQuery,
  buildEntriesQuery,
  buildEntryQuery,
  buildGroupCountQuery,
  buildGroupsQuery,
  chooseRepresentation,
  findEntityType,
  isGrouping,
  type EntityModel,
  type EntityType,
} from '@tessera/odata';
import { QueryPreparer, type PreparedQuery } from '../queries/query-preparer.js';
import { QueryRunner } from '../queries/query-runner.js';
import {
  answerEntry,
  answerPage,
  mapErrors,
  nextLinkBehind,
  noSuchEntry,
  odataHeaders,
  odataRoot,
} from './answer-entries.js';
import { compileEntries, type AnswerOptions, type CompiledEntries, type EntriesOrEntry } from './compile-entries.js';
import { compileGroups } from './compile-groups.js';
import { TokenKey } from './token-key.repository.js';
import { viewEntities } from './view-entities.js';

type Answer = Promise<Result<ByteReply>>;
type EntrySetAddress = { readonly km_id: string; readonly record_id: string };

@Controller()
export class ODataEntriesHandler {
  constructor(
    private readonly models: QueryPreparer,
    private readonly runner: QueryRunner,
    private readonly tokenKey: TokenKey,
  ) {}

  @Serves(readODataEntries)
  page(request: RequestOf<typeof readODataEntries>, context: OperationContext): Answer {
    if (isGrouping(request.$apply)) return this.#groups(request, context);
    return mapErrors(async () => {
      const chosen = chooseRepresentation('entries', request);
      if (!chosen.ok) return chosen;
      const { caller, signal } = context;
      const key = await this.tokenKey.read();
      const seal = { key, binding: JSON.stringify([caller.team, request.km_id]) };
      const how = { representation: chosen.value, isOne: false };
      const prepared = await this.#prepare(request, context, how, (type, model) =>
        buildEntriesQuery(type, model, request, seal),
      );
      if (!prepared.ok) return prepared;
      const { question } = prepared.value.compiled;
      const { keyset } = question.query;
      const address = { root: odataRoot(context, request.km_id), setName: question.type.setName };
      return answerPage(this.runner, prepared.value, {
        representation: chosen.value,
        offset: keyset?.after ? undefined : keyset?.skip,
        nextLink: (end) => nextLinkBehind(end, question, request, address, key),
        signal,
      });
    });
  }

  @Serves(readODataEntry)
  entry(request: RequestOf<typeof readODataEntry>, context: OperationContext): Answer {
    return mapErrors(async () => {
      const chosen = chooseRepresentation('entry', request);
      if (!chosen.ok) return chosen;
      const how = { representation: chosen.value, isOne: true };
      const prepared = await this.#prepare(request, context, how, (type, model) =>
        buildEntryQuery(type, model, request),
      );
      if (!prepared.ok) return prepared;
      const missing = () => noSuchEntry(prepared.value.compiled.question.type);
      return answerEntry(this.runner, prepared.value, chosen.value, missing, context.signal);
    });
  }

  @Serves(countODataEntries)
  count(request: RequestOf<typeof countODataEntries>, { caller, signal }: OperationContext): Answer {
    return mapErrors(async () => {
      const chosen = chooseRepresentation('count', request);
      if (!chosen.ok) return chosen;
      const prepared = await this.models.prepare(caller, request.km_id, ({ view, compile }) =>
        withEntityType(view, request.record_id, (type, model) => {
          const question = isGrouping(request.$apply)
            ? buildGroupCountQuery(type, model, request)
            : buildCountQuery(type, model, request);
          return question.ok ? compile(question.value) : question;
        }),
      );
      if (!prepared.ok) return prepared;
      const total = await this.runner.total(prepared.value, {}, signal);
      const { contentType } = chosen.value;
      return succeed({ contentType, headers: odataHeaders(chosen.value), body: Buffer.from(total) });
    });
  }

  /** Of `$apply`. */
  #groups(request: RequestOf<typeof readODataEntries>, context: OperationContext): Answer {
    return mapErrors(async () => {
      const chosen = chooseRepresentation('groups', request);
      if (!chosen.ok) return chosen;
      const { caller, signal } = context;
      const root = odataRoot(context, request.km_id);
      const key = await this.tokenKey.read();
      const seal = { key, binding: JSON.stringify([caller.team, request.km_id]) };
      const prepared = await this.models.prepare(caller, request.km_id, ({ view, compile }) =>
        withEntityType(view, request.record_id, (type, model) => {
          const question = buildGroupsQuery(type, model, request, seal);
          return question.ok
            ? compileGroups(compile, question.value, { root, representation: chosen.value })
            : question;
        }),
      );
      if (!prepared.ok) return prepared;
      const { question } = prepared.value.compiled;
      const address = { root, setName: question.type.setName };
      return answerPage(this.runner, prepared.value, {
        representation: chosen.value,
        offset: question.skip,
        nextLink: ({ hasMore, count }) =>
          nextLinkBehind({ hasMore, last: [String(question.skip + count)] }, question, request, address, key),
        signal,
      });
    });
  }

  #prepare<Question extends EntriesOrEntry>(
    { km_id, record_id }: EntrySetAddress,
    context: OperationContext,
    how: Pick<AnswerOptions, 'representation' | 'isOne'>,
    understand: (type: EntityType, model: EntityModel) => Result<Question>,
  ): Promise<Result<PreparedQuery<CompiledEntries<Question>>>> {
    const answering = { ...how, root: odataRoot(context, km_id), now: new Date() };
    return this.models.prepare(context.caller, km_id, ({ view, compile }) =>
      withEntityType(view, record_id, (type, model) => {
        const question = understand(type, model);
        return question.ok ? compileEntries({ compile, model }, question.value, answering) : question;
      }),
    );
  }
}

const withEntityType = <Value>(
  view: CallerView,
  name: string,
  work: (type: EntityType, model: EntityModel) => Result<Value>,
): Result<Value> => {
  const model = viewEntities(view);
  const type = findEntityType(model, name);
  return type.ok ? work(type.value, model) : type;
};
