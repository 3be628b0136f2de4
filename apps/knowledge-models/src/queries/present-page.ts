/** A page as bytes: what stands around its rows. Members in the order in which the specification names them. */
import type { ByteReply } from '@tessera/contracts';
import type { CompiledQuery, DataQuery, ResultColumn } from '@tessera/knowledge-model';
import { jsonContentType } from '@tessera/messaging';
import type { PageEnd, SerializedRows } from '../cache/result-cache.js';
import { csvContentType } from './csv-format.js';
import type { RowStream } from './row-stream.js';

/** `data`: headers and rows; `query`: rows alone. */
export type PageAnswerKind = 'data' | 'query';

type AnsweredPage = {
  readonly shape: PageAnswerKind;
  readonly query: Pick<DataQuery, 'page' | 'pageSize'>;
  readonly compiled: Pick<CompiledQuery, 'columns' | 'sort'>;
  /** Digits; absent when nobody asked for it. */
  readonly total?: string;
  readonly rows: SerializedRows | RowStream;
};

export const presentPage = (answered: AnsweredPage): ByteReply => {
  const [head, tail] = pageEnvelope(answered);
  return createRowsReply(head, answered.rows, tail);
};

const unsafeInFileName = /[^\w.-]/g;

export const presentCsv = (name: string, body: ByteReply['body']): ByteReply => ({
  contentType: csvContentType,
  headers: { 'content-disposition': `attachment; filename="${name.replaceAll(unsafeInFileName, '_')}.csv"` },
  body,
});

/** Rows between what stands before and behind them. */
export const createRowsReply = (before: string, rows: SerializedRows | RowStream, after: string): ByteReply => ({
  contentType: jsonContentType,
  body: createRowsBody(before, rows, () => after),
});

/** The text behind the rows may depend on how they end. */
export const createRowsBody = (
  before: string,
  rows: SerializedRows | RowStream,
  after: (end: PageEnd) => string,
): ByteReply['body'] => {
  const head = Buffer.from(before);
  return rows.kind === 'rows'
    ? Buffer.concat([head, rows.bytes, Buffer.from(after(rows))])
    : wrapStream(head, rows.pieces, () => Buffer.from(after(rows.end())));
};

export const presentHeaders = (columns: readonly ResultColumn[]) =>
  columns.map(({ id, name, type, grain, format, unit, aggregation, filterable, sortable }) => ({
    id,
    name,
    type,
    ...(grain !== undefined && { grain }),
    ...(format !== undefined && { format }),
    ...(unit !== undefined && { unit }),
    aggregation,
    filterable,
    sortable,
  }));

const pageEnvelope = ({ shape, query, compiled, total }: AnsweredPage): readonly [string, string] => {
  const { page, pageSize } = query;
  const sort = JSON.stringify(compiled.sort);
  const counted = total === undefined ? '' : `"total":${total},`;
  const begin = `{"page":${page},"pageSize":${pageSize},${counted}"sort":${sort},"content":`;
  return shape === 'query'
    ? [`${begin}[`, ']}']
    : [`${begin}{"headers":${JSON.stringify(presentHeaders(compiled.columns))},"data":[`, ']}}'];
};

/** Also closes what it encloses when nobody has begun to read. */
export const wrapStream = (
  head: Uint8Array,
  pieces: AsyncIterableIterator<Uint8Array>,
  tail: () => Uint8Array,
): AsyncIterableIterator<Uint8Array> => {
  let before: Uint8Array | undefined = head;
  let after: typeof tail | undefined = tail;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: async () => {
      if (before) {
        const value = before;
        before = undefined;
        return { done: false, value };
      }
      const step = await pieces.next();
      if (!step.done || !after) return step;
      const value = after();
      after = undefined;
      return { done: false, value };
    },
    return: async () => {
      after = undefined;
      await pieces.return?.();
      return { done: true, value: undefined };
    },
  };
};
