import { z } from 'zod';
import { idempotencyHeaders, idempotencyParameter, operation } from '../../operation.js';
import { ColumnDefinition, tableName, TableSourceDefinition } from '../table-definition.js';
import { teamPathParameters } from './models.js';

const tablesPrefix = '/admin/teams/{team}/tables';
const tablePrefix = `${tablesPrefix}/{schema}/{table}`;
const loadsPrefix = `${tablePrefix}/loads`;

export const LoadMode = z.enum(['replace', 'append', 'upsert', 'delete']);
export type LoadMode = z.output<typeof LoadMode>;

const plainName = z.string().min(1).max(63);
const tablePath = {
  ...teamPathParameters,
  schema: plainName.describe("The schema of the table's definition."),
  table: plainName.describe('The id of the table.'),
};
const loadPath = { ...tablePath, loadId: z.guid().describe('The load, as its begin answered it.') };

const count = (what: string) => z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe(what);

export const LoadFault = z
  .object({
    line: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().describe('The line of the file, from 1.'),
    column: z.string().optional().describe('The column of the table.'),
    message: z.string(),
    rule: z.literal('LOAD_TOO_FEW_ROWS').optional().describe('Why the rows were refused as a whole.'),
  })
  .meta({ id: 'LoadFault' });
export type LoadFault = z.output<typeof LoadFault>;

export const OrphanedReferences = z
  .object({
    from: z.string().describe('The table that has the references.'),
    columns: z.array(z.string()).describe('Those that refer.'),
    to: z.string().describe('The table in which they lead nowhere.'),
    rows: count('Rows whose reference leads nowhere.'),
    values: z.array(z.array(z.string())).describe('The first five of their values, as text.'),
  })
  .meta({ id: 'OrphanedReferences' });
export type OrphanedReferences = z.output<typeof OrphanedReferences>;

export const LoadStatus = z
  .object({
    loadId: z.guid(),
    state: z
      .enum(['loading', 'committing', 'committed', 'refused'])
      .describe('`committing`: indexes are being made, ask again; `refused`: nothing was changed, see the faults.'),
    rows: count('Rows so far.'),
    dataVersion: count('Of the table since the commit.').optional(),
    faults: z.array(LoadFault).optional(),
    orphans: z
      .array(OrphanedReferences)
      .optional()
      .describe(
        'References that led nowhere after the commit, by the relationships of published models over the table; what could not be looked at in some seconds is left out.',
      ),
  })
  .meta({ id: 'LoadStatus' });
export type LoadStatus = z.output<typeof LoadStatus>;

export const UndoneLoad = z
  .object({
    rows: count('Rows of the table now.'),
    dataVersion: count('Of the table now.'),
    kept: count('Generations that can still be brought back.'),
  })
  .meta({ id: 'UndoneLoad' });
export type UndoneLoad = z.output<typeof UndoneLoad>;

export const beginLoad = operation({
  owner: 'knowledge-models',
  name: 'knowledge.loads.begin',
  summary: 'Begin a load into a table',
  description:
    'Rows go into a new generation of the table, which takes the place of the old one at the commit. A load is kept for 24 hours.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...tablePath,
    ...idempotencyParameter,
    begin: z
      .strictObject({
        format: z.enum(['csv', 'jsonl']),
        columns: z
          .array(z.string().min(1).max(63))
          .min(1)
          .max(1_000)
          .optional()
          .describe(
            'Of a CSV, in the order of its values; when absent those of the definition, or of its primary key for `delete`.',
          ),
        delimiter: z.string().length(1).default(','),
        null: z.string().max(50).default('').describe('The text without quotes that stands for no value in a CSV.'),
        mode: LoadMode.default('replace').describe(
          '`append` keeps the rows that are there. `upsert` changes the columns that are given, of rows found by the primary key, adds rows whose key is new, and keeps all others. `delete` takes the rows away whose primary keys are given.',
        ),
      })
      .meta({ id: 'BeginLoad' }),
  }),
  reply: LoadStatus,
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION'],
  http: { group: 'admin', method: 'post', path: loadsPrefix, body: 'begin', headers: idempotencyHeaders },
});

/** A step of a load: whole lines of the file, at most a request's size at once. Sending it again is harmless. */
export const stageRows = operation({
  owner: 'knowledge-models',
  name: 'knowledge.loads.stage',
  summary: 'Stage rows of a load',
  description: 'The lines of a batch are stored together or not at all; a bad value is told with its line and column.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...loadPath,
    ...idempotencyParameter,
    batch: z
      .strictObject({
        ordinal: z
          .int()
          .min(0)
          .max(100_000_000)
          .describe('The place of the batch in the load, from 0; batches may come at once.'),
        firstLine: z
          .int()
          .min(1)
          .max(Number.MAX_SAFE_INTEGER)
          .describe('The line of the file at which the text begins.'),
        text: z.string().min(1).max(1_000_000).describe('Lines without the header, each with its end.'),
      })
      .meta({ id: 'StageRows' }),
  }),
  reply: z.object({ rows: z.int().min(0).max(Number.MAX_SAFE_INTEGER) }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION', 'GENERAL_CONFLICT'],
  http: {
    group: 'admin',
    method: 'post',
    path: `${loadsPrefix}/{loadId}/rows`,
    body: 'batch',
    hasLargeBody: true,
    headers: idempotencyHeaders,
  },
});

