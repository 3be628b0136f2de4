/** Who imports whom and who calls whom, as a committed text, so that a change of the structure shows as a diff. */
import { packageOf } from '../workspace/syntax.js';
import { calledOperations } from './check.js';
import type { Workspace } from './read-workspace.js';

const sorted = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort();

/** One line for each project, then one for each operation that a service calls. */
export const inventoryOf = (workspace: Workspace): string => {
  const folderOf = new Map(workspace.projects.map(({ name, folder }) => [name, folder]));
  const imports = workspace.projects.map((project) => {
    const targets = project.sources
      .filter(({ isTest }) => !isTest || project.folder === 'libs/testing' || project.folder === 'apps/e2e')
      .flatMap((file) => file.imports.flatMap((line) => folderOf.get(packageOf(line.specifier) ?? '') ?? []));
    return `${project.folder} imports ${sorted(targets).join(', ') || 'nothing of the workspace'}`;
  });
  const calls = workspace.projects.flatMap((project) =>
    project.sources.flatMap((file) =>
      file.imports
        .filter((line) => line.specifier.startsWith('@tessera/contracts'))
        .flatMap((line) => calledOperations(workspace, file, line))
        .map(({ service, owner, name }) => `${service} calls ${name} of ${owner}`),
    ),
  );
  return `${[...sorted(imports), '', ...sorted(calls)].join('\n')}\n`;
};
