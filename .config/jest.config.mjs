/** One Jest configuration for all projects: TypeScript from source, ES modules, real services. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const project = (displayName, rootDir) => ({
  displayName,
  rootDir,
  testEnvironment: join(root, '.config', 'jest-environment.mjs'),
  testRunner: join(root, '.config', 'jest-runner.mjs'),
  injectGlobals: false,
  testMatch: ['<rootDir>/**/*.(spec|int-spec|e2e-spec).ts?(x)'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/', '/.nx/'],
});

/** The same name that Nx knows the project by, so that `--selectProjects {projectName}` selects it. */
const projectName = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name;

const projectsIn = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => existsSync(join(root, folder, name, 'package.json')))
    .map((name) => project(projectName(join(root, folder, name)), join(root, folder, name)));

export default {
  globalSetup: join(root, '.config', 'jest-begin.mjs'),
  testSequencer: join(root, '.config', 'jest-sequencer.mjs'),
  globalTeardown: join(root, '.config', 'jest-end.mjs'),
  projects: [...projectsIn('libs'), ...projectsIn('apps'), project('config', join(root, '.config'))],
  // Ends what hangs, on a busy machine as well; the only bound, so no hook and no test has one of its own.
  testTimeout: 180_000,
};
