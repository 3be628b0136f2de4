/** The audit of a storage: who did what to which element and version, when, and by which request. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { adminStoragePath, ContentChange, storagePrefix } from './admin-parts.js';

export const listChanges = operation({
  owner: 'content-repo',
  name: 'content.changes.list',
  summary: 'List the changes of a storage',
  description:
    'Changes are only ever added. With elementId or versionId: the changes that touched it, and of each what it did to it.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...adminStoragePath,
    elementId: z.guid().optional().describe('Only changes of this element.'),
    versionId: z.guid().optional().describe('Only changes of this version.'),
    subject: z.string().min(1).max(512).optional().describe('Only changes by this caller.'),
    from: z.iso.datetime().optional().describe('From this instant on, UTC.'),
    to: z.iso.datetime().optional().describe('Before this instant, UTC.'),
    order: z.enum(['newest', 'oldest']).default('newest').describe('Which come first.'),
    pageSize: z.int().min(1).max(1000).default(100).describe('Changes in a page.'),
    after: z
      .string()
      .regex(/^(0|[1-9]\d{0,17})$/, 'expected the sequence of a change')
      .optional()
      .describe('Continues after the page that answered this as `next`.'),
  }),
  reply: z.object({
    changes: z.array(ContentChange),
    next: z.string().optional().describe('There is more: ask for it with `after`.'),
  }),
  failures: ['CONTENT_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: `${storagePrefix}/changes` },
});
