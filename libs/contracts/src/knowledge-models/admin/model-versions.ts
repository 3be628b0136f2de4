/** The published versions of a knowledge model, its draft, and what differs between two of them. */
import { z } from 'zod';
import { DefinitionDifference, definitionId } from '../../definition-parts.js';
import { operation } from '../../operation.js';
import { KnowledgeModelDefinition } from '../definitions.js';
import { definitionsPrefix, teamPathParameters } from './models.js';

const versionNumber = z.int().min(1).max(2_147_483_647);
const modelPath = { ...teamPathParameters, modelId: definitionId.describe('The model.') };
const modelPrefix = `${definitionsPrefix}/{modelId}`;

const versionText = z
  .string()
  .regex(/^(draft|published|[1-9][0-9]{0,8})$/, 'expected the number of a version, "published" or "draft"');

export const ModelVersionEntry = z
  .object({
    version: versionNumber,
    digest: z.string().describe('SHA-256 of the definition.'),
    publishedAt: z.iso.datetime(),
    publishedBy: z.string(),
    isPublished: z.boolean().describe('Whether it is what everybody reads.'),
  })
  .meta({ id: 'ModelVersionEntry' });

export const listModelVersions = operation({
  owner: 'knowledge-models',
  name: 'knowledge.modelVersions.list',
  summary: 'List the versions of a knowledge model',
  description: 'Those that were published, the newest first, and whether there is a draft.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...modelPath,
    before: versionNumber.optional().describe('`next` of the page before.'),
    pageSize: z.int().min(1).max(1_000).default(100).describe('Versions in a page.'),
  }),
  reply: z.object({
    versions: z.array(ModelVersionEntry),
    draft: z
      .object({ digest: z.string(), changedAt: z.iso.datetime(), changedBy: z.string() })
      .optional()
      .describe('Absent when nothing differs from what is published.'),
    next: versionNumber.optional().describe('Absent on the last page.'),
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: `${modelPrefix}/versions` },
});

export const readModelVersion = operation({
  owner: 'knowledge-models',
  name: 'knowledge.modelVersions.read',
  summary: 'Read a version of a knowledge model',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...modelPath,
    version: versionText.describe('Its number, `published` or `draft`.'),
  }),
  reply: z.object({
    version: z.string().describe('Its number, or `draft`.'),
    digest: z.string().describe('SHA-256 of the definition.'),
    definition: KnowledgeModelDefinition,
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: `${modelPrefix}/versions/{version}` },
});

export const compareModelVersions = operation({
  owner: 'knowledge-models',
  name: 'knowledge.modelVersions.compare',
  summary: 'Tell what differs between two versions of a knowledge model',
  description:
    'Without versions: what publishing the draft would change. What may fail afterwards is told with the base models as they are published.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...modelPath,
    from: versionText.default('published').describe('A number, `published` or `draft`.'),
    to: versionText.default('draft').describe('A number, `published` or `draft`.'),
  }),
  reply: z.object({
    from: z.string().describe('Its number, or `draft`.'),
    to: z.string().describe('Its number, or `draft`.'),
    changes: z.array(DefinitionDifference).describe('At most 200, those that break first.'),
    openRecords: z
      .array(z.string())
      .optional()
      .describe(
        'What keeps the later version from being published once more: records that lead to one with a policy and have none of their own. Absent when there is none.',
      ),
  }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONFLICT'],
  http: { group: 'admin', method: 'get', path: `${modelPrefix}/diff` },
});
