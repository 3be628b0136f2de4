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
  hasGrouping,
  type EntityModel,
  type EntityType,
} from '@tessera/odata';
import { EvidenceKeeper } from '../evidence/keep-evidence.js';
import { type OpenedModel, QueryPreparer } from '../queries/query-preparer.js';
import { QueryRunner } from '../queries/query-runner.js';
import {
  answerEntriesPage,
  answerEntry,
  answerPage,
  mapODataQueryErrors,
  nextLinkForPage,
  failEntryNotFound,
  createODataHeaders,
  type GetRecorder,
  odataRootUrlOf,
  tokenBindingOf,
} from './answer-entries.js';
import { compileGroups } from './compile-groups.js';
import { TokenKeyRepository } from './token-key.repository.js';
import { entityModelForView } from './view-entities.js';

type Answer = Promise<Result<ByteReply>>;
type EntrySetAddress = { readonly km_id: string; readonly record_id: string };

@Controller()
export class ODataEntriesHandler {
  constructor(
    private readonly models: QueryPreparer,
    private readonly runner: QueryRunner,
    private readonly tokenKey: TokenKeyRepository,
    private readonly evidence: EvidenceKeeper,
  ) {}

  @Serves(readODataEntries)
  page(request: RequestOf<typeof readODataEntries>, context: OperationContext): Answer {
    if (hasGrouping(request.$apply)) return this.#groups(request, context);
    return mapODataQueryErrors(async () => {
      const chosen = chooseRepresentation('entries', request);
      if (!chosen.ok) return chosen;
      const tokenKey = await this.tokenKey.read();
      const seal = { key: tokenKey, binding: tokenBindingOf(context, request.km_id) };
      return this.#open(request, context, async (opened, type, model) => {
        const question = buildEntriesQuery(type, model, request, seal);
        if (!question.ok) return question;
        const answer = {
          ...{ opened, runner: this.runner, representation: chosen.value, request, context, tokenKey },
          recorderOf: this.#recorderOf(request.prefer, context),
        };
        const address = { root: odataRootUrlOf(context, request.km_id), setName: type.setName };
        return answerEntriesPage(answer, question.value, (end) =>
          nextLinkForPage(end, question.value, request, address, tokenKey),
        );
      });
    });
  }

  @Serves(readODataEntry)
  entry(request: RequestOf<typeof readODataEntry>, context: OperationContext): Answer {
    return mapODataQueryErrors(async () => {
      const chosen = chooseRepresentation('entry', request);
      if (!chosen.ok) return chosen;
      const tokenKey = await this.tokenKey.read();
      return this.#open(request, context, async (opened, type, model) => {
        const question = buildEntryQuery(type, model, request);
        if (!question.ok) return question;
        const answer = { opened, runner: this.runner, representation: chosen.value, request, context, tokenKey };
        return answerEntry(answer, question.value, () => failEntryNotFound(type));
      });
    });
  }

  @Serves(countODataEntries)
  count(request: RequestOf<typeof countODataEntries>, { caller, signal }: OperationContext): Answer {
    return mapODataQueryErrors(async () => {
      const chosen = chooseRepresentation('count', request);
      if (!chosen.ok) return chosen;
      const prepared = await this.models.prepare(caller, request.km_id, ({ view, compile }) =>
        withEntityType(view, request.record_id, (type, model) => {
          const question = hasGrouping(request.$apply)
            ? buildGroupCountQuery(type, model, request)
            : buildCountQuery(type, model, request);
          return question.ok ? compile(question.value) : question;
        }),
      );
      if (!prepared.ok) return prepared;
      const total = await this.runner.total(prepared.value, {}, signal);
      const { contentType } = chosen.value;
      return succeed({ contentType, headers: createODataHeaders(chosen.value), body: Buffer.from(total) });
    });
  }

  /** Of `$apply`. */
  #groups(request: RequestOf<typeof readODataEntries>, context: OperationContext): Answer {
    return mapODataQueryErrors(async () => {
      const chosen = chooseRepresentation('groups', request);
      if (!chosen.ok) return chosen;
      const { caller, signal } = context;
      const root = odataRootUrlOf(context, request.km_id);
      const key = await this.tokenKey.read();
      const seal = { key, binding: tokenBindingOf(context, request.km_id) };
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
          nextLinkForPage({ hasMore, last: [String(question.skip + count)] }, question, request, address, key),
        signal,
        recorderOf: this.#recorderOf(request.prefer, context),
      });
    });
  }

  #recorderOf(prefer: string | undefined, context: OperationContext): GetRecorder {
    return (prepared, question) => this.evidence.ofRows(prefer, context, 'entries', prepared, question);
  }

  async #open(
    { km_id, record_id }: EntrySetAddress,
    { caller }: OperationContext,
    answer: (opened: OpenedModel, type: EntityType, model: EntityModel) => Answer,
  ): Answer {
    const opened = await this.models.open(caller, km_id);
    if (!opened.ok) return opened;
    const model = entityModelForView(opened.value.view);
    const type = findEntityType(model, record_id);
    return type.ok ? answer(opened.value, type.value, model) : type;
  }
}

const withEntityType = <Value>(
  view: CallerView,
  name: string,
  work: (type: EntityType, model: EntityModel) => Result<Value>,
): Result<Value> => {
  const model = entityModelForView(view);
  const type = findEntityType(model, name);
  return type.ok ? work(type.value, model) : type;
};
