import { versionedDefinitions } from '@tessera/persistence';

export const agentTables = versionedDefinitions('agents', 'agent');
