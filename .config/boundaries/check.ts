/** Compares a workspace with rules.ts. Every violation names its file and line. */
import { type Import, packageOf } from '../workspace/syntax.js';
import { layerFaults } from './check-layers.js';
import { packageViolations } from './check-packages.js';
import type { Project, SourceFile, Workspace } from './read-workspace.js';
import * as rules from './rules.js';

/** `apps/gateway/src/main.ts:3 says what is wrong` */
type Violation = string;

export const violationsOf = (workspace: Workspace): readonly Violation[] =>
  workspace.projects.flatMap((project) => [
    ...project.sources.flatMap((file) => file.imports.flatMap((line) => importViolations(workspace, file, line))),
    ...project.sources.flatMap(queryViolations),
    ...packageViolations(workspace, project),
  ]);

const importViolations = (workspace: Workspace, file: SourceFile, line: Import): readonly Violation[] => {
  const at = `${file.path}:${line.line}`;
  const name = packageOf(line.specifier);
  const target = workspace.projects.find((project) => project.name === name);
  const faults =
    target === undefined
      ? foreignFaults(file, line)
      : [
          ...projectFaults(file, line, target),
          ...partFaults(workspace, file, line),
          ...callFaults(workspace, file, line),
        ];
  return [...faults, ...layerFaults(file, line)].map((fault) => `${at} ${fault}`);
};

const queryViolations = (file: SourceFile): readonly Violation[] => {
  const { projects, files } = rules.queriesOnlyIn;
  return projects.test(file.project) && !files.test(file.path) && !file.isTest
    ? file.queries.map((line) => `${file.path}:${line} sends SQL; only a repository does`)
    : [];
};

const projectFaults = (file: SourceFile, { specifier, typeOnly }: Import, target: Project): readonly string[] => {
  if (target.folder === file.project) return [`imports its own project by name; use the relative path`];
  const allowed = [...(rules.mayImport[file.project] ?? []), ...(file.isTest ? rules.forTests : [])];
  const faults = allowed.includes(target.folder) ? [] : [`${file.project} must not import ${target.folder}`];
  const isCode = !typeOnly && !file.isTest && !rules.codeForBrowsers.includes(specifier);
  if (isCode && rules.typesOnly[file.project]?.includes(target.folder))
    return [...faults, `${file.project} must import types alone of ${target.folder} ("import type")`];
  const persistence = file.project === 'apps/gateway' && target.folder === 'libs/persistence';
  return persistence && !file.isTest && !rules.gatewayPersistence.test(file.path)
    ? [...faults, 'the gateway uses libs/persistence for keys, tokens and limits only']
    : faults;
};

/** An import of a package or of Node, and relative paths that leave the project. */
const foreignFaults = (file: SourceFile, { specifier, typeOnly }: Import): readonly string[] => {
  const name = packageOf(specifier);
  if (specifier.startsWith('.')) return leavesProject(file, specifier) ? [`${specifier} leaves ${file.project}`] : [];
  const pure = file.isTest ? undefined : rules.pureLibraries[file.project];
  if (name === undefined)
    return pure !== undefined && !rules.pureNodeModules.includes(specifier)
      ? [`${file.project} is pure and must not import ${specifier}`]
      : [];
  const restriction = rules.packagesFor.find(({ packages }) => packages.test(name));
  const isFree = file.isTest || (typeOnly && restriction?.typesEverywhere === true);
  const faults =
    restriction === undefined || restriction.files.test(file.path) || isFree
      ? []
      : [`must not import ${name}: ${restriction.why}`];
  return pure !== undefined && !pure.includes(name)
    ? [...faults, `${file.project} is pure and must not import ${name}`]
    : faults;
};

const leavesProject = (file: SourceFile, specifier: string): boolean =>
  !new URL(specifier, `file:///${file.path}`).pathname.startsWith(`/${file.project}/`);

/** Where a name that `line` imports from a library is defined. */
const definitions = (workspace: Workspace, line: Import): readonly string[] => {
  const exported = workspace.exports.get(line.specifier);
  return line.names.flatMap((name) => (name === '*' ? [...(exported?.values() ?? [])] : (exported?.get(name) ?? [])));
};

const partFaults = (workspace: Workspace, file: SourceFile, line: Import): readonly string[] => {
  const parts = new Set(
    definitions(workspace, line).flatMap(
      (path) => Object.keys(rules.partsOf).find((part) => path.startsWith(part)) ?? [],
    ),
  );
  return [...parts]
    .filter((part) => !(rules.partsOf[part] ?? []).includes(file.project) && !file.isTest)
    .map((part) => `${file.project} must not import ${part}`);
};

/** The operations of other services that a file of a service names, which is how they are called. */
export const calledOperations = (workspace: Workspace, file: SourceFile, line: Import) => {
  const service = file.project.replace('apps/', '');
  if (rules.mayCall[service] === undefined || file.isTest) return [];
  const names = line.names.includes('*') ? [...workspace.operations.keys()] : line.names;
  return names
    .flatMap((name) => workspace.operations.get(name) ?? [])
    .filter(({ owner }) => owner !== service)
    .map((operation) => ({ service, ...operation }));
};

const callFaults = (workspace: Workspace, file: SourceFile, line: Import): readonly string[] =>
  line.specifier.startsWith('@tessera/contracts')
    ? calledOperations(workspace, file, line)
        .filter(({ service, owner }) => !rules.mayCall[service]?.includes(owner))
        .map(({ service, owner, name }) => `${service} must not call ${owner} (${name})`)
    : [];
