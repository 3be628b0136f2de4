/**
 * The pieces that the administration of content shares: path members, the state of an import, entries of lists.
 * Refuses: operations (one file each).
 */
import { z } from 'zod';
import { storageName } from '../definitions.js';

export const teamMember = z.string().min(1).max(64).describe('The team that owns the storage.');
export const teamPath = { team: teamMember };
export const adminStoragePath = {
  ...teamPath,
  collection: storageName.describe('The collection of the storage.'),
  storage: storageName.describe('The storage in its collection.'),
};
export const importPath = { ...adminStoragePath, importId: z.guid().describe('The import, as its begin answered it.') };

export const storagesPrefix = '/admin/teams/{team}/storages';
export const storagePrefix = `${storagesPrefix}/{collection}/{storage}`;
export const importsPrefix = `${storagePrefix}/imports`;
export const binPrefix = `${storagePrefix}/deleted`;

const count = (what: string) => z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe(what);

export const ImportFault = z
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
