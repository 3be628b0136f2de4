/** What requests for entries have in common: prepared statements -> the answer with its headers, whatever path led to them. */
import { type ByteReply, fillPath } from '@tessera/contracts';
import { odataPrefix } from '@tessera/contracts/knowledge-models';
import { fail, type Fault, type Result, succeed } from '@tessera/failures';
import type { CompiledQuery, DataQuery } from '@tessera/knowledge-model';
import type { OperationContext } from '@tessera/messaging';
import { waitForEventLoopTurn } from '@tessera/fair-queue';
import {
  type EntityType,
  type EntriesPageQuery,
  type EntryQuery,
  formatNextLink,
  type PayloadSerializer,
  createPayloadSerializer,
  type Representation,
  type Row,
  sealToken,
} from '@tessera/odata';
import type { PageEnd } from '../cache/result-cache.js';
import type { RowsQuestion } from '../evidence/asked-question.js';
import { presentRows, type RowsRecorder } from '../evidence/keep-evidence.js';
import { createRowsBody } from '../queries/present-page.js';
import { mapQueryErrors } from '../queries/query-failure.js';
import type { OpenedModel, PreparedQuery } from '../queries/query-preparer.js';
import type { QueryRunner } from '../queries/query-runner.js';
import type { RowFormat } from '../queries/row-format.js';
import { compileEntries } from './compile-entries.js';
import { type PreparedEntries, prepareLinkedEntries, readLinkedEntries, maxValuesPerExpansion } from './read-linked.js';

/** How entries are answered, wherever they are found. */
export type EntriesAnswerContext = {
  readonly opened: OpenedModel;
  readonly runner: QueryRunner;
  readonly representation: Representation;
  readonly areReferences?: boolean;
  readonly request: { readonly km_id: string; readonly $format?: string | undefined };
  readonly context: OperationContext;
  readonly tokenKey: Uint8Array;
  /** Absent where no evidence is kept. */
  readonly recorderOf?: GetRecorder;
};

/** Undefined when nobody wants evidence of the answer. */
export type GetRecorder = (
  prepared: Pick<PreparedQuery<Pick<CompiledQuery, 'columns' | 'tables'>>, 'compiled' | 'model'>,
  question: RowsQuestion,
) => RowsRecorder | undefined;

export const answerEntriesPage = async (
  answer: EntriesAnswerContext,
  question: EntriesPageQuery,
  nextLink: (end: Pick<PageEnd, 'hasMore' | 'last'>) => string | undefined,
): Promise<Result<ByteReply>> => {
  const { opened, runner, representation, context } = answer;
  if (question.linked.length > 0) return answerLinkedPage(answer, question, nextLink);
  const prepared = opened.prepare((compiler) => compileEntries(compiler, question, answeringOf(answer, false)));
  if (!prepared.ok) return prepared;
  const { keyset } = question.query;
  const offset = keyset?.after ? undefined : keyset?.skip;
  const { recorderOf } = answer;
  const options = { representation, offset, nextLink, signal: context.signal, ...(recorderOf && { recorderOf }) };
  return answerPage(runner, prepared.value, options);
};

/** `missing`: the answer when there is no row. */
export const answerEntry = async (
  answer: EntriesAnswerContext,
  question: EntryQuery,
  missing: () => Result<ByteReply>,
): Promise<Result<ByteReply>> => {
  const { opened, runner, representation, context } = answer;
  if (question.linked.length > 0) return answerLinkedEntry(answer, question, missing);
  const prepared = opened.prepare((compiler) => compileEntries(compiler, question, answeringOf(answer, true)));
  if (!prepared.ok) return prepared;
  const { compiled, prepareStatement } = prepared.value;
  const { serializer, format } = compiled;
  const rows = await runner.page(prepareStatement(compiled.rows), format, context.signal);
  if (rows.kind === 'rows' && rows.count === 0) return missing();
  return succeed({
    contentType: representation.contentType,
    headers: createODataHeaders(representation),
    body: createRowsBody(serializer.head(), rows, () => serializer.tail()),
  });
};

