/**
 * Generates the demo: a workspace folder for each team, and one of drafts, the same bytes each time on every machine.
 */
import { join } from 'node:path';
import { createMeridianStorage } from './meridian.js';
import type { P2pCompany } from './p2p-data/company.js';
import { northgateAnalystAgent, p2pAnalystAgents } from './p2p-analyst.js';
import { p2pModels } from './p2p-model/p2p-models.js';
import { createP2pTableDefinitions } from './p2p-model/p2p-table-definitions.js';
import { northgateToolAsset, p2pToolAssets } from './p2p-tools.js';
import { createNorthgateStorage, createTinycoStorage } from './small-companies.js';
import { writeDraftWorkspace, writeWorkspace, type DemoDefinitions, type DemoWorkspace } from './write-workspace.js';

type DemoOptions = {
  readonly size: 'tiny' | 'demo' | 'load' | 'none';
  /** Gets a folder for each team. */
  readonly folder: string;
};

export type GeneratedWorkspace = {
  readonly team: string;
  readonly folder: string;
  /** Whose rows its tables are for. */
  readonly rowsOf?: P2pCompany;
  /** A workspace of the same team that is applied after it, as drafts. */
  readonly drafts?: string;
};

export const generateDemo = async ({ size, folder }: DemoOptions): Promise<readonly GeneratedWorkspace[]> => {
  if (size === 'none') return [];
  const workspaces: readonly PlannedWorkspace[] = [
    {
      ...{
        team: 'meridian',
        name: 'Meridian Coatings',
        storage: createMeridianStorage(size),
        ...purchaseToPayOf('meridian'),
      },
      ...{ assets: [p2pToolAssets.published], agents: [p2pAnalystAgents.published] },
      drafts: { assets: [p2pToolAssets.draft], agents: [p2pAnalystAgents.draft] },
    },
    {
      ...{ team: 'northgate', name: 'Northgate', storage: createNorthgateStorage(), ...purchaseToPayOf('northgate') },
      ...{ assets: [northgateToolAsset], agents: [northgateAnalystAgent] },
    },
    { team: 'tinyco', name: 'Tiny Company', storage: createTinycoStorage() },
  ];
  const written: GeneratedWorkspace[] = [];
  for (const { rowsOf, drafts, ...workspace } of workspaces) {
    const { team, name } = workspace;
    const own = join(folder, team);
    await writeWorkspace(own, workspace);
    const ofDrafts = join(folder, `${team}-drafts`);
    if (drafts) await writeDraftWorkspace(ofDrafts, { team, name, ...drafts });
    written.push({ team, folder: own, ...(rowsOf && { rowsOf }), ...(drafts && { drafts: ofDrafts }) });
  }
  return written;
};

type PlannedWorkspace = DemoWorkspace & Pick<GeneratedWorkspace, 'rowsOf'> & { readonly drafts?: DemoDefinitions };

const purchaseToPayOf = (company: P2pCompany) => ({
  models: p2pModels[company],
  tables: createP2pTableDefinitions(),
  rowsOf: company,
});
