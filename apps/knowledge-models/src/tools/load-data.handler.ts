/** The tool load-data: rows of fields and KPIs, read on the way of every other question and written as their columns were named. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { loadData } from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import type { CompiledQuery, ResultColumn } from '@tessera/knowledge-model';
import { type OperationContext, Serves } from '@tessera/messaging';
import { QueryPreparer, type PreparedQuery, type QueryCompiler } from '../queries/query-preparer.js';
import { QueryRunner, type Page } from '../queries/query-runner.js';
import { enclose } from '../queries/present-page.js';
import { mapQueryErrors } from '../queries/query-failure.js';
import { plainObjects, noRows } from '../queries/row-format.js';
import { withArgumentPaths } from './argument-faults.js';
import { type LoadArguments, type LoadQuestion, readLoad } from './load-question.js';
import { shownOf } from './tool-model.js';

type CompiledLoad = CompiledQuery & { readonly load: LoadQuestion };

@Controller()
export class LoadDataHandler {
  constructor(
    private readonly models: QueryPreparer,
    private readonly runner: QueryRunner,
  ) {}

  @Serves(loadData)
  load(
    { km_id, arguments: asked }: RequestOf<typeof loadData>,
    { caller, signal }: OperationContext,
  ): Promise<Result<ByteReply>> {
    return mapQueryErrors(async () => {
      const prepared = await this.models.prepare(caller, km_id, (compiler) => compileFor(compiler, asked));
      if (!prepared.ok) return prepared;
      const { compiled } = prepared.value;
      const page = await this.#read(prepared.value, asked, signal);
      const { page: number, page_size } = asked;
      const head = `{"page":${number},"page_size":${page_size},"total":${page.total},"data_frame_content":{"data":[`;
      return succeed(enclose(head, page.rows, `],"schema":${JSON.stringify(schemaOf(compiled))}}}`));
    });
  }

  async #read(
    prepared: PreparedQuery<CompiledLoad>,
    { page, page_size, limit }: LoadArguments,
    signal: AbortSignal,
  ): Promise<Page> {
    const { columns, load } = prepared.compiled;
    const totalMax = limit === undefined ? {} : { totalMax: limit };
    if (load.rowsMax === 0) return { rows: noRows, total: await this.runner.total(prepared, totalMax, signal) };
    const format = plainObjects(columns, load.rowsMax, load.order);
    const asked = { offset: page * page_size, pageSize: load.query.pageSize, format, ...totalMax };
    return this.runner.pageWithTotal(prepared, asked, signal);
  }
}

const compileFor = ({ view, compile }: QueryCompiler, asked: LoadArguments): Result<CompiledLoad> => {
  const load = readLoad(view, asked);
  if (!load.ok) return load;
  const compiled = withArgumentPaths(compile(load.value.query));
  return compiled.ok ? succeed({ ...compiled.value, load: load.value }) : compiled;
};

const schemaOf = ({ columns, load: { order } }: CompiledLoad) =>
  (order?.flatMap((place) => columns[place] ?? []) ?? columns).map(columnOf);

const columnOf = (column: ResultColumn) => {
  const { id, type, name } = column;
  return { id, type, displayName: name, ...shownOf(column) };
};
