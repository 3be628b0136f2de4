/** What requests for entries have in common: prepared statements -> the answer with its headers, whatever path led to them. */
import { type ByteReply, fillPath } from '@tessera/contracts';
import { odataPrefix } from '@tessera/contracts/knowledge-models';
import { fail, type Fault, type Result, succeed } from '@tessera/failures';
import type { CompiledQuery, DataQuery } from '@tessera/knowledge-model';
import type { OperationContext } from '@tessera/messaging';
import { type EntityType, nextLinkOf, type Payload, type Representation, sealToken } from '@tessera/odata';
import type { PageEnd } from '../cache/result-cache.js';
import { bodyOf } from '../queries/present-page.js';
import { mapQueryErrors } from '../queries/query-failure.js';
import type { PreparedQuery } from '../queries/query-preparer.js';
import type { QueryRunner } from '../queries/query-runner.js';
import type { RowFormat } from '../queries/row-format.js';

type AnsweredQuestion = {
  readonly query: Pick<DataQuery, 'pageSize'>;
  readonly isCounted: boolean;
  readonly preferred?: number;
};

type WrittenQuery = Pick<CompiledQuery, 'rows' | 'count' | 'columns'> & {
  readonly payload: Payload;
  readonly format: RowFormat;
};

type PageOptions = {
  readonly representation: Representation;
  /** Rows before the page; not known when it begins behind a row. */
  readonly offset: number | undefined;
  readonly nextLink: (end: PageEnd) => string | undefined;
  readonly signal: AbortSignal;
};

export const answerPage = async (
  runner: QueryRunner,
  prepared: PreparedQuery<WrittenQuery & { readonly question: AnsweredQuestion }>,
  { representation, offset, nextLink, signal }: PageOptions,
): Promise<Result<ByteReply>> => {
  const { compiled, prepareStatement } = prepared;
  const { question, payload, format } = compiled;
  const { pageSize } = question.query;
  const { rows, total } = question.isCounted
    ? await runner.pageWithTotal(prepared, { offset, pageSize, format }, signal)
    : { rows: await runner.page(prepareStatement(compiled.rows), format, signal) };
  return succeed({
    contentType: representation.contentType,
    headers: odataHeaders(representation, question.preferred),
    body: bodyOf(payload.head(total), rows, (end) => payload.tail(nextLink(end))),
  });
};

/** `missing`: the answer when there is no row. */
export const answerEntry = async (
  runner: QueryRunner,
  { compiled, prepareStatement }: PreparedQuery<WrittenQuery>,
  representation: Representation,
  missing: () => Result<ByteReply>,
  signal: AbortSignal,
): Promise<Result<ByteReply>> => {
  const { payload, format } = compiled;
  const rows = await runner.page(prepareStatement(compiled.rows), format, signal);
  if (rows.kind === 'rows' && rows.count === 0) return missing();
  return succeed({
    contentType: representation.contentType,
    headers: odataHeaders(representation),
    body: bodyOf(payload.head(), rows, () => payload.tail()),
  });
};

/** What no option of OData says otherwise is checked by the names of the query parameters; paths of its faults name the options. */
export const mapErrors = async <Value>(work: () => Promise<Result<Value>>): Promise<Result<Value>> => {
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
export const nextLinkBehind = (
  { hasMore, last }: Pick<PageEnd, 'hasMore' | 'last'>,
  { topLeft, tokenBinding }: PagedQuestion,
  request: Parameters<typeof nextLinkOf>[1],
  address: Parameters<typeof nextLinkOf>[0],
  key: Uint8Array,
): string | undefined => {
  if (!hasMore || topLeft === 0) return undefined;
  return nextLinkOf(address, request, sealToken(key, tokenBinding, last), topLeft);
};

export const noSuchEntry = ({ setName }: EntityType): Result<never> =>
  fail('GENERAL_NOTFOUND', `There is no entry with this key in ${setName}.`);

export const odataRoot = ({ publicUrl }: Pick<OperationContext, 'publicUrl'>, modelId: string): string =>
  `${publicUrl}${fillPath({ path: odataPrefix }, () => encodeURIComponent(modelId))}/`;

/** `preferred`: the page size that was heeded. */
export const odataHeaders = ({ version }: Representation, preferred?: number): Readonly<Record<string, string>> => ({
  'odata-version': version,
  ...(preferred !== undefined && { 'preference-applied': `odata.maxpagesize=${preferred}` }),
});
