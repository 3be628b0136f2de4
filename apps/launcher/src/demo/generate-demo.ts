/**
 * Generates the demo: a workspace folder for each team, the same bytes each time on every machine.
 * Refuses: to apply them; the command line does.
 */
import { join } from 'node:path';
import { meridian } from './meridian.js';
import { northgate, tinyco } from './small-companies.js';
import { writeWorkspace, type DemoWorkspace } from './write-workspace.js';

export type DemoOrder = {
  readonly size: 'tiny' | 'demo' | 'load' | 'none';
  /** Gets a folder for each team. */
  readonly folder: string;
};

export type GeneratedWorkspace = { readonly team: string; readonly folder: string };

export const generateDemo = async ({ size, folder }: DemoOrder): Promise<readonly GeneratedWorkspace[]> => {
  if (size === 'none') return [];
  const workspaces: readonly DemoWorkspace[] = [
    { team: 'meridian', name: 'Meridian Coatings', storage: meridian(size) },
    { team: 'northgate', name: 'Northgate', storage: northgate() },
    { team: 'tinyco', name: 'Tiny Company', storage: tinyco() },
  ];
  const written: GeneratedWorkspace[] = [];
  for (const workspace of workspaces) {
    const own = join(folder, workspace.team);
    await writeWorkspace(own, workspace);
    written.push({ team: workspace.team, folder: own });
  }
  return written;
};
