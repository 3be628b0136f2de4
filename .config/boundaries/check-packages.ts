/**
 * Compares declared and used packages: a project declares what it imports and uses what it declares, and all projects
 * use the same versions.
 */
import { type Import, packageOf } from '../workspace/syntax.js';
import type { Project, SourceFile, Workspace } from './read-workspace.js';
import { forTests, neededBy } from './rules.js';

export const packageViolations = (workspace: Workspace, project: Project): readonly string[] => [
  ...project.sources.flatMap((file) => file.imports.flatMap((line) => undeclared(workspace, project, file, line))),
  ...unused(project).map((name) => `${project.folder}/package.json declares ${name}, which nothing uses`),
  ...otherVersions(workspace, project),
];

const undeclared = (workspace: Workspace, project: Project, file: SourceFile, line: Import): readonly string[] => {
  const name = packageOf(line.specifier);
  if (name === undefined || name === project.name) return [];
  // Test support builds on the libraries that it tests; declared both ways it would be a circle.
  if (file.isTest && forTests.includes(name.replace('@tessera/', 'libs/'))) return [];
  const known = file.isTest
    ? { ...workspace.rootDependencies, ...project.devDependencies, ...project.dependencies }
    : project.dependencies;
  const types = `@types/${name}`;
  const isKnown = name in known || types in workspace.rootDependencies || types in project.devDependencies;
  return isKnown && (name in known || file.isTest)
    ? []
    : [`${file.path}:${line.line} imports ${name}, which ${project.folder}/package.json does not declare`];
};

const usedPackages = (project: Project): ReadonlySet<string> =>
  new Set(
    project.sources.flatMap((file) => [
      ...file.imports.flatMap((line) => packageOf(line.specifier) ?? []),
      ...[...file.literals].filter((text) => text in project.dependencies || text in project.devDependencies),
    ]),
  );

const unused = (project: Project): readonly string[] => {
  const used = usedPackages(project);
  const declared = [...Object.keys(project.dependencies), ...Object.keys(project.devDependencies)];
  const isUsed = (name: string): boolean =>
    used.has(name.replace(/^@types\//, '')) || used.has(name) || used.has(neededBy[name] ?? '');
  return project.sources.length === 0 ? [] : declared.filter((name) => !isUsed(name));
};

const otherVersions = (workspace: Workspace, project: Project): readonly string[] =>
  Object.entries(project.dependencies).flatMap(([name, version]) => {
    const other = workspace.projects.find(({ dependencies }) => (dependencies[name] ?? version) !== version);
    return other === undefined
      ? []
      : [
          `${project.folder}/package.json wants ${name} ${version}, ${other.folder} wants ${name} ${other.dependencies[name]}`,
        ];
  });
