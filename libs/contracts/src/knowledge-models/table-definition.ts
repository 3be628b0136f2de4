/** A table of a team as a workspace file states it: columns with types, and how its source file is read. */
import { z } from 'zod';
import { description, displayName, storableText } from '../definition-parts.js';

export const valueTypes = ['string', 'integer', 'float', 'boolean', 'date', 'time', 'datetime', 'timestamp'] as const;
export type ValueType = (typeof valueTypes)[number];

/** Types with a day in them, each a widening of those before it. */
export const dateTypes = ['date', 'datetime', 'timestamp'] as const satisfies readonly ValueType[];
export const isDateType = (type: string): boolean => dateTypes.some((known) => known === type);

export const valueType = z
  .enum(valueTypes)
  .describe('`datetime` has no time zone, `timestamp` is an instant; `float` is any number that may have a fraction.');

/** Records, fields, KPIs, filters, parameters; upper and lower case are different. */
export const modelMemberId = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'expected an id: a letter or _, then letters, digits, _ or -, at most 64');

/** A schema, table or column as PostgreSQL names it; a longer name would be cut there without a word. */
export const postgresName = storableText(63)
  .min(1)
  .refine((name) => new TextEncoder().encode(name).length <= 63, 'expected a name of at most 63 bytes');

/** Tables and columns are made by the platform, so their names are plain. */
export const tableName = z
  .string()
  .regex(
    /^[a-z_][a-z0-9_]{0,62}$/,
    'expected a name: a small letter or _, then small letters, digits or _, at most 63',
  );

/** Every table has them. */
export const systemColumns: readonly string[] = ['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'];

export const ColumnDefinition = z
  .strictObject({
    id: tableName,
    type: valueType,
    nullable: z.boolean().optional().describe('Whether rows may have no value; when absent, true except in the key.'),
    formerly: tableName
      .optional()
      .describe('The name that it had before: its values are read and kept under the new one.'),
    description: description.optional(),
  })
  .meta({ id: 'ColumnDefinition' });

const oneCharacter = z.string().regex(/^[^\r\n\\\u0000"]$/, 'expected one character');

export const TableSourceDefinition = z
  .strictObject({
    file: z
      .string()
      .max(500)
      .regex(/^[^\u0000-\u001f\\:]+$/, 'expected the path of a file beside this one')
      .refine((file) => !file.startsWith('/') && !file.split('/').includes('..'), 'expected a path inside this folder'),
    format: z.enum(['csv', 'jsonl']).optional().describe('What the ending of the file says when absent.'),
    delimiter: oneCharacter.optional().describe('Between the values of a CSV line; a comma when absent.'),
    header: z
      .boolean()
      .optional()
      .describe('Whether the first line of a CSV names the columns; true when absent, else they come in their order.'),
    null: storableText(50)
      .optional()
      .describe('The text without quotes that stands for no value in a CSV; an empty one when absent.'),
  })
  .meta({ id: 'TableSourceDefinition' });

export const TableIndexDefinition = z
  .strictObject({
    columns: z
      .array(tableName)
      .min(1)
      .max(16)
      .describe('In this order; first what questions compare with one value, then what they sort by.'),
    include: z
      .array(tableName)
      .min(1)
      .max(16)
      .optional()
      .describe('Columns that are only read, so that a question may be answered from the index alone.'),
    kind: z
      .enum(['ordered', 'trigram'])
      .optional()
      .describe('`trigram`: of texts, for searches and `contains`; `ordered` when absent.'),
  })
  .meta({ id: 'TableIndexDefinition' });

export const TableDefinition = z
  .strictObject({
    kind: z.literal('Table'),
    schema: tableName.describe('The `source.schema` of the knowledge models that read it.'),
    id: tableName,
    name: displayName.optional().describe('The id when absent.'),
    description: description.optional(),
    columns: z.array(ColumnDefinition).min(1).max(1_000),
    primaryKey: z.array(tableName).min(1).max(16).optional(),
    indexes: z
      .array(TableIndexDefinition)
      .min(1)
      .max(32)
      .optional()
      .describe('Beside those of the key, and of identifiers and relationships of the knowledge models that read it.'),
    columnar: z
      .boolean()
      .optional()
      .describe(
        'Whether figures are computed over a copy by columns; when absent, from a number of rows on that the operator sets.',
      ),
    source: TableSourceDefinition.optional().describe('The file that `tessera load` reads when it is given none.'),
  })
  .meta({ id: 'TableDefinition' });

export type ColumnDefinition = z.output<typeof ColumnDefinition>;
export type TableIndexDefinition = z.output<typeof TableIndexDefinition>;
export type TableDefinition = z.output<typeof TableDefinition>;
