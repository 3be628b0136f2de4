/** How a question would be answered: the plan, the SQL, who sees which rows, what it costs. Never data. */
import { z } from 'zod';
import { definitionId } from '../../definition-parts.js';
import { operation } from '../../operation.js';
import { KmQueryDataRequest, questionFailures, sortFailures } from '../parts.js';
import { definitionsPrefix, teamPath } from './admin-parts.js';

export const explainQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.queries.explain',
  summary: 'Explain a query of a knowledge model',
  description: 'Values of the question and of policies are parameters of the SQL and are not shown.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...teamPath,
    modelId: definitionId.describe('The model.'),
    explain: z
      .strictObject({
        query: KmQueryDataRequest,
        record: z.string().max(200).optional().describe('At the level of this record; of the model when absent.'),
        draft: z.boolean().default(false).describe('By the draft of the model.'),
        caller: z
          .strictObject({
            scopes: z.array(z.string().max(128)).max(100).default([]),
            attributes: z.record(z.string().max(128), z.json()).default({}),
          })
          .optional()
          .describe('As whom; a caller with the scope to read and nothing else when absent.'),
      })
      .meta({ id: 'ExplainQuery' }),
  }),
  reply: z.object({
    grain: z.array(z.string()).describe('The records whose rows are counted or aggregated.'),
    plan: z.json().describe('The decisions: records, joins, filters, groups.'),
    sql: z.string(),
    parameters: z.int().min(0).max(65_535).describe('How many; never what.'),
    countSql: z.string().optional(),
    rowPolicies: z.array(z.object({ record: z.string(), rows: z.string() })),
    hiddenFields: z.array(z.string()),
    cost: z
      .object({ total: z.number(), rows: z.number(), indexes: z.array(z.string()) })
      .optional()
      .describe('As PostgreSQL estimates it; absent when the tables are not there.'),
  }),
  failures: ['GENERAL_NOTFOUND', 'KM_RECORD_NOTFOUND', 'KM_KPI_NOTFOUND', ...questionFailures, ...sortFailures],
  http: { group: 'admin', method: 'post', path: `${definitionsPrefix}/{modelId}/explain`, body: 'explain' },
});
