/** The tables of assets. Refuses: to know what a definition says. */
import { versionedDefinitions } from '@tessera/persistence';

export const assetTables = versionedDefinitions('tool_gateway', 'asset');
