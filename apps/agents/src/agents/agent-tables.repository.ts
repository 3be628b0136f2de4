/** The tables of agents. Refuses: to know what a definition says. */
import { versionedDefinitions } from '@tessera/persistence';

export const agentTables = versionedDefinitions('agents', 'agent');
