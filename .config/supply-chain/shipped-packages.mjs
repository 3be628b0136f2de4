/**
 * The packages of the lock file that a program is shipped with, resolved as Node does; without development and optional
 * packages.
 */
import { dirname, join } from 'node:path';

/** There is an image of each. */
export const programs = ['gateway', 'content-repo', 'tool-gateway', 'agents', 'knowledge-models', 'cli', 'launcher'];

/** Programs that start another one. */
const started = { launcher: ['cli'] };

/**
 * Packages that their parents call optional since each platform has its own, and without which a program would lack what it is for: those of
 * the platforms of our images.
 */
const neededOptional = /^@duckdb\/node-bindings-linux-(?:x64|arm64)$/;

/** Projects whose build has in its files what it needs, which is shipped there and not as packages. */
const bundled = ['apps/console'];

/** Where Node finds `name` from the folder of a package: there or in a folder above. */
const placeOf = (packages, name, from) => {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (packages[place] !== undefined) return place;
    if (folder === '.') throw new Error(`${from} needs ${name}, which the lock file does not have`);
  }
};

const neededBy = (packages, place, { withOptional = false } = {}) => {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = packages[place];
  return [
    ...Object.keys({ ...dependencies, ...optionalDependencies }).filter(
      (name) => withOptional || optionalDependencies[name] === undefined || neededOptional.test(name),
    ),
    ...Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional),
  ].map((name) => placeOf(packages, name, place));
};

const projectsOf = (program) => {
  if (!programs.includes(program))
    throw new Error(`"${program}" is no program; expected one of ${programs.join(', ')}`);
  return [program, ...(started[program] ?? [])].map((name) => `apps/${name}`);
};

/** Places in the lock file, those of links and of what they lead to as well. */
export const shippedWith = (packages, program) => closureOf(packages, projectsOf(program));

/** The same without what is bundled: what has to be there as packages. */
export const collectedFor = (packages, program) => closureOf(packages, projectsOf(program), { withoutBundled: true });

/** Places of what is not for development alone: what these projects need and what that needs, optional packages included. */
export const neededInProduction = (packages, projects) => closureOf(packages, projects, { withOptional: true });

const closureOf = (packages, places, options = {}) => {
  const found = new Set(places);
  for (const place of found) {
    if (options.withoutBundled && bundled.includes(place)) continue;
    const { link, resolved } = packages[place];
    for (const needed of link ? [resolved] : neededBy(packages, place, options)) found.add(needed);
  }
  return [...found];
};

const idAt = (packages, place) => {
  const { link, resolved, name = place.replace(/^.*node_modules\//, ''), version } = packages[place];
  return link ? idAt(packages, resolved) : `${name}@${version}`;
};

/** What is at these places, each once: a link leads to another place, and a package may be in several. */
export const packagesAt = (packages, places) => {
  const found = new Map();
  for (const place of places.filter((one) => !packages[one].link)) {
    const id = idAt(packages, place);
    const needs = neededBy(packages, place).map((needed) => idAt(packages, needed));
    found.set(id, {
      id,
      name: id.slice(0, id.lastIndexOf('@')),
      version: packages[place].version,
      licence: packages[place].license,
      integrity: packages[place].integrity,
      ours: !place.includes('node_modules'),
      needs: [...new Set([...needs, ...(found.get(id)?.needs ?? [])])].sort(),
    });
  }
  return [...found.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
};
