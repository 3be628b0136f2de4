import { z } from 'zod';
import {
  applyResultMembers,
  applyModeParameter,
  applyOperationDescription,
  definitionId,
} from '../../definition-parts.js';
import { teamId } from '../../gateway/parts.js';
import {
  idempotencyHeaders,
  idempotencyParameter,
  ifMatchHeaders,
  ifMatchParameter,
  operation,
} from '../../operation.js';
import { KnowledgeModelDefinition } from '../definitions.js';
import { KmQueryDataRequest, queryFailureCodes, sortFailureCodes } from '../parts.js';
import { TableDefinition } from '../table-definition.js';

export const teamPathParameters = { team: teamId };
export const definitionsPrefix = '/admin/teams/{team}/knowledge-models';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const AppliedDefinition = z
  .object({
    kind: z.enum(['KnowledgeModel', 'Table']),
    ...applyResultMembers,
    id: z.string().describe('Of a table `schema.table`.'),
    version: count.describe('The published version; absent for a draft and a table.').optional(),
  })
  .meta({ id: 'AppliedDefinition' });
export type AppliedDefinition = z.output<typeof AppliedDefinition>;

export const applyModelDefinitions = operation({
  owner: 'knowledge-models',
  name: 'knowledge.definitions.apply',
  summary: 'Apply definitions of knowledge models and tables',
  description: applyOperationDescription,
  scope: 'admin',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...teamPathParameters,
    ...idempotencyParameter,
    ifMatch: ifMatchParameter.ifMatch.describe(
      'The ETags that the drafts of the models must still have, or what is published of those without a draft; or `*`.',
    ),
    apply: z
      .strictObject({
        definitions: z
          .array(z.discriminatedUnion('kind', [KnowledgeModelDefinition, TableDefinition]))
          .min(1)
          .max(500),
        mode: applyModeParameter('models'),
        againstDatabase: z
          .boolean()
          .default(false)
          .describe(
            'Compares models of external databases as well that are as they are stored; all others are always compared.',
          ),
      })
      .meta({ id: 'ApplyDefinitions' }),
  }),
  reply: z.object({
    definitions: z.array(AppliedDefinition),
    breaks: z
      .array(z.object({ id: z.string(), message: z.string() }))
      .describe(
        'Published models that would not fit any more; a request that breaks some is refused unless it checks.',
      ),
    openModels: z
      .array(z.object({ id: z.string(), message: z.string() }))
      .optional()
      .describe(
        'Of a request that checks: published models that are not in it and in which a record leads to one with a policy and has none of its own. Absent when there is none.',
      ),
  }),
  failures: [
    ...(['GENERAL_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION', 'MODEL_POLICY_MISSING'] as const),
    ...(['GENERAL_CONFLICT', 'CONTENT_CHANGED'] as const),
  ],
  http: {
    ...{ group: 'admin', method: 'post', path: definitionsPrefix, body: 'apply', hasLargeBody: true },
    headers: { ...ifMatchHeaders, ...idempotencyHeaders },
  },
});

export const exportModelDefinitions = operation({
  owner: 'knowledge-models',
  name: 'knowledge.definitions.export',
  summary: 'Export the definitions of knowledge models and tables',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(teamPathParameters),
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

export const deleteModel = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.delete',
  summary: 'Delete a knowledge model',
  description: 'Refused while another model extends it.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ ...teamPathParameters, modelId: definitionId.describe('The model.') }),
  reply: z.object({ deleted: z.string() }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONFLICT'],
  http: { group: 'admin', method: 'delete', path: `${definitionsPrefix}/{modelId}` },
});

/** How a question would be answered: the plan, the SQL, who sees which rows, what it costs. Never data. */
export const explainQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.queries.explain',
  summary: 'Explain a query of a knowledge model',
  description: 'Values of the question and of policies are parameters of the SQL and are not shown.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...teamPathParameters,
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
    engine: z
      .object({
        name: z
          .string()
          .describe(
            'postgresql, the engine of columns that computes the groups, or rollup where one of the model holds them.',
          ),
        reason: z.string().describe('One word, as in the metrics.'),
        detail: z.string(),
      })
      .optional()
      .describe('Who would answer at this moment; absent when the tables are not there.'),
  }),
  failures: ['GENERAL_NOTFOUND', 'KM_RECORD_NOTFOUND', 'KM_KPI_NOTFOUND', ...queryFailureCodes, ...sortFailureCodes],
  http: { group: 'admin', method: 'post', path: `${definitionsPrefix}/{modelId}/explain`, body: 'explain' },
});