const answeringOf = ({ representation, areReferences, request, context }: EntriesAnswerContext, isOne: boolean) => ({
  root: odataRootUrlOf(context, request.km_id),
  ...{ representation, isOne, now: new Date() },
  ...(areReferences !== undefined && { areReferences }),
});

const answerLinkedPage = async (
  answer: EntriesAnswerContext,
  question: EntriesPageQuery,
  nextLink: (end: Pick<PageEnd, 'hasMore' | 'last'>) => string | undefined,
): Promise<Result<ByteReply>> => {
  const { runner, representation, context } = answer;
  const prepared = prepareLinkedJson(answer, question);
  if (!prepared.ok) return prepared;
  const { compiled, prepareStatement } = prepared.value.prepared;
  const found = await runner.texts(prepareStatement(compiled.rows), context.signal);
  const rows = found.slice(0, question.pageSize);
  const total = question.isCounted ? await runner.total(prepared.value.prepared, {}, context.signal) : undefined;
  const last = rows.at(-1);
  const end = {
    hasMore: found.length > rows.length,
    last: compiled.order.map(({ column }) => last?.[column] ?? null),
  };
  const serializer = await readSerializer(answer, prepared.value, rows, false);
  return succeed({
    contentType: representation.contentType,
    headers: createODataHeaders(representation, question.preferred),
    body: writeEntries(serializer, rows, [serializer.head(total), serializer.tail(nextLink(end))], context.caller.team),
  });
};

const answerLinkedEntry = async (
  answer: EntriesAnswerContext,
  question: EntryQuery,
  missing: () => Result<ByteReply>,
): Promise<Result<ByteReply>> => {
  const { runner, representation, context } = answer;
  const prepared = prepareLinkedJson(answer, question);
  if (!prepared.ok) return prepared;
  const { compiled, prepareStatement } = prepared.value.prepared;
  const rows = await runner.texts(prepareStatement(compiled.rows), context.signal);
  if (rows.length === 0) return missing();
  const serializer = await readSerializer(answer, prepared.value, rows, true);
  return succeed({
    contentType: representation.contentType,
    headers: createODataHeaders(representation),
    body: writeEntries(serializer, rows, [serializer.head(), serializer.tail()], context.caller.team),
  });
};

const prepareLinkedJson = (
  { opened, representation }: EntriesAnswerContext,
  question: EntryQuery,
): Result<PreparedEntries> => {
  if (representation.format.kind === 'json') return prepareLinkedEntries(opened, question, representation);
  const [{ navigation } = { navigation: { name: '' } }] = question.linked;
  const message = `What $expand=${navigation.name} shows is written in JSON alone; ask for application/json.`;
  return fail('ODATA_FORMAT_UNSUPPORTED', message);
};

const readSerializer = async (
  { runner, representation, request, context, tokenKey }: EntriesAnswerContext,
  prepared: PreparedEntries,
  rows: readonly Row[],
  isOne: boolean,
): Promise<PayloadSerializer> => {
  const root = odataRootUrlOf(context, request.km_id);
  const bindPath = (path: string) => tokenBindingOf(context, request.km_id, path);
  const valuesMax = maxValuesPerExpansion(prepared);
  const reading = { runner, valuesMax, root, $format: request.$format, bindPath, tokenKey, signal: context.signal };
  const shown = await readLinkedEntries(reading, prepared, rows);
  return createPayloadSerializer({ ...shown, root, representation, isOne }, new Date());
};

const pieceLength = 60_000;

/** In pieces, between which others have their turn. */
async function* writeEntries(
  { writer, separator }: PayloadSerializer,
  rows: readonly Row[],
  [head, tail]: readonly [string, string],
  team: string,
): AsyncIterableIterator<Uint8Array> {
  const write = writer();
  let text = head;
  for (const [index, row] of rows.entries()) {
    text += (index === 0 ? '' : separator) + write(row);
    if (text.length < pieceLength) continue;
    yield Buffer.from(text);
    text = '';
    await waitForEventLoopTurn(team);
  }
  yield Buffer.from(text + tail);
}

