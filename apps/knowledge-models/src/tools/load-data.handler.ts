/** The tool load-data: rows of fields and KPIs, read as every query and written in the order of the named columns. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { columnTypes, loadData, type LoadDataArguments } from '@tessera/contracts/knowledge-models';
import { succeed, type Result, findNearestName } from '@tessera/failures';
import type { CompiledQuery, ResultColumn, CallerView, DataQuery } from '@tessera/knowledge-model';
import { type OperationContext, Serves } from '@tessera/messaging';
import type { z } from 'zod';
import { EvidenceKeeper, presentRows, type RowsRecorder } from '../evidence/keep-evidence.js';
import { QueryPreparer, type PreparedQuery, type QueryCompiler } from '../queries/query-preparer.js';
import { QueryRunner, type QueryPage } from '../queries/query-runner.js';
import { createRowsReply } from '../queries/present-page.js';
import { mapQueryErrors } from '../queries/query-failure.js';
import { createJsonObjectFormat, emptyRows } from '../queries/row-format.js';
import { type ComputedColumn, readComputedColumn } from './computed-columns.js';
import {
  mapToToolArgumentFailure,
  type ArgumentFaultCollector,
  createArgumentFaultCollector,
  failInvalidArguments,
  createColumnFinder,
  listColumnIds,
  readToolFilters,
} from './tool-arguments.js';
import { unitAndFormatOf } from './tool-model.js';

type CompiledRequest = CompiledQuery & { readonly load: ParsedLoadDataRequest };

@Controller()
export class LoadDataHandler {
  constructor(
    private readonly models: QueryPreparer,
    private readonly runner: QueryRunner,
    private readonly evidence: EvidenceKeeper,
  ) {}

  @Serves(loadData)
  load(
    { km_id, arguments: asked, prefer }: RequestOf<typeof loadData>,
    context: OperationContext,
  ): Promise<Result<ByteReply>> {
    return mapQueryErrors(async () => {
      const prepared = await this.models.prepare(context.caller, km_id, (compiler) => compileFor(compiler, asked));
      if (!prepared.ok) return prepared;
      const { compiled } = prepared.value;
      const recorder = this.evidence.ofRows(prefer, context, 'rows', prepared.value, compiled.load);
      const page = await this.#read(prepared.value, asked, context.signal, recorder);
      const { page: number, page_size } = asked;
      const head = `{"page":${number},"page_size":${page_size},"total":${page.total},"data_frame_content":{"data":[`;
      const tail = `],"schema":${JSON.stringify(schemaOf(compiled))}}}`;
      return succeed(await presentRows(recorder, page.rows, (rows) => createRowsReply(head, rows, tail)));
    });
  }

  async #read(
    prepared: PreparedQuery<CompiledRequest>,
    { page, page_size, limit }: LoadDataInput,
    signal: AbortSignal,
    recorder: RowsRecorder | undefined,
  ): Promise<QueryPage> {
    const { columns, load } = prepared.compiled;
    const totalMax = limit === undefined ? {} : { totalMax: limit };
    if (load.rowsMax === 0) return { rows: emptyRows, total: await this.runner.total(prepared, totalMax, signal) };
    const plain = createJsonObjectFormat(columns, load.rowsMax, load.order);
    const format = recorder?.formatOf(plain, true) ?? plain;
    const asked = { offset: page * page_size, pageSize: load.query.pageSize, format, ...totalMax };
    return this.runner.pageWithTotal(prepared, asked, signal);
  }
}

const compileFor = ({ view, compile }: QueryCompiler, asked: LoadDataInput): Result<CompiledRequest> => {
  const load = parseLoadDataArguments(view, asked);
  if (!load.ok) return load;
  const compiled = mapToToolArgumentFailure(compile(load.value.query));
  return compiled.ok ? succeed({ ...compiled.value, load: load.value }) : compiled;
};

const schemaOf = ({ columns, load: { order } }: CompiledRequest) =>
  (order?.flatMap((place) => columns[place] ?? []) ?? columns).map(columnOf);

const columnOf = (column: ResultColumn) => {
  const { id, type, name } = column;
  return { id, type: columnTypes[type], displayName: name, ...unitAndFormatOf(column) };
};

export type LoadDataInput = z.output<typeof LoadDataArguments>;

export type ParsedLoadDataRequest = {
  readonly query: DataQuery;
  /** Places of the requested columns among those of the query, fields first; absent when it is the same. */
  readonly order?: readonly number[];
  /** So many rows are answered at most. */
  readonly rowsMax: number;
};

