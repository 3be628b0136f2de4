import { z } from 'zod';
import { idempotencyHeaders, idempotencyParameter, operation } from '../../operation.js';
import { ElementDocument, StorageDefinition } from '../definitions.js';
import { adminStoragePathParameters, adminStoragePrefix } from './storages.js';

const importPath = {
  ...adminStoragePathParameters,
  importId: z.guid().describe('The import, as its begin answered it.'),
};
const importsPrefix = `${adminStoragePrefix}/imports`;

const count = (what: string) => z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe(what);

const ImportFault = z
  .object({
    in: z.string().describe('`definition` or `elements`.'),
    path: z.string().describe('The member; of elements with the ordinal first, e.g. `17.relations.owner.0`.'),
    message: z.string(),
    rule: z.string().optional(),
    suggestion: z.string().optional(),
  })
  .meta({ id: 'ImportFault' });

export const ImportStatus = z
  .object({
    importId: z.guid(),
    state: z
      .enum(['staged', 'committing', 'committed', 'refused'])
      .describe('`committing`: still at work, ask again; `refused`: nothing was stored, see the faults.'),
    staged: count('Elements staged so far.').optional(),
    created: count('Elements that were new.').optional(),
    changed: count('Elements that differed.').optional(),
    unchanged: count('Elements that were stored already as the files say.').optional(),
    versions: count('Versions that were written.').optional(),
    faults: z.array(ImportFault).optional().describe('Everything that was wrong, at most 200.'),
  })
  .meta({ id: 'ImportStatus' });
export type ImportStatus = z.output<typeof ImportStatus>;

export const beginImport = operation({
  owner: 'content-repo',
  name: 'content.imports.begin',
  summary: 'Begin an import into a storage',
  description:
    'Elements are staged under the import and take effect together at its commit. An import is kept for 24 hours.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...adminStoragePathParameters,
    ...idempotencyParameter,
    begin: z.strictObject({ definition: StorageDefinition }).meta({ id: 'BeginImport' }),
  }),
  reply: z.object({ importId: z.guid() }),
  failures: ['CONTENT_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION'],
  http: {
    group: 'admin',
    method: 'post',
    path: importsPrefix,
    body: 'begin',
    hasLargeBody: true,
    headers: idempotencyHeaders,
  },
});

export const maxStagedElements = 5_000;

export const stageElements = operation({
  owner: 'content-repo',
  name: 'content.imports.stage',
  summary: 'Stage elements of an import',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...importPath,
    ...idempotencyParameter,
    batch: z
      .strictObject({
        firstOrdinal: z
          .int()
          .min(0)
          .max(1_000_000_000)
          .describe('The place of the first element in the whole import, from 0.'),
        elements: z.array(ElementDocument).min(1).max(maxStagedElements),
      })
      .meta({ id: 'StageElements' }),
  }),
  reply: z.object({ staged: z.int().min(0).max(maxStagedElements) }),
  failures: ['CONTENT_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION', 'CONTENT_CONFLICT'],
  http: {
    group: 'admin',
    method: 'post',
    path: `${importsPrefix}/{importId}/elements`,
    body: 'batch',
    hasLargeBody: true,
    headers: idempotencyHeaders,
  },
});

export const commitImport = operation({
  owner: 'content-repo',
  name: 'content.imports.commit',
  summary: 'Commit an import',
  description:
    'Answers what was done. A large import may answer `committing` and goes on: read it, or commit again, until it is done; a second commit does nothing twice.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 29_000,
  request: z.strictObject({
    ...importPath,
    ...idempotencyParameter,
    commit: z
      .strictObject({
        overwrite: z
          .boolean()
          .optional()
          .describe(
            'What was changed over the API after the files were applied becomes as the files say it; else the import is refused. Versions that only the API made can be restored.',
          ),
      })
      .optional()
      .meta({ id: 'CommitImport' }),
  }),
  reply: ImportStatus,
  failures: ['CONTENT_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION'],
  http: {
    group: 'admin',
    method: 'post',
    path: `${importsPrefix}/{importId}/commit`,
    body: 'commit',
    headers: idempotencyHeaders,
  },
});

export const readImport = operation({
  owner: 'content-repo',
  name: 'content.imports.read',
  summary: 'Read the state of an import',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(importPath),
  reply: ImportStatus,
  failures: ['CONTENT_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: `${importsPrefix}/{importId}` },
});

export const cancelImport = operation({
  owner: 'content-repo',
  name: 'content.imports.cancel',
  summary: 'Cancel an import',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 20_000,
  request: z.strictObject(importPath),
  reply: z.object({ cancelled: z.boolean().describe('False when it was committed already.') }),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_CONFLICT'],
  http: { group: 'admin', method: 'delete', path: `${importsPrefix}/{importId}` },
});
