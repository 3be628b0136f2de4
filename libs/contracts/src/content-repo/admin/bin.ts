import { z } from 'zod';
import { idempotencyHeaders, idempotencyParameter, operation } from '../../operation.js';
import { adminStoragePathParameters, adminStoragePrefix } from './storages.js';

const binPrefix = `${adminStoragePrefix}/deleted`;

export const DeletedEntry = z
  .object({
    id: z.guid().describe('The element.'),
    versionId: z.guid().optional().describe('The version, when it was deleted alone; by this it is restored.'),
    version: z.string().optional().describe('Its number.'),
    facet: z.string(),
    type: z.string(),
    name: z.string().optional().describe('In the default culture of the storage, else in another one.'),
    deletedAt: z.iso.datetime(),
    deletedBy: z.string().optional().describe('The subject of the caller.'),
  })
  .meta({ id: 'DeletedEntry' });
export type DeletedEntry = z.output<typeof DeletedEntry>;

const nextPattern =
  /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z~[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const listBin = operation({
  owner: 'content-repo',
  name: 'content.bin.list',
  summary: 'List what was deleted',
  description: 'Elements and single versions, those that were deleted last first.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...adminStoragePathParameters,
    pageSize: z.int().min(1).max(1000).default(100).describe('Entries in a page.'),
    after: z
      .string()
      .regex(nextPattern, 'expected what an answer had as next')
      .refine((text) => !Number.isNaN(Date.parse(text.slice(0, text.indexOf('~')))), 'there is no such day')
      .optional()
      .describe('Continues after the page that answered this as `next`.'),
  }),
  reply: z.object({
    deleted: z.array(DeletedEntry),
    next: z.string().optional().describe('There is more: ask for it with `after`.'),
  }),
  failures: ['CONTENT_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: binPrefix },
});

export const restoreFromBin = operation({
  owner: 'content-repo',
  name: 'content.bin.restore',
  summary: 'Restore what was deleted',
  description:
    'An element comes back at its place with its versions and the references to it; its parent has to be there. A version comes back when its element is there, its number is free and the element has no other one in process.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...adminStoragePathParameters,
    id: z.guid().describe('Identifier of the element or the version, as the list of the bin has it.'),
    ...idempotencyParameter,
  }),
  reply: z
    .object({ id: z.guid(), versionId: z.guid().optional(), facet: z.string(), type: z.string() })
    .meta({ id: 'RestoredElement' }),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_CONFLICT'],
  http: { group: 'admin', method: 'post', path: `${binPrefix}/{id}/restore`, headers: idempotencyHeaders },
});

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const purgeBin = operation({
  owner: 'content-repo',
  name: 'content.bin.purge',
  summary: 'Purge what was deleted',
  description:
    'Elements and versions of the bin end with their content, relations, renditions and history. A call ends a limited number; ask again while `more` is true.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...adminStoragePathParameters,
    ...idempotencyParameter,
    purge: z
      .strictObject({
        olderThanDays: z.number().min(0).max(36_500).describe('What was deleted at least so long ago; 0: everything.'),
      })
      .meta({ id: 'PurgeDeleted' }),
  }),
  reply: z
    .object({
      elements: count.describe('Elements that ended.'),
      versions: count.describe('Single versions that ended.'),
      more: z.boolean().describe('Whether something is left that is old enough.'),
    })
    .meta({ id: 'Purged' }),
  failures: ['CONTENT_NOTFOUND'],
  http: { group: 'admin', method: 'post', path: `${binPrefix}/purge`, body: 'purge', headers: idempotencyHeaders },
});
