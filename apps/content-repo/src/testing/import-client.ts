/** Imports and exports of a spec, through their handlers as the gateway calls them. */
import type { ByteReply, ElementDocument, StorageDefinition } from '@tessera/contracts';
import type { ImportStatus } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { ExportHandler } from '../export/export.handler.js';
import { ImportHandler } from '../import/import.handler.js';
import { createAdminContext, readJsonReply, readBodyText, type TestService } from './open-service.js';

export type ImportClient = {
  readonly apply: (elements: readonly ElementDocument[], options?: ApplyOptions) => Promise<Result<ByteReply>>;
  /** What was created, changed and left alone; throws when it was refused. */
  readonly applied: (elements: readonly ElementDocument[], options?: ApplyOptions) => Promise<Partial<ImportStatus>>;
  /** JSON Lines. */
  readonly exported: () => Promise<string>;
};

export type ApplyOptions = { readonly overwrite?: boolean };

export const openImportClient = (service: TestService, team: string, definition: StorageDefinition): ImportClient => {
  const imports = service.get(ImportHandler);
  const exports = service.get(ExportHandler);
  const place = { team, collection: definition.collection, storage: definition.id };
  const context = createAdminContext(team);
  const apply: ImportClient['apply'] = async (elements, { overwrite } = {}) => {
    const { importId } = await readJsonReply(imports.begin({ ...place, begin: { definition } }, context));
    const key = { ...place, importId };
    await readJsonReply(imports.stage({ ...key, batch: { firstOrdinal: 0, elements: [...elements] } }, context));
    return imports.commit({ ...key, ...(overwrite && { commit: { overwrite } }) }, context);
  };
  return {
    apply,
    applied: async (elements, options) => {
      const { created, changed, unchanged, versions } = await readJsonReply(apply(elements, options));
      return { created, changed, unchanged, versions };
    },
    exported: async () => {
      const reply = await exports.elements(place, context);
      if (!reply.ok) throw new Error(reply.failure.detail);
      return readBodyText(reply.value);
    },
  };
};
