/** Assets as a kind of definitions. Refuses: to judge them (check-assets.ts). */
import { AgentToolsAssetDefinition, assetDeleted, assetPublished } from '@tessera/contracts/tool-gateway';
import type { DefinitionKind } from '@tessera/definitions';
import { assetTables } from './asset-tables.repository.js';
import { compareAssets } from './compare-assets.js';

export const assetDefinitions: DefinitionKind<AgentToolsAssetDefinition> = {
  tables: assetTables,
  parse: (stored) => {
    const read = AgentToolsAssetDefinition.safeParse(stored);
    return read.success ? read.data : undefined;
  },
  compare: compareAssets,
  tellPublished: (assetId, version) => ({ event: assetPublished, data: { assetId, version } }),
  tellDeleted: (assetId) => ({ event: assetDeleted, data: { assetId } }),
};
