/** The bin of a storage: what was deleted and can be restored until it is purged. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { adminStoragePath, binPrefix, DeletedEntry } from './admin-parts.js';

const nextPattern =
  /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z~[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const listDeleted = operation({
  owner: 'content-repo',
  name: 'content.bin.list',
  summary: 'List what was deleted',
  description: 'Elements and single versions, those that were deleted last first.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...adminStoragePath,
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
