/**
 * Answers a question to a model, from its request to bytes: the model as the caller sees it, the compiled statements, the
 * rows, how many there are in all.
 * Refuses: to count when the rows of the page say it, and to hold a connection while it waits for another.
 */
import { Injectable } from '@nestjs/common';
import type { ByteReply } from '@tessera/contracts';
import { succeed, type Result } from '@tessera/failures';
import type { CompiledQuery, DataQuery } from '@tessera/knowledge-model';
import type { OperationContext } from '@tessera/messaging';
import type { TextRow } from '@tessera/persistence';
import type { WrittenRows } from '../cache/result-cache.js';
import { AskedModels } from './asked-models.js';
import { CompiledQueries } from './compiled-queries.js';
import { presentPage, type AnswerShape } from './present-page.js';
import { orQueryFailure } from './query-failure.js';
import { isStreamed, QueryRunner, type Question } from './query-runner.js';
import { plainObjects } from './row-format.js';
import type { RowStream } from './row-stream.js';

type Page = { readonly rows: WrittenRows | RowStream; readonly total: string };

@Injectable()
export class DataReader {
  constructor(
    private readonly models: AskedModels,
    private readonly queries: CompiledQueries,
    private readonly runner: QueryRunner,
  ) {}

  answer(
    { caller, signal }: OperationContext,
    modelId: string,
    asked: Result<DataQuery>,
    shape: AnswerShape,
  ): Promise<Result<ByteReply>> {
    return orQueryFailure(async () => {
      if (!asked.ok) return asked;
      const query = asked.value;
      const prepared = await this.models.prepare(caller, modelId, (view, schema) =>
        this.queries.of(view, query, schema),
      );
      if (!prepared.ok) return prepared;
      const { compiled, ask } = prepared.value;
      const page = await this.#read(ask(compiled.rows), ask(compiled.count), query, compiled, signal);
      return succeed(presentPage({ shape, query, compiled, ...page }));
    });
  }

  /**
   * The count goes beside the rows when both have to be asked for; not beside groups, which it would compute once more,
   * and before rows that stream, since these keep their connection.
   */
  async #read(
    rowsQuestion: Question,
    countQuestion: Question,
    query: DataQuery,
    { columns }: CompiledQuery,
    signal: AbortSignal,
  ): Promise<Page> {
    const format = plainObjects(columns, query.pageSize);
    const known = this.runner.knownTexts(countQuestion);
    const count = (): Promise<readonly TextRow[]> => this.runner.texts(countQuestion, signal);
    if (isStreamed(format)) {
      const total = totalIn(known ?? (await count()));
      return { rows: await this.runner.page(rowsQuestion, format, signal), total };
    }
    const isGrouped = columns.some(({ aggregation }) => aggregation);
    const beside = known || isGrouped ? undefined : count();
    // Whether it failed matters only when it is needed.
    beside?.catch(() => undefined);
    const rows = await this.runner.page(rowsQuestion, format, signal);
    const told = totalTold(rows, query);
    if (told !== undefined && !known) this.runner.learnTexts(countQuestion, [[told]]);
    return { rows, total: told ?? totalIn(known ?? (await (beside ?? count()))) };
  }
}

/** A page that is not full, and not empty behind others, is the last. */
const totalTold = (
  rows: WrittenRows | RowStream,
  { page, pageSize }: Pick<DataQuery, 'page' | 'pageSize'>,
): string | undefined => {
  if (rows.kind === 'stream' || rows.count >= pageSize || (rows.count === 0 && page > 0)) return undefined;
  return String(page * pageSize + rows.count);
};

const totalIn = ([row]: readonly TextRow[]): string => row?.[0] ?? '0';
