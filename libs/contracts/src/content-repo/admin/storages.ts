import { z } from 'zod';
import { operation, renderedReply } from '../../operation.js';
import { ElementDocument, StorageDefinition, storageName } from '../definitions.js';

const teamMember = z.string().min(1).max(64).describe('The team that owns the storage.');
export const teamPathParameters = { team: teamMember };
export const adminStoragePathParameters = {
  ...teamPathParameters,
  collection: storageName.describe('The collection of the storage.'),
  storage: storageName.describe('The storage in its collection.'),
};

const storagesPrefix = '/admin/teams/{team}/storages';
export const adminStoragePrefix = `${storagesPrefix}/{collection}/{storage}`;

export const ContentChange = z
  .object({
    sequence: z.string().describe('The number of the change in its storage; it grows.'),
    changedAt: z.iso.datetime(),
    operation: z.string().describe('What was asked for, e.g. `content.versions.create`.'),
    subject: z.string().describe('Who asked for it.'),
    requestId: z.string(),
    entries: z.array(
      z.object({
        action: z.string().describe('What was done, e.g. `versionCreated`.'),
        elementId: z.guid().optional(),
        versionId: z.guid().optional(),
        detail: z.record(z.string(), z.json()).describe('What the action needs to be understood.'),
      }),
    ),
  })
  .meta({ id: 'ContentChange' });
export type ContentChange = z.output<typeof ContentChange>;

export const listStorages = operation({
  owner: 'content-repo',
  name: 'content.storages.list',
  summary: 'List the storages of a team',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(teamPathParameters),
  reply: z.object({
    storages: z.array(
      z.object({
        collection: z.string(),
        storage: z.string(),
        title: z.string(),
        elements: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
        changedAt: z.string().describe('UTC date-time of the last import that changed something.'),
      }),
    ),
  }),
  failures: ['CONTENT_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: storagesPrefix },
});

export const exportStorageDefinition = operation({
  owner: 'content-repo',
  name: 'content.storages.definition',
  summary: 'Export the definition of a storage',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(adminStoragePathParameters),
  reply: StorageDefinition,
  failures: ['CONTENT_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: adminStoragePrefix },
});

export const exportElements = operation({
  owner: 'content-repo',
  name: 'content.elements.export',
  summary: 'Export the elements of a storage',
  description: 'JSON Lines: facets in the order of the definition, in each the elements in tree order. Streamed.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 29_000,
  request: z.strictObject(adminStoragePathParameters),
  reply: renderedReply(ElementDocument, ['application/x-ndjson']),
  failures: ['CONTENT_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: `${adminStoragePrefix}/elements` },
});

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
    ...adminStoragePathParameters,
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
  http: { group: 'admin', method: 'get', path: `${adminStoragePrefix}/changes` },
});
