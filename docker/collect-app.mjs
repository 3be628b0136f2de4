/**
 * Puts what one program needs to run into a folder: its own build, the libraries of the workspace that it uses, and of every
 * package that these need what is read at run time; what the pages of the console are made of is in their files. `node docker/collect-app.mjs gateway /folder`, in the built workspace.
 * Refuses: sources, tests, what only developers need, and packages that are optional, for the product does without.
 */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { collectedFor, programs } from '../.config/supply-chain/shipped-packages.mjs';

/** Programs that are started otherwise than by `dist/main.js`. */
const entries = { launcher: 'dist/demo-main.js' };

const developersOnly = /\.(?:map|md|markdown|flow|ts|mts|cts|tsbuildinfo)$|\.(?:spec|test)\.[cm]?js$/;
/** Directly in a package. */
const developersFolder = /^(?:\.github|__tests__|tests?|specs?|benchmarks?|bench|examples?|coverage)$/;
const legalText = /^(?:licen[cs]e|notice|copying|copyright)/i;
const inlineSourceMap = /^\/\/# sourceMappingURL=data:.*$/m;

const [app = '', target = ''] = process.argv.slice(2);
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const home = `apps/${app}`;
if (target === '' || !programs.includes(app)) {
  console.error(`expected: collect-app.mjs <program> <folder>; programs are ${programs.join(', ')}`);
  process.exit(2);
}

/** A package as it was published, without packages inside it: those that are needed are collected themselves. */
const copyPackage = (place) => {
  const isNeeded = (path) => {
    if (path === place) return true;
    const name = basename(path);
    if (name === 'node_modules' || (dirname(path) === place && developersFolder.test(name))) return false;
    return legalText.test(name) || !developersOnly.test(name);
  };
  cpSync(place, join(target, place), { recursive: true, filter: isNeeded });
};

/** A folder of a build without what only tests import. The maps in its files hold the sources. */
const copyBuild = (folder) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'testing') copyBuild(path);
    } else {
      mkdirSync(join(target, folder), { recursive: true });
      const text = readFileSync(path);
      writeFileSync(
        join(target, path),
        path.endsWith('.js') ? text.toString('utf8').replace(inlineSourceMap, '') : text,
      );
    }
  }
};

const copyProject = (place) => {
  copyBuild(join(place, 'dist'));
  for (const name of ['package.json', 'bin'])
    if (existsSync(join(place, name)))
      cpSync(join(place, name), join(target, place, name), {
        recursive: true,
        filter: (path) => !developersOnly.test(path),
      });
};

const copyLink = (place) => {
  const link = join(target, place);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(place), packages[place].resolved), link);
};

const main = entries[app] ?? 'dist/main.js';
for (const place of collectedFor(packages, app)) {
  // That of another platform, which is not installed here.
  if (packages[place].optional && !existsSync(place)) continue;
  if (packages[place].link) copyLink(place);
  else if (place.includes('node_modules/')) copyPackage(place);
  else copyProject(place);
}
if (!lstatSync(join(target, home, main)).isFile()) throw new Error(`${home}/${main} is no file`);
symlinkSync(join(home, main), join(target, 'main.js'));
for (const name of ['health.mjs', 'environment.mjs']) cpSync(join('docker', name), join(target, name));
