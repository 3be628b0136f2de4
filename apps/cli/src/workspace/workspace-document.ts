/** The schemas of workspace.yaml and of the frame of an elements file; the contracts declare the rest. */
import { storageName, StorageDefinition, ElementDocument } from '@tessera/contracts';
import { AgentDefinition } from '@tessera/contracts/agents';
import { teamId } from '@tessera/contracts/gateway';
import { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import { z } from 'zod';
import type { FileKind } from './file-kinds.js';

const storageAddress = z
  .string()
  .refine((text) => {
    const parts = text.split('/');
    return parts.length === 2 && parts.every((part) => storageName.safeParse(part).success);
  }, 'expected "collection/storage"')
  .describe('`collection/storage`');

export const Workspace = z
  .strictObject({
    kind: z.literal('Workspace'),
    team: teamId.describe('The team that owns everything here.'),
    name: z.string().min(1).max(200).describe('What people call the team.'),
    storages: z
      .array(storageAddress)
      .max(200)
      .optional()
      .describe('The storages in the order in which they are applied; all that are there, by folder, when absent.'),
    partial: z
      .array(storageAddress)
      .max(200)
      .optional()
      .describe('Storages of which the files hold a part only: what a file refers to may be in the storage already.'),
  })
  .meta({ id: 'Workspace' });
export type Workspace = z.output<typeof Workspace>;

/** Entries are checked one by one, so that each has its own faults. */
export const ElementsDocument = z.strictObject({ kind: z.literal('Elements'), elements: z.array(z.unknown()) });

const Elements = z
  .strictObject({ kind: z.literal('Elements'), elements: z.array(ElementDocument) })
  .meta({ id: 'Elements' });

/** What each kind of file holds, and where it stands. */
export const fileKinds = {
  workspace: { schema: Workspace, files: 'workspace.yaml' },
  storage: { schema: StorageDefinition, files: 'content/<storage>/storage.yaml' },
  elements: { schema: Elements, files: 'content/<storage>/*.elements.yaml' },
  element: { schema: ElementDocument, files: 'a line of content/<storage>/*.elements.jsonl' },
  model: { schema: KnowledgeModelDefinition, files: 'knowledge-models/*.km.yaml' },
  table: { schema: TableDefinition, files: 'tables/*.table.yaml' },
  asset: { schema: AgentToolsAssetDefinition, files: 'tools/*.asset.yaml' },
  agent: { schema: AgentDefinition, files: 'agents/*.agent.yaml' },
} as const satisfies Readonly<Record<FileKind, { readonly schema: z.ZodType; readonly files: string }>>;

/** JSON Schema (2020-12) of a kind of file. */
export const jsonSchemaOf = (kind: FileKind): unknown => ({
  ...z.toJSONSchema(fileKinds[kind].schema, { io: 'input', target: 'draft-2020-12' }),
  title: `Tessera: ${fileKinds[kind].files}`,
});
