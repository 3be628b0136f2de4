/**
 * Rows over all records of a model, or of one record: with headers (`data`) or without (`query`), described by parameters or by a
 * body. With headers the fields of a record have to be named.
 */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import {
  postModelQuery,
  postRecordQuery,
  queryModelData,
  queryRecordData,
  readModelData,
  readModelQuery,
  readRecordData,
  readRecordQuery,
} from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import type { CompiledQuery, DataQuery } from '@tessera/knowledge-model';
import { Serves, type OperationContext } from '@tessera/messaging';
import {
  isCsvRequested,
  createCopyCellsStatement,
  createCellTypesStatement,
  printCsvHeaderLine,
  createCsvRowFormat,
  csvLineEnd,
} from './csv-format.js';
import { EvidenceKeeper, presentRows } from '../evidence/keep-evidence.js';
import { parseQueryBody, parseQueryParameters, mapFaultPathsToBody } from './parse-query.js';
import { createRowsBody, presentCsv, presentPage, wrapStream, type PageAnswerKind } from './present-page.js';
import { mapQueryErrors } from './query-failure.js';
import { type PreparedQuery, QueryPreparer } from './query-preparer.js';
import { QueryRunner } from './query-runner.js';
import { createJsonObjectFormat } from './row-format.js';

type Reply = Promise<Result<ByteReply>>;

type Asked = {
  readonly request: Pick<RequestOf<typeof readModelData>, 'km_id' | '$format' | 'accept' | 'prefer'>;
  /** Of the file that CSV is saved as. */
  readonly name: string;
  readonly parsed: Result<DataQuery>;
  readonly hasPage: boolean;
  /** Whether the answer says how many rows match. */
  readonly isCounted: boolean;
  readonly shape: PageAnswerKind;
};

/** Rows that come without a page come as they are stored, the same each time. */
const storedOrder = { synchronize_seqscans: 'off', max_parallel_workers_per_gather: '0' };

@Controller()
export class DataHandler {
  constructor(
    private readonly models: QueryPreparer,
    private readonly runner: QueryRunner,
    private readonly evidence: EvidenceKeeper,
  ) {}

  @Serves(readModelData)
  readModelData(request: RequestOf<typeof readModelData>, context: OperationContext): Reply {
    return this.#readByParameters(request, context, 'data');
  }

  @Serves(queryModelData)
  queryModelData(request: RequestOf<typeof queryModelData>, context: OperationContext): Reply {
    return this.#readByBody(request, context, 'data');
  }

  @Serves(readModelQuery)
  readModelQuery(request: RequestOf<typeof readModelQuery>, context: OperationContext): Reply {
    return this.#readByParameters(request, context, 'query');
  }

  @Serves(postModelQuery)
  postModelQuery(request: RequestOf<typeof postModelQuery>, context: OperationContext): Reply {
    return this.#readByBody(request, context, 'query');
  }

  @Serves(readRecordData)
  readRecordData(request: RequestOf<typeof readRecordData>, context: OperationContext): Reply {
    return this.#readByParameters(request, context, 'data');
  }

  @Serves(queryRecordData)
  queryRecordData(request: RequestOf<typeof queryRecordData>, context: OperationContext): Reply {
    return this.#readByBody(request, context, 'data');
  }

  @Serves(readRecordQuery)
  readRecordQuery(request: RequestOf<typeof readRecordQuery>, context: OperationContext): Reply {
    return this.#readByParameters(request, context, 'query');
  }

  @Serves(postRecordQuery)
  postRecordQuery(request: RequestOf<typeof postRecordQuery>, context: OperationContext): Reply {
    return this.#readByBody(request, context, 'query');
  }

  #readByParameters(
    request: RequestOf<typeof readModelData> | RequestOf<typeof readRecordData>,
    context: OperationContext,
    shape: PageAnswerKind,
  ): Reply {
    const parsed = parseQueryParameters(request, levelOf(request, shape));
    const hasPage = request.page !== undefined || request.pageSize !== undefined;
    const isCounted = !request.options?.includes('nototal');
    return this.#read({ request, name: nameOf(request), parsed, hasPage, isCounted, shape }, context);
  }

  async #readByBody(
    request: RequestOf<typeof queryModelData> | RequestOf<typeof queryRecordData>,
    context: OperationContext,
    shape: PageAnswerKind,
  ): Reply {
    const parsed = parseQueryBody(request.query, levelOf(request, shape));
    const { pagination, options } = request.query.projection;
    const asked = { request, name: nameOf(request), parsed, hasPage: pagination !== undefined, shape };
    return mapFaultPathsToBody(await this.#read({ ...asked, isCounted: !options?.includes('nototal') }, context));
  }

  #read({ request, name, parsed, hasPage, isCounted, shape }: Asked, context: OperationContext): Reply {
    const { caller, signal } = context;
    return mapQueryErrors(async () => {
      if (!parsed.ok) return parsed;
      const isCsv = isCsvRequested(request);
      const query = isCsv && !hasPage ? { ...parsed.value, pageSize: Infinity } : parsed.value;
      const prepared = await this.models.prepare(caller, request.km_id, ({ compile }) => compile(query));
      if (!prepared.ok) return prepared;
      const { compiled } = prepared.value;
      const { page: number, pageSize } = query;
      if (pageSize === Infinity) return succeed(presentCsv(name, await this.#allAsCsv(prepared.value, signal)));
      const asked = { query, rowsMax: pageSize };
      const recorder = this.evidence.ofRows(request.prefer, context, 'rows', prepared.value, asked);
      const plain = (isCsv ? createCsvRowFormat : createJsonObjectFormat)(compiled.columns, pageSize);
      const format = recorder?.formatOf(plain, !isCsv) ?? plain;
      const page =
        isCounted && !isCsv
          ? await this.runner.pageWithTotal(prepared.value, { offset: number * pageSize, pageSize, format }, signal)
          : { rows: await this.runner.page(prepared.value.prepareStatement(compiled.rows), format, signal) };
      const reply = await presentRows(recorder, page.rows, (rows) =>
        isCsv ? presentCsv(name, csvOfPage(compiled, rows)) : presentPage({ shape, query, compiled, ...page, rows }),
      );
      return succeed(reply);
    });
  }

  /** All rows are written by PostgreSQL, and read by nobody on their way: there is no evidence of them. */
  async #allAsCsv(
    { compiled: { columns, rows }, prepareStatement }: PreparedQuery<CompiledQuery>,
    signal: AbortSignal,
  ): Promise<ByteReply['body']> {
    const [types = []] = await this.runner.texts(prepareStatement(createCellTypesStatement(rows, columns)), signal);
    const copied = prepareStatement(createCopyCellsStatement(rows, columns, types));
    const pieces = await this.runner.copy({ ...copied, settings: { ...copied.settings, ...storedOrder } }, signal);
    return wrapStream(Buffer.from(printCsvHeaderLine(columns)), pieces, () => new Uint8Array());
  }
}

type PageRows = Parameters<typeof createRowsBody>[1];

const csvOfPage = ({ columns }: Pick<CompiledQuery, 'columns'>, rows: PageRows): ByteReply['body'] =>
  createRowsBody(printCsvHeaderLine(columns), rows, ({ count }) => (count > 0 ? csvLineEnd : ''));

type OfRecord = { readonly km_id: string; readonly record_id?: string };

/** With headers the fields of a record have to be named. */
const levelOf = (request: OfRecord, shape: PageAnswerKind) =>
  request.record_id === undefined ? {} : { record: request.record_id, needsFields: shape === 'data' };

const nameOf = ({ km_id, record_id }: OfRecord): string => record_id ?? km_id;
