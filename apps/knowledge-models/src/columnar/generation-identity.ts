/**
 * A generation of a table as engines of columns store it: what it is, and what is written beside it of its columns. Its id is made of
 * what it is, so that nothing is taken for the generation of another team or another load.
 */
import { createHash } from 'node:crypto';
import type { ColumnarTable } from '@tessera/knowledge-model';
import { z } from 'zod';
import type { Generation } from './columnar.repository.js';

const columnType = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['text', 'boolean', 'date', 'timestamp', 'instant']) }),
  z.object({ kind: z.literal('integer'), precision: z.int() }),
  z.object({ kind: z.literal('decimal'), precision: z.int(), scale: z.int() }),
]);

export const generationDescription = z.object({
  team: z.string(),
  schema: z.string(),
  table: z.string(),
  dataVersion: z.string(),
  loadedAt: z.string().nullable(),
  rows: z.int(),
  columns: z.array(
    z.object({ name: z.string(), stored: z.string(), type: columnType, scaleColumn: z.string().exactOptional() }),
  ),
  omitted: z.array(z.string()),
});
export type GenerationDescription = Readonly<z.output<typeof generationDescription>>;

export type GenerationIdentity = Pick<Generation, 'schema' | 'table' | 'dataVersion' | 'loadedAt'> & {
  readonly team: string;
};

const idLength = 32;

/** Of letters and digits. After a backup came back, another load may have the data version of one that is gone. */
export const generationId = ({ team, schema, table, dataVersion, loadedAt }: GenerationIdentity): string =>
  createHash('sha256')
    .update(JSON.stringify([team, schema, table, dataVersion, loadedAt]))
    .digest('hex')
    .slice(0, idLength);

export const isGenerationId = (text: string): boolean => new RegExp(`^[0-9a-f]{${idLength}}$`).test(text);

export const tableOf = (description: GenerationDescription): ColumnarTable => {
  const { team, schema, table, dataVersion, columns, omitted, rows } = description;
  return { key: { team, schema, table, dataVersion }, columns, omitted, rows };
};

/** Undefined when the text is no JSON. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