export const commitLoad = operation({
  owner: 'knowledge-models',
  name: 'knowledge.loads.commit',
  summary: 'Commit a load',
  description:
    'Makes the indexes and puts the rows in place, unless the table would have fewer than half of its rows. A large load answers `committing` and goes on: read it, or commit again, until it is done; a second commit does nothing twice.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 29_000,
  request: z.strictObject({
    ...loadPath,
    ...idempotencyParameter,
    commit: z
      .strictObject({
        batches: z.int().min(0).max(100_000_000).describe('How many were sent; none may be missing.'),
        allowShrink: z
          .boolean()
          .optional()
          .describe('Whether the table may have fewer than half of its rows afterwards.'),
        rowsMin: count('Rows that the table must have afterwards, in place of half of those before.').optional(),
      })
      .meta({ id: 'CommitLoad' }),
  }),
  reply: LoadStatus,
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION', 'GENERAL_CONFLICT', 'LOAD_TOO_FEW_ROWS'],
  http: {
    group: 'admin',
    method: 'post',
    path: `${loadsPrefix}/{loadId}/commit`,
    body: 'commit',
    headers: idempotencyHeaders,
  },
});

export const readLoad = operation({
  owner: 'knowledge-models',
  name: 'knowledge.loads.read',
  summary: 'Read the state of a load',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(loadPath),
  reply: LoadStatus,
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: `${loadsPrefix}/{loadId}` },
});

export const undoLoad = operation({
  owner: 'knowledge-models',
  name: 'knowledge.loads.undo',
  summary: 'Bring back the generation of a table before the last load',
  description:
    'The rows in place go, and the data version goes up. As many generations are kept as LOAD_HISTORY says; each can be brought back once.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 29_000,
  request: z.strictObject({ ...tablePath, ...idempotencyParameter }),
  reply: UndoneLoad,
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONFLICT'],
  http: { group: 'admin', method: 'post', path: `${tablePrefix}/undo`, headers: idempotencyHeaders },
});

export const cancelLoad = operation({
  owner: 'knowledge-models',
  name: 'knowledge.loads.cancel',
  summary: 'Cancel a load',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject(loadPath),
  reply: z.object({ loadId: z.guid() }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONFLICT'],
  http: { group: 'admin', method: 'delete', path: `${loadsPrefix}/{loadId}` },
});

const ListedLoad = LoadStatus.extend({
  format: z.enum(['csv', 'jsonl']),
  mode: LoadMode,
  startedAt: z.iso.datetime(),
  startedBy: z.string(),
}).meta({ id: 'ListedLoad' });

export const listLoads = operation({
  owner: 'knowledge-models',
  name: 'knowledge.loads.list',
  summary: 'List the loads into a table',
  description: 'Of the last 24 hours, at most 100, the newest first.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(tablePath),
  reply: z.object({ loads: z.array(ListedLoad) }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: loadsPrefix },
});

export const ListedTable = z
  .object({
    schema: z.string(),
    id: z.string(),
    name: z.string(),
    description: z.string().optional(),
    columns: z.array(ColumnDefinition.required({ nullable: true })),
    primaryKey: z.array(z.string()).optional(),
    source: TableSourceDefinition.optional().describe('How `tessera load` reads it.'),
    dataVersion: count('The number of its generation; 0 before the first load.'),
    rows: count('Rows of the generation.'),
    loadedAt: z.iso.datetime().optional().describe('When the generation was put in place.'),
    loadedBy: z
      .string()
      .optional()
      .describe('Who committed it; absent for one that was put in place before this was kept.'),
    bytes: count('What the generation takes on disk, with its indexes.'),
    kept: z
      .array(
        z.object({
          rows: count('Rows of the generation.'),
          bytes: count('What it takes on disk, with its indexes.'),
          loadedAt: z.iso.datetime().optional(),
          loadedBy: z.string().optional(),
        }),
      )
      .describe('Generations before, which an undo brings back, the newest first.'),
  })
  .meta({ id: 'ListedTable' });

export const listTables = operation({
  owner: 'knowledge-models',
  name: 'knowledge.tables.list',
  summary: 'List the tables of a team',
  description: 'With the generation of their rows, by schema and id.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...teamPathParameters,
    after: z
      .string()
      .max(127)
      .refine((text) => {
        const [schema, table, ...rest] = text.split('.');
        return rest.length === 0 && [schema, table].every((part) => tableName.safeParse(part).success);
      }, 'expected a table: schema.table')
      .optional()
      .describe('`next` of the page before.'),
    pageSize: z.int().min(1).max(1_000).default(200).describe('Tables in a page.'),
  }),
  reply: z.object({ tables: z.array(ListedTable), next: z.string().optional().describe('Absent on the last page.') }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: tablesPrefix },
});

export const deleteTable = operation({
  owner: 'knowledge-models',
  name: 'knowledge.tables.delete',
  summary: 'Delete a table',
  description:
    'With its definition, its rows, the generations before and its loads. Refused while a published or drafted model reads it, naming these.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 29_000,
  request: z.strictObject(tablePath),
  reply: z.object({ deleted: z.string() }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONFLICT'],
  http: { group: 'admin', method: 'delete', path: tablePrefix },
});