export const parseLoadDataArguments = (view: CallerView, asked: LoadDataInput): Result<ParsedLoadDataRequest> => {
  const faults = createArgumentFaultCollector();
  const computed = checkColumns(view, asked, faults);
  const aggregates = [...computed.values()].flatMap(({ aggregate }) => aggregate ?? []);
  const narrowed = readToolFilters(view, asked, faults, new Set(aggregates.map(({ id }) => id)));
  checkGroups(view, asked, faults);
  if (faults.list.faults.length > 0) return failInvalidArguments(faults);
  const { columns, page, page_size, limit, order_by, ascending } = asked;
  const isKpi = (id: string): boolean => view.names.kpis.has(id);
  const isAggregate = (id: string): boolean => computed.get(id)?.aggregate !== undefined;
  const fields = columns.filter((id) => !isKpi(id) && !isAggregate(id));
  const kpis = columns.filter(isKpi);
  const inOrder = [...fields, ...kpis, ...aggregates.map(({ id }) => id)];
  const rowsMax = limit === undefined ? page_size : Math.max(0, Math.min(page_size, limit - page * page_size));
  const query: DataQuery = {
    fields,
    kpis,
    aggregates,
    filterExpressions: [],
    ...narrowed,
    ...(order_by !== undefined && { sort: `${ascending ? '+' : '-'}${order_by}` }),
    distinct: false,
    page,
    // Behind the first page a smaller one would begin elsewhere.
    pageSize: page === 0 ? rowsMax : page_size,
  };
  const isSame = inOrder.every((id, index) => columns[index] === id);
  return succeed({ query, rowsMax, ...(!isSame && { order: columns.map((id) => inOrder.indexOf(id)) }) });
};

/** What is computed from a field, by the column that asks for it. */
const checkColumns = (
  view: CallerView,
  { columns, order_by }: LoadDataInput,
  faults: ArgumentFaultCollector,
): ReadonlyMap<string, ComputedColumn> => {
  const { list, unknown } = faults;
  const find = createColumnFinder(view);
  const first = new Map<string, number>();
  const computed = new Map<string, ComputedColumn>();
  columns.forEach((id, index) => {
    if (first.has(id)) list.add(['columns', index], 'uniqueItems', `"${id}" is named twice`);
    else {
      const read = readComputedColumn(view, id);
      if (read?.fault !== undefined) list.add(['columns', index], 'type', read.fault);
      else if (read) computed.set(id, read);
      else if (!find(id)) unknown(['columns', index], 'column', id, () => listColumnIds(view));
    }
    if (!first.has(id)) first.set(id, index);
  });
  if (order_by === undefined) return computed;
  if (!first.has(order_by)) {
    const message = `"${order_by}" is not one of the columns of this call`;
    list.add(['order_by'], 'enum', message, findNearestName(order_by, first.keys()));
  } else if (find(order_by)?.column.sortable === false)
    list.add(['order_by'], 'sortable', `"${order_by}" is not sortable`);
  return computed;
};

/** A condition that joins a KPI with a field by `or` is one of groups, which have only the requested fields. */
const checkGroups = (view: CallerView, { columns, filters }: LoadDataInput, { list }: ArgumentFaultCollector): void =>
  filters.forEach((id, index) => {
    const apart = view.names.filters.get(id)?.besideKpis.find((name) => !columns.includes(name));
    if (apart !== undefined)
      list.add(['filters', index], 'group', `"${id}" joins a KPI with a field; name "${apart}" in columns as well`);
  });
