/** What a team has: every model and table as it was applied. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { KnowledgeModelDefinition } from '../definitions.js';
import { TableDefinition } from '../table-definition.js';
import { definitionsPrefix, teamPath } from './admin-parts.js';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const exportDefinitions = operation({
  owner: 'knowledge-models',
  name: 'knowledge.definitions.export',
  summary: 'Export the definitions of knowledge models and tables',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(teamPath),
  reply: z.object({
    models: z.array(
      z.object({
        id: z.string(),
        version: count.optional().describe('The published version; absent when there is a draft only.'),
        publishedAt: z.iso.datetime().optional(),
        definition: KnowledgeModelDefinition.optional().describe('As it is published.'),
        draft: KnowledgeModelDefinition.optional().describe('When it differs from what is published.'),
      }),
    ),
    tables: z.array(
      z.object({
        definition: TableDefinition,
        dataVersion: count.describe('0 before the first load.'),
        rows: count,
        loadedAt: z.iso.datetime().optional(),
      }),
    ),
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: definitionsPrefix },
});
