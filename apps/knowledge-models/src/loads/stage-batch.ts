/**
 * One batch of a load: checked, copied and noted in one transaction. Batches of a load come at once, and in any order. A
 * batch that was staged before is ignored, so that its rows count once.
 */
import type { LoadFault } from '@tessera/contracts/knowledge-models';
import type { PoolClient } from '@tessera/persistence';
import pg from 'pg';
import type { EntityManager } from 'typeorm';
import { checkCsv } from './check-csv.js';
import { convertJsonLinesToCsv } from './csv-of-json-lines.js';
import { copyCsvRows, type PhysicalTable } from './generation.js';
import { givenColumn, toLoadColumns, type CheckedBatch, type LoadColumn } from './load-columns.js';
import { insertBatch, readBatchRowCount, type LoadKey, type LoadOptions } from './load.repository.js';

type Batch = { readonly ordinal: number; readonly firstLine: number; readonly text: string };

export const checkBatch = ({ firstLine, text }: Batch, options: LoadOptions): CheckedBatch => {
  const byId = new Map(toLoadColumns(options.definition).map((column) => [column.id, column]));
  const columns = options.columns.flatMap((id): readonly LoadColumn[] => {
    const column = byId.get(id);
    return column ? [column] : [];
  });
  const required = options.columns.includes(givenColumn.id) ? options.definition.primaryKey : undefined;
  return options.format === 'jsonl'
    ? convertJsonLinesToCsv(text, firstLine, columns, required)
    : checkCsv(text, firstLine, { columns, delimiter: options.delimiter, null: options.null });
};

type ValidBatch = Exclude<CheckedBatch, { readonly faults: readonly LoadFault[] }>;

/** In a transaction that holds the load open. Answers how many rows the batch has. */
export const copyBatch = async (
  manager: EntityManager,
  client: PoolClient,
  key: LoadKey,
  {
    ordinal,
    checked,
    options,
    staging,
  }: {
    readonly ordinal: number;
    readonly checked: ValidBatch;
    readonly options: LoadOptions;
    readonly staging: PhysicalTable;
  },
): Promise<number> => {
  if (!(await insertBatch(client, key, ordinal, checked.rows))) return readBatchRowCount(manager, key, ordinal);
  const rows = await copyCsvRows(client, staging, checked.csv, options);
  if (rows !== checked.rows) throw new Error(`PostgreSQL found ${rows} rows in a batch of ${checked.rows}.`);
  return rows;
};

/** SQLSTATE classes of data and of rules that it breaks. */
const dataErrorCode = /^(?:22|23)/;
const badFormat = '22P04';

/** What PostgreSQL has against a batch that the checks let through; undefined for what the text is not to blame for. */
export const toCopyFault = (error: unknown, { firstLine }: Batch, { columns }: LoadOptions): LoadFault | undefined => {
  if (!(error instanceof pg.DatabaseError) || !dataErrorCode.test(error.code ?? '')) return undefined;
  // `COPY table~mark, line 3, column amount: "x"`, in the language of the server.
  const [, line, name] = /^COPY \S+ \S+ (\d+)(?:, \S+ ([a-z_][a-z0-9_]*))?/.exec(error.where ?? '') ?? [];
  const column = error.code === badFormat ? undefined : columns.find((id) => id === name);
  return {
    ...(line !== undefined && { line: firstLine + Number(line) - 1 }),
    ...(column !== undefined && { column }),
    message:
      error.code === badFormat
        ? 'the line does not end as those before it, or a quote stands where none may be'
        : 'a value does not fit its column',
  };
};
