/**
 * Rows of a record as OData entries: a page of them with its count and the link to the next, one by its key, how many there are.
 * Never tells an entry that a policy hides from one that is not there.
 */
import { Controller } from '@nestjs/common';
import { type ByteReply, type RequestOf, fillPath } from '@tessera/contracts';
import { countODataEntries, readODataEntries, readODataEntry, odataPrefix } from '@tessera/contracts/knowledge-models';
import { fail, succeed, type Fault, type Result } from '@tessera/failures';
import type { CallerView } from '@tessera/knowledge-model';
import { Serves, type OperationContext } from '@tessera/messaging';
import {
  chooseRepresentation,
  buildCountQuery,
  buildEntriesQuery,
  buildEntryQuery,
  buildGroupCountQuery,
  buildGroupsQuery,
  findEntityType,
  isGrouping,
  nextLinkOf,
  sealToken,
  type EntriesQuery,
  type EntityModel,
  type EntityType,
  type Representation,
} from '@tessera/odata';
import type { PageEnd } from '../cache/result-cache.js';
import { QueryPreparer, type PreparedQuery } from '../queries/query-preparer.js';
import { QueryRunner } from '../queries/query-runner.js';
import { bodyOf } from '../queries/present-page.js';
import { mapQueryErrors } from '../queries/query-failure.js';
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
      const { compiled, prepareStatement } = prepared.value;
      const { question, payload, format } = compiled;
      const { pageSize, keyset } = question.query;
      const offset = keyset?.after ? undefined : keyset?.skip;
      const { rows, total } = question.isCounted
        ? await this.runner.pageWithTotal(prepared.value, { offset, pageSize, format }, signal)
        : { rows: await this.runner.page(prepareStatement(compiled.rows), format, signal) };
      const nextLink = (end: PageEnd) => nextLinkBehind(end, question, request, odataRoot(context, request.km_id), key);
      return succeed({
        contentType: chosen.value.contentType,
        headers: odataHeaders(chosen.value, question.preferred),
        body: bodyOf(payload.head(total), rows, (end) => payload.tail(nextLink(end))),
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
      const { compiled, prepareStatement } = prepared.value;
      const { question, payload, format } = compiled;
      const rows = await this.runner.page(prepareStatement(compiled.rows), format, context.signal);
      if (rows.kind === 'rows' && rows.count === 0) return noSuchEntry(question.type);
      return succeed({
        contentType: chosen.value.contentType,
        headers: odataHeaders(chosen.value),
        body: bodyOf(payload.head(), rows, () => payload.tail()),
      });
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
      const { compiled, prepareStatement } = prepared.value;
      const { question, payload, format } = compiled;
      const { rows, total } = question.isCounted
        ? await this.runner.pageWithTotal(
            prepared.value,
            { offset: question.skip, pageSize: question.query.pageSize, format },
            signal,
          )
        : { rows: await this.runner.page(prepareStatement(compiled.rows), format, signal) };
      const link = ({ hasMore, count }: PageEnd) =>
        nextLinkBehind({ hasMore, last: [String(question.skip + count)] }, question, request, root, key);
      return succeed({
        contentType: chosen.value.contentType,
        headers: odataHeaders(chosen.value, question.preferred),
        body: bodyOf(payload.head(total), rows, (end) => payload.tail(link(end))),
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

/** What no option of OData says otherwise is checked by the names of the query parameters; paths of its faults name the options. */
const mapErrors = async <Value>(work: () => Promise<Result<Value>>): Promise<Result<Value>> => {
  const result = await mapQueryErrors(work);
  if (result.ok || !result.failure.faults) return result;
  return { ok: false, failure: { ...result.failure, faults: result.failure.faults.map(withOptionPath) } };
};

const withOptionPath = (fault: Fault): Fault => {
  if (fault.path === 'filters') return { ...fault, path: 'filterid' };
  return fault.path === 'key' ? { ...fault, in: 'path' } : fault;
};

const withEntityType = <Value>(
  view: CallerView,
  name: string,
  work: (type: EntityType, model: EntityModel) => Result<Value>,
): Result<Value> => {
  const model = viewEntities(view);
  const type = findEntityType(model, name);
  return type.ok ? work(type.value, model) : type;
};

/** There is none behind the last row, nor when the client has $top entries. */
const nextLinkBehind = (
  { hasMore, last }: Pick<PageEnd, 'hasMore' | 'last'>,
  { type, topLeft, tokenBinding }: Pick<EntriesQuery, 'type' | 'topLeft' | 'tokenBinding'>,
  request: RequestOf<typeof readODataEntries>,
  root: string,
  key: Uint8Array,
): string | undefined => {
  if (!hasMore || topLeft === 0) return undefined;
  return nextLinkOf({ root, setName: type.setName }, request, sealToken(key, tokenBinding, last), topLeft);
};

const noSuchEntry = ({ setName }: EntityType): Result<never> =>
  fail('GENERAL_NOTFOUND', `There is no entry with this key in ${setName}.`);

export const odataRoot = ({ publicUrl }: Pick<OperationContext, 'publicUrl'>, modelId: string): string =>
  `${publicUrl}${fillPath({ path: odataPrefix }, () => encodeURIComponent(modelId))}/`;

/** `preferred`: the page size that was heeded. */
export const odataHeaders = ({ version }: Representation, preferred?: number): Readonly<Record<string, string>> => ({
  'odata-version': version,
  ...(preferred !== undefined && { 'preference-applied': `odata.maxpagesize=${preferred}` }),
});