type AnsweredQuestion = {
  readonly query: Pick<DataQuery, 'pageSize'>;
  readonly isCounted: boolean;
  readonly preferred?: number;
};

type WrittenQuery = Pick<CompiledQuery, 'rows' | 'count' | 'columns' | 'tables'> & {
  readonly query: DataQuery;
  readonly serializer: PayloadSerializer;
  readonly format: RowFormat;
};

type PageOptions = {
  readonly representation: Representation;
  /** Rows before the page; not known when it begins behind a row. */
  readonly offset: number | undefined;
  readonly nextLink: (end: PageEnd) => string | undefined;
  readonly signal: AbortSignal;
  readonly recorderOf?: GetRecorder;
};

export const answerPage = async (
  runner: QueryRunner,
  prepared: PreparedQuery<WrittenQuery & { readonly question: AnsweredQuestion }>,
  { representation, offset, nextLink, signal, recorderOf }: PageOptions,
): Promise<Result<ByteReply>> => {
  const { compiled, prepareStatement } = prepared;
  const { question, query, serializer } = compiled;
  const { pageSize } = question.query;
  const recorder = recorderOf?.(prepared, { query, rowsMax: compiled.format.rowsMax });
  const format = recorder?.formatOf(compiled.format, false) ?? compiled.format;
  const { rows, total } = question.isCounted
    ? await runner.pageWithTotal(prepared, { offset, pageSize, format }, signal)
    : { rows: await runner.page(prepareStatement(compiled.rows), format, signal) };
  const reply = await presentRows(recorder, rows, (read) => ({
    contentType: representation.contentType,
    headers: createODataHeaders(representation, question.preferred),
    body: createRowsBody(serializer.head(total), read, (end) => serializer.tail(nextLink(end))),
  }));
  return succeed(reply);
};

/** What no option of OData says otherwise is checked by the names of the query parameters; paths of its faults name the options. */
export const mapODataQueryErrors = async <Value>(work: () => Promise<Result<Value>>): Promise<Result<Value>> => {
  const result = await mapQueryErrors(work);
  if (result.ok || !result.failure.faults) return result;
  return { ok: false, failure: { ...result.failure, faults: result.failure.faults.map(withOptionPath) } };
};

const withOptionPath = (fault: Fault): Fault => {
  if (fault.path === 'filters') return { ...fault, path: 'filterid' };
  return fault.path === 'key' ? { ...fault, in: 'path' } : fault;
};

type PagedQuestion = { readonly topLeft?: number; readonly tokenBinding: string };

/** There is none behind the last row, nor when the client has $top entries. `setName`: the path of the page. */
export const nextLinkForPage = (
  { hasMore, last }: Pick<PageEnd, 'hasMore' | 'last'>,
  { topLeft, tokenBinding }: PagedQuestion,
  request: Parameters<typeof formatNextLink>[1],
  address: Parameters<typeof formatNextLink>[0],
  key: Uint8Array,
): string | undefined => {
  if (!hasMore || topLeft === 0) return undefined;
  return formatNextLink(address, request, sealToken(key, tokenBinding, last), topLeft);
};

export const failEntryNotFound = ({ setName }: EntityType): Result<never> =>
  fail('GENERAL_NOTFOUND', `There is no entry with this key in ${setName}.`);

/** What tokens are bound to: the entry set of a model, or what is behind the key of an entry, by its decoded path. */
export const tokenBindingOf = ({ caller }: OperationContext, modelId: string, path?: string): string =>
  JSON.stringify([caller.team, modelId, ...(path === undefined ? [] : [path])]);

export const odataRootUrlOf = ({ publicUrl }: Pick<OperationContext, 'publicUrl'>, modelId: string): string =>
  `${publicUrl}${fillPath({ path: odataPrefix }, () => encodeURIComponent(modelId))}/`;

/** `preferred`: the page size that was heeded. */
export const createODataHeaders = (
  { version }: Representation,
  preferred?: number,
): Readonly<Record<string, string>> => ({
  'odata-version': version,
  ...(preferred !== undefined && { 'preference-applied': `odata.maxpagesize=${preferred}` }),
});
