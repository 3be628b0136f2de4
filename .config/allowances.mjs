/** Exceptions from the rules. Each has its reason; the lists may only shrink. */

/** The configuration of a process is read once, at its start, in these places. */
export const environmentReaders = [
  'libs/service-kit/src/',
  'libs/local-stack/src/',
  'libs/testing/src/',
  'libs/demo-company/src/p2p-data/truths.spec.ts',
  'apps/launcher/',
  'apps/bench/',
  'apps/e2e/',
  'apps/cli/src/configuration',
  'apps/console/vite.config.mjs',
  '.config/',
];

/** Programs that a person runs at a terminal; everything else writes JSON lines by the logger. */
export const terminalWriters = ['apps/cli/', 'apps/launcher/', 'apps/bench/', '.config/', '.ci/'];

/** How many lines of tests a line of code has at least. */
export const testLinesPerCodeLine = { libs: 1, apps: 0.7 };

/**
 * Lines that are not weighed against tests: markup, which is looked at in a browser, and texts in several languages, which one spec
 * compares.
 */
export const isDeclarative = (path) => path.endsWith('.tsx') || /^apps\/console\/src\/messages\/[\w-]+\//.test(path);

/** Projects that are tested elsewhere. */
export const withoutTests = [
  // Declarations; every operation is exercised where it is served.
  'libs/contracts',
  // Tests themselves, and what only tests use.
  'libs/testing',
  'apps/e2e',
  '.config',
];

/** Projects with fewer tests than required; the list may only shrink. */
export const undertestedProjects = [
  'apps/content-repo',
  'apps/launcher',
  'apps/bench',
  'apps/agents',
  'apps/tool-gateway',
  'apps/knowledge-models',
  'libs/content-model',
  'libs/demo-company',
  'libs/failures',
  'libs/filter',
  'libs/local-stack',
  'libs/messaging',
  'libs/persistence',
  'libs/service-kit',
  'libs/sql',
];
