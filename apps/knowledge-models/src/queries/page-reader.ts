/**
 * Reads pages of prepared questions, by number or behind a row: the rows as bytes, and the total where it is asked for.
 * A page never holds a connection while it waits for another.
 */
import { Injectable } from '@nestjs/common';
import type { CompiledQuery } from '@tessera/knowledge-model';
import type { TextRow } from '@tessera/persistence';
import type { WrittenRows } from '../cache/result-cache.js';
import type { PreparedQuery } from './query-preparer.js';
import { isStreamed, QueryRunner } from './query-runner.js';
import type { RowFormat } from './row-format.js';
import type { RowStream } from './row-stream.js';

type AskedPage = {
  /** The number of rows before the page; not known when it begins behind a row. */
  readonly offset: number | undefined;
  /** Of the statement; the format may write fewer. */
  readonly pageSize: number;
  readonly format: RowFormat;
  /** More rows do not count, over all pages. */
  readonly totalMax?: number;
};

type PageRows = WrittenRows | RowStream;
type Counted = Pick<CompiledQuery, 'rows' | 'count' | 'columns'>;

export type Page = {
  readonly rows: PageRows;
  /** Digits. */
  readonly total: string;
};

@Injectable()
export class PageReader {
  constructor(private readonly runner: QueryRunner) {}

  /** Without a total. Rejects with the error of pg. */
  rows(
    { compiled, ask }: PreparedQuery<Pick<CompiledQuery, 'rows'>>,
    format: RowFormat,
    signal: AbortSignal,
  ): Promise<PageRows> {
    return this.runner.page(ask(compiled.rows), format, signal);
  }

  /**
   * The count runs beside the rows when both have to be asked for; not beside groups, which it would compute once more,
   * and before rows that stream, since these keep their connection. It is not read when the rows tell it. Rejects with the
   * error of pg.
   */
  async read({ compiled, ask }: PreparedQuery<Counted>, asked: AskedPage, signal: AbortSignal): Promise<Page> {
    // NaN is less than no total.
    const { format, offset = Number.NaN, pageSize, totalMax = Number.MAX_SAFE_INTEGER } = asked;
    const [rowsQuestion, countQuestion] = [ask(compiled.rows), ask(compiled.count)];
    const known = this.runner.knownTexts(countQuestion);
    const count = (): Promise<readonly TextRow[]> => this.runner.texts(countQuestion, signal);
    if (isStreamed(format)) {
      const total = capped(totalIn(known ?? (await count())), asked);
      return { rows: await this.runner.page(rowsQuestion, format, signal), total };
    }
    const isGrouped = compiled.columns.some(({ aggregation }) => aggregation);
    // The rows will say whether there are as many as count.
    const isLast = offset + pageSize >= totalMax;
    const beside = known || isGrouped || isLast ? undefined : count();
    // Whether it failed matters only when it is needed.
    beside?.catch(() => undefined);
    const rows = await this.runner.page(rowsQuestion, format, signal);
    if (rows.kind === 'rows' && offset + rows.count >= totalMax) return { rows, total: String(totalMax) };
    const told = totalFromRows(rows, asked);
    if (told !== undefined && !known) this.runner.learnTexts(countQuestion, [[told]]);
    return { rows, total: capped(told ?? totalIn(known ?? (await (beside ?? count()))), asked) };
  }

  /** How many rows there are, none of them read. */
  async total(
    { compiled, ask }: PreparedQuery<Pick<CompiledQuery, 'count'>>,
    asked: Pick<AskedPage, 'totalMax'>,
    signal: AbortSignal,
  ): Promise<string> {
    return capped(totalIn(await this.runner.texts(ask(compiled.count), signal)), asked);
  }
}

/** A page that is not full, and not empty behind others, is the last. */
const totalFromRows = (rows: PageRows, { offset, pageSize }: AskedPage): string | undefined => {
  if (
    offset === undefined ||
    rows.kind === 'stream' ||
    rows.hasMore ||
    rows.count >= pageSize ||
    (rows.count === 0 && offset > 0)
  )
    return undefined;
  return String(offset + rows.count);
};

const capped = (total: string, { totalMax = Number.MAX_SAFE_INTEGER }: Pick<AskedPage, 'totalMax'>): string =>
  Number(total) > totalMax ? String(totalMax) : total;

const totalIn = ([row]: readonly TextRow[]): string => row?.[0] ?? '0';
