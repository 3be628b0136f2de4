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

/**
 * How many literals a project may spread into another literal (`{ ...{ a, b } }`), which saves lines and says less; where nothing is
 * named, none.
 */
export const spreadLiteralsMax = {
  'apps/agents': 100,
  'apps/cli': 60,
  'apps/console': 330,
  'apps/content-repo': 40,
  'apps/e2e': 210,
  'apps/gateway': 180,
  'apps/knowledge-models': 130,
  'apps/launcher': 10,
  'apps/tool-gateway': 20,
  'libs/contracts': 20,
  'libs/definitions': 10,
  'libs/demo-company': 50,
  'libs/failures': 10,
  'libs/filter': 40,
  'libs/json-schema': 10,
  'libs/knowledge-model': 60,
  'libs/odata': 50,
  'libs/outgoing-http': 10,
  'libs/persistence': 60,
  'libs/service-kit': 10,
  'libs/testing': 10,
};
