/**
 * Builds projects: each file of `src` without its types into `dist`, golden JSON as it is, and what has a `vite.config.mjs` by Vite. In the folder of a
 * project it builds that one, in the checkout all. What was built from the same text is left alone; `dist/.sources.json` says
 * from which. Plain JavaScript for Node 20.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const configuration = readFileSync(new URL('swcrc.json', import.meta.url), 'utf8');
const { exclude, ...options } = JSON.parse(configuration);
delete options.$schema;
const notBuilt = exclude.map((pattern) => new RegExp(pattern));
const versionOf = (name) =>
  JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;

const projectsBelow = (checkout) =>
  ['apps', 'libs']
    .flatMap((group) => readdirSync(join(checkout, group)).map((name) => join(checkout, group, name)))
    .filter((project) => existsSync(join(project, 'src')));

const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    : [];

const builtOf = (source) => source.replace(/\.ts$/, '.js');

/** Whole or not at all: another process may run what is there. */
const writeWhole = (path, text) => {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}.part`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
};

const readSources = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
};

/** What has to be done for a project, and the digests of its sources. */
const planOf = (project, ofEverything) => {
  const [src, dist] = [join(project, 'src'), join(project, 'dist')];
  const sources = filesIn(src).filter(
    (file) => /\.(?:ts|golden\.json)$/.test(file) && !notBuilt.some((test) => test.test(file)),
  );
  const digests = Object.fromEntries(
    sources.map((file) => [
      file,
      createHash('sha256')
        .update(ofEverything)
        .update(readFileSync(join(src, file)))
        .digest('base64url'),
    ]),
  );
  const before = readSources(join(dist, '.sources.json'));
  const present = new Set(filesIn(dist));
  const stale = sources.filter((file) => before[file] !== digests[file] || !present.has(builtOf(file)));
  const wanted = new Set(['.sources.json', ...sources.map(builtOf)]);
  const leftovers = [...present].filter((file) => !wanted.has(file) && !file.endsWith('.part'));
  return { project, src, dist, digests, stale, leftovers };
};

const workspace = fileURLToPath(new URL('..', import.meta.url));
const isOfVite = (project) => existsSync(join(project, 'vite.config.mjs'));
/** Projects whose sources are read when pages are built. */
const readByPages = ['contracts', 'failures', 'fair-queue'].map((name) => join(workspace, 'libs', name));

/** Of all that the pages of a project are made of: its own files, the contracts, and every installed package. */
const digestOfPages = (project) => {
  const digest = createHash('sha256').update(readFileSync(join(workspace, 'package-lock.json')));
  for (const folder of [project, ...readByPages.map((library) => join(library, 'src'))])
    for (const file of filesIn(folder).sort()) {
      if (/^(?:dist|node_modules)\b|\.spec\.tsx?$|\.part\b/.test(file)) continue;
      digest.update(`${file}\n`).update(readFileSync(join(folder, file)));
    }
  return digest.digest('base64url');
};

/** Vite needs a newer Node than the one that may have started this. */
const installedNode = () => {
  const installed = join(workspace, 'node_modules', 'node', 'bin', 'node');
  return existsSync(installed) ? installed : process.execPath;
};

const areBuilt = (project) =>
  existsSync(join(project, 'dist', 'index.html')) &&
  readSources(join(project, 'dist', '.sources.json')).pages === digestOfPages(project);

/** Answers how many files there are now. */
const buildPages = async (project) => {
  const [dist, unfinished] = ['dist', `dist.${process.pid}.part`].map((name) => join(project, name));
  const parameters = ['build', '--logLevel', 'warn', '--outDir', unfinished, '--emptyOutDir'];
  try {
    await promisify(execFile)(
      installedNode(),
      [join(workspace, 'node_modules', 'vite', 'bin', 'vite.js'), ...parameters],
      {
        cwd: project,
        env: { ...process.env, NODE_ENV: 'production' },
      },
    );
    // After the build, which writes the tree of routes.
    writeFileSync(join(unfinished, '.sources.json'), JSON.stringify({ pages: digestOfPages(project) }));
    rmSync(dist, { recursive: true, force: true });
    renameSync(unfinished, dist);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return filesIn(dist).length;
};

/** Builds `projects`; `tell` hears how many of those that have changed are done. Answers how many files were built. */
export const buildProjects = async (projects, tell = () => undefined) => {
  const pages = projects.filter((project) => isOfVite(project) && !areBuilt(project));
  const others = projects.filter((project) => !isOfVite(project));
  const needed = pages.length > 0 ? readByPages.filter((library) => !others.includes(library)) : [];
  const ofEverything = `${versionOf('@swc/core')}\n${configuration}`;
  const plans = [...others, ...needed]
    .map((project) => planOf(project, ofEverything))
    .filter(({ stale, leftovers }) => stale.length > 0 || leftovers.length > 0);
  const all = plans.length + pages.length;
  if (all === 0) return 0;
  let done = 0;
  const advance = () => tell(done++, all);
  advance();
  let files = await compile(plans, advance);
  for (const project of pages) {
    files += await buildPages(project);
    advance();
  }
  return files;
};

const compile = async (plans, advance) => {
  if (plans.length === 0) return 0;
  const { transformFile } = (await import('@swc/core')).default;
  await Promise.all(
    plans.map(async ({ src, dist, digests, stale, leftovers }) => {
      for (const file of leftovers) rmSync(join(dist, file), { force: true });
      await Promise.all(
        stale.map(async (file) => {
          const target = join(dist, builtOf(file));
          const sourceFileName = relative(dirname(target), join(src, file));
          if (file.endsWith('.json')) return writeWhole(target, readFileSync(join(src, file)));
          const { code } = await transformFile(join(src, file), { ...options, swcrc: false, sourceFileName });
          return writeWhole(target, code);
        }),
      );
      writeWhole(join(dist, '.sources.json'), JSON.stringify(digests));
      advance();
    }),
  );
  return plans.reduce((sum, { stale }) => sum + stale.length, 0);
};

/** Every project of a checkout. */
export const buildCheckout = (checkout, tell) => buildProjects(projectsBelow(checkout), tell);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const here = process.cwd();
  const projects = existsSync(join(here, 'src')) ? [here] : projectsBelow(here);
  const began = Date.now();
  const files = await buildProjects(projects);
  console.log(`built ${files} files of ${projects.length} projects (${((Date.now() - began) / 1000).toFixed(1)} s)`);
}
