/** Events of the content repository. Never carry content: they name what changed, and consumers read it by the operations. */
import { z } from 'zod';
import { event } from '../event.js';

const storageMembers = { collection: z.string().min(1), storage: z.string().min(1) };
const sequence = z
  .string()
  .regex(/^(0|[1-9][0-9]*)$/, 'expected a decimal number')
  .describe('The change in the history of the team; it grows.');
const versionNumber = z
  .string()
  .regex(/^[0-9]+\.[0-9]+$/, 'expected a version such as 1.0')
  .describe('Major and minor, e.g. `1.0`.');

const elementMembers = { ...storageMembers, facet: z.string().min(1), elementId: z.guid(), sequence };

export const elementChanged = event({
  owner: 'content-repo',
  type: 'content.element.changed',
  summary: 'An element or one of its versions is not as it was',
  data: z.strictObject({
    ...elementMembers,
    versionId: z.guid().optional().describe('Only of versioned types.'),
    change: z.enum(['created', 'updated', 'transitioned', 'versionCreated', 'restored']),
  }),
});

export const versionReleased = event({
  owner: 'content-repo',
  type: 'content.version.released',
  summary: 'A version is valid from now on',
  data: z.strictObject({
    ...elementMembers,
    versionId: z.guid(),
    version: versionNumber,
    expiredVersionId: z.guid().optional().describe('The version that was released before.'),
  }),
});

export const elementDeleted = event({
  owner: 'content-repo',
  type: 'content.element.deleted',
  summary: 'An element is gone, or only its draft',
  data: z.strictObject({
    ...elementMembers,
    versionId: z.guid().optional().describe('The draft, when the element stays.'),
  }),
});

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const storageImported = event({
  owner: 'content-repo',
  type: 'content.storage.imported',
  summary: 'An import changed a storage; its elements are not told one by one',
  data: z.strictObject({
    ...storageMembers,
    created: count,
    changed: count,
    unchanged: count,
    sequence: sequence.optional(),
  }),
});
