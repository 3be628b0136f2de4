/**
 * Generates the demo: a workspace folder for each team, and one of drafts, the same bytes each time on every machine.
 */
import { join } from 'node:path';
import { meridian } from './meridian.js';
import type { P2pCompany } from './p2p-data/company.js';
import { northgateAnalyst, p2pAnalyst } from './p2p-analyst.js';
import { p2pModels } from './p2p-model/p2p-models.js';
import { p2pTableDefinitions } from './p2p-model/p2p-table-definitions.js';
import { northgateTools, p2pTools } from './p2p-tools.js';
import { northgate, tinyco } from './small-companies.js';
import { writeDrafts, writeWorkspace, type DemoDefinitions, type DemoWorkspace } from './write-workspace.js';

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
      ...{ team: 'meridian', name: 'Meridian Coatings', storage: meridian(size), ...purchaseToPayOf('meridian') },
      ...{ assets: [p2pTools.published], agents: [p2pAnalyst.published] },
      drafts: { assets: [p2pTools.draft], agents: [p2pAnalyst.draft] },
    },
    {
      ...{ team: 'northgate', name: 'Northgate', storage: northgate(), ...purchaseToPayOf('northgate') },
      ...{ assets: [northgateTools], agents: [northgateAnalyst] },
    },
    { team: 'tinyco', name: 'Tiny Company', storage: tinyco() },
  ];
  const written: GeneratedWorkspace[] = [];
  for (const { rowsOf, drafts, ...workspace } of workspaces) {
    const { team, name } = workspace;
    const own = join(folder, team);
    await writeWorkspace(own, workspace);
    const ofDrafts = join(folder, `${team}-drafts`);
    if (drafts) await writeDrafts(ofDrafts, { team, name, ...drafts });
    written.push({ team, folder: own, ...(rowsOf && { rowsOf }), ...(drafts && { drafts: ofDrafts }) });
  }
  return written;
};

type PlannedWorkspace = DemoWorkspace & Pick<GeneratedWorkspace, 'rowsOf'> & { readonly drafts?: DemoDefinitions };

const purchaseToPayOf = (company: P2pCompany) => ({
  models: p2pModels[company],
  tables: p2pTableDefinitions(),
  rowsOf: company,
});
