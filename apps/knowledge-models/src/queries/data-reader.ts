/**
 * Answers a question to a model, from its request to bytes: the model as the caller sees it, the compiled statements, the
 * rows, how many there are in all.
 * Refuses: to count when the rows of the page say it, and to hold a connection while it waits for another.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { ByteReply } from '@tessera/contracts';
import { succeed, type Result } from '@tessera/failures';
import type { CompiledQuery, DataQuery } from '@tessera/knowledge-model';
import type { OperationContext } from '@tessera/messaging';
import type { TextRow } from '@tessera/persistence';
import type { WrittenRows } from '../cache/result-cache.js';
import { CallerModels } from '../catalog/caller-models.js';
import { poolsToken, type Pools } from '../database/pools.js';
import { CompiledQueries } from './compiled-queries.js';
import { executionToken, type Execution } from './execution.js';
import { presentPage, type AnswerShape } from './present-page.js';
import { orQueryFailure } from './query-failure.js';
import { isStreamed, QueryRunner, type PageShape, type Question } from './query-runner.js';
import type { RowStream } from './row-stream.js';
import { sourceOf } from './source-of.js';

type Page = { readonly rows: WrittenRows | RowStream; readonly total: string };

@Injectable()
export class DataReader {
  constructor(
    private readonly models: CallerModels,
    private readonly queries: CompiledQueries,
    private readonly runner: QueryRunner,
    @Inject(poolsToken) private readonly pools: Pools,
    @Inject(executionToken) private readonly execution: Execution,
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
      const found = await this.models.find(caller, modelId);
      if (!found.ok) return found;
      const { view, viewKey } = found.value;
      const source = sourceOf({ pools: this.pools, external: this.execution.external }, caller.team, found.value);
      // A question that has faults is told these, whether there are tables or not.
      const compiled = this.queries.of(view, query, source.ok ? source.value.schema : view.model.source.schema);
      if (!compiled.ok) return compiled;
      if (!source.ok) return source;
      const { columns, rows, count, settings, tables } = compiled.value;
      const versions = source.value.versionsOf(tables);
      if (!versions.ok) return versions;
      const dependsOn = [versions.value, viewKey];
      const ask = (statement: CompiledQuery['rows']): Question => ({
        source: source.value,
        statement,
        settings,
        dependsOn,
      });
      const page = await this.#read(ask(rows), ask(count), query, compiled.value, signal);
      return succeed(presentPage({ shape, query, compiled: { ...compiled.value, columns }, ...page }));
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
    const shape: PageShape = { columns, rowsMax: query.pageSize };
    const known = this.runner.knownTexts(countQuestion);
    const count = (): Promise<readonly TextRow[]> => this.runner.texts(countQuestion, signal);
    if (isStreamed(shape)) {
      const total = totalIn(known ?? (await count()));
      return { rows: await this.runner.page(rowsQuestion, shape, signal), total };
    }
    const isGrouped = columns.some(({ aggregation }) => aggregation);
    const beside = known || isGrouped ? undefined : count();
    // Whether it failed matters only when it is needed.
    beside?.catch(() => undefined);
    const rows = await this.runner.page(rowsQuestion, shape, signal);
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
