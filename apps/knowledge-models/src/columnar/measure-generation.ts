/** How large the values of a generation are, and whether an engine counted in its copy what PostgreSQL counted in the table. */
import {
  addMeasurements,
  type ColumnMeasurement,
  measuringCells,
  planStoredColumns,
  type StorageDialect,
  type StoredColumns,
  type DatabaseColumn,
} from '@tessera/knowledge-model';
import { z } from 'zod';
import { measuredRanges, readAggregates, type ReadableTable } from './columnar.repository.js';

/** Why no copy was made; the message is for logs and holds no value. */
export class MakingFailure extends Error {
  constructor(
    readonly reason: 'differs' | 'disk-full' | 'nothing-to-store',
    message: string,
  ) {
    super(message);
    this.name = 'MakingFailure';
  }
}

const columnMeasurement: z.ZodType<ColumnMeasurement> = z.object({
  count: z.string().nullish(),
  scaleMin: z.int().nullish(),
  scaleMax: z.int().nullish(),
  largest: z.string().nullish(),
  sum: z.string().nullish(),
  isInRange: z.boolean().nullish(),
});

/** Rejects with the error of pg or `MakingFailure`. */
export const measureGeneration = async (
  table: ReadableTable,
  columns: ReadonlyMap<string, DatabaseColumn>,
  dialect: StorageDialect,
  signal: AbortSignal,
): Promise<StoredColumns> => {
  let [rows, measurements]: [number, readonly ColumnMeasurement[]] = [0, []];
  const cells = measuringCells(columns, dialect);
  for await (const range of measuredRanges(table, signal)) {
    const [count, ...measured] = await readAggregates(table, cells, signal, range);
    rows += Number(count);
    const parts = measured.map((text) => columnMeasurement.parse(JSON.parse(text ?? '{}')));
    measurements = parts.map((part, at) => addMeasurements(measurements[at] ?? {}, part));
  }
  const stored = planStoredColumns(columns, { rows, measurements }, dialect);
  if (stored.columns.length === 0)
    throw new MakingFailure('nothing-to-store', 'The table has no column that can be stored.');
  return stored;
};

/** `found`: what the engine counted, in the order of `counted`. Throws `MakingFailure`. */
export const checkCounts = (
  { rows, counted }: StoredColumns,
  found: { readonly rows: string; readonly counts: readonly (string | null)[] },
): void => {
  if (found.rows !== String(rows))
    throw new MakingFailure('differs', `PostgreSQL counted ${rows} rows, the engine ${found.rows}.`);
  for (const [place, [selected, count]] of [...counted].entries())
    if (found.counts[place] !== count)
      throw new MakingFailure('differs', `The engine's ${selected} is not what PostgreSQL counted.`);
};
