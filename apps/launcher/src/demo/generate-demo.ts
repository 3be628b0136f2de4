/**
 * Generates the demo: a workspace folder for each team, the same bytes each time on every machine.
 * Refuses: to apply them, which the command line does, and to draw the rows of tables, which are many.
 */
import { join } from 'node:path';
import { meridian } from './meridian.js';
import type { P2pCompany } from './p2p-data/company.js';
import { p2pModels } from './p2p-model/p2p-models.js';
import { p2pTableDefinitions } from './p2p-model/p2p-table-definitions.js';
import { northgate, tinyco } from './small-companies.js';
import { writeWorkspace, type DemoWorkspace } from './write-workspace.js';

export type DemoOrder = {
  readonly size: 'tiny' | 'demo' | 'load' | 'none';
  /** Gets a folder for each team. */
  readonly folder: string;
};

export type GeneratedWorkspace = {
  readonly team: string;
  readonly folder: string;
  /** Whose rows its tables are for. */
  readonly rowsOf?: P2pCompany;
};

export const generateDemo = async ({ size, folder }: DemoOrder): Promise<readonly GeneratedWorkspace[]> => {
  if (size === 'none') return [];
  const workspaces: readonly (DemoWorkspace & Pick<GeneratedWorkspace, 'rowsOf'>)[] = [
    { team: 'meridian', name: 'Meridian Coatings', storage: meridian(size), ...purchaseToPayOf('meridian') },
    { team: 'northgate', name: 'Northgate', storage: northgate(), ...purchaseToPayOf('northgate') },
    { team: 'tinyco', name: 'Tiny Company', storage: tinyco() },
  ];
  const written: GeneratedWorkspace[] = [];
  for (const workspace of workspaces) {
    const own = join(folder, workspace.team);
    await writeWorkspace(own, workspace);
    written.push({ team: workspace.team, folder: own, ...(workspace.rowsOf && { rowsOf: workspace.rowsOf }) });
  }
  return written;
};

const purchaseToPayOf = (company: P2pCompany) => ({
  models: p2pModels[company],
  tables: p2pTableDefinitions(),
  rowsOf: company,
});
