/**
 * The pieces that the administration of knowledge models and tables shares. Refuses: operations (one file each).
 */
import { z } from 'zod';
import { applied } from '../../definition-parts.js';
import { teamId } from '../../gateway/parts.js';

export const teamPath = { team: teamId };
const teamPrefix = '/admin/teams/{team}';
export const definitionsPrefix = `${teamPrefix}/knowledge-models`;
export const loadsPrefix = `${teamPrefix}/tables/{schema}/{table}/loads`;

const plainName = z.string().min(1).max(63);
export const tablePath = {
  ...teamPath,
  schema: plainName.describe("The schema of the table's definition."),
  table: plainName.describe('The id of the table.'),
};
export const loadPath = { ...tablePath, loadId: z.guid().describe('The load, as its begin answered it.') };

const count = (what: string) => z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe(what);

export const LoadFault = z
  .object({
    line: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().describe('The line of the file, from 1.'),
    column: z.string().optional().describe('The column of the table.'),
    message: z.string(),
  })
  .meta({ id: 'LoadFault' });
export type LoadFault = z.output<typeof LoadFault>;

export const LoadStatus = z
  .object({
    loadId: z.guid(),
    state: z
      .enum(['loading', 'committing', 'committed', 'refused'])
      .describe('`committing`: indexes are being made, ask again; `refused`: nothing was changed, see the faults.'),
    rows: count('Rows so far.'),
    dataVersion: count('Of the table since the commit.').optional(),
    faults: z.array(LoadFault).optional(),
  })
  .meta({ id: 'LoadStatus' });
export type LoadStatus = z.output<typeof LoadStatus>;

export const AppliedDefinition = z
  .object({
    kind: z.enum(['KnowledgeModel', 'Table']),
    ...applied,
    id: z.string().describe('Of a table `schema.table`.'),
    version: count('The published version; absent for a draft and a table.').optional(),
  })
  .meta({ id: 'AppliedDefinition' });
export type AppliedDefinition = z.output<typeof AppliedDefinition>;
