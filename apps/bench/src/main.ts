/**
 * The benchmark: starts the product and the floors, measures, prints the figures, and with `--write` puts them into the
 * document. Exits with 1 when a target is missed. Never measures before floor and product return the same documents.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Place, readJson } from './answers.js';
import { cleanUpOnExit, startChild } from './child.js';
import type { Bench, Figure } from './engine.js';
import type { FloorOptions } from './floor/floor.js';
import { agentSettings, measureAgents } from './measures/agents.js';
import { measureColumnar, measureTenMillionRows, waitForFiles } from './measures/columnar.js';
import { measureConsole } from './measures/console.js';
import * as content from './measures/content.js';
import { measureCreateVersion } from './measures/create-version.js';
import * as models from './measures/models.js';
import { measureOData } from './measures/odata.js';
import { measureScaling } from './measures/scaling.js';
import { measureTools, toolSettings } from './measures/tools.js';
import { measureImport, measureWritesAndReport } from './measures/writes.js';
import { describeMachine, type FigureBlock, formatFiguresTable, replaceFigureBlock } from './present-figures.js';
import { findBenchTarget } from './product/largest-facet.js';
import {
  attachToRunningProduct,
  benchTeam,
  checkoutFolder,
  type Product,
  startProduct,
  withProduct,
} from './product/product.js';
import { measureSalesLoad, salesRowCount } from './workload/bench-model.js';

/** Over the product with 10,000 elements; those that write come last, and never over a product that others use. */
const contentMeasures = {
  element: content.measureElementById,
  report: content.measureReports,
  refusals: content.measureRefusals,
  'create-version': measureCreateVersion,
  'writes-and-report': measureWritesAndReport,
  import: measureImport,
} as const;
/** Over a product of their own, which has nothing else to do; `columnar` loads the table anew, so it comes last. */
const modelMeasures = {
  knowledge: { block: 'models', measure: models.measureKnowledge },
  policies: { block: 'models', measure: models.measurePolicies },
  evidence: { block: 'models', measure: models.measureEvidence },
  odata: { block: 'odata', measure: measureOData },
  tools: { block: 'tools', measure: measureTools },
  agents: { block: 'agents', measure: measureAgents },
  columnar: { block: 'columnar', measure: measureColumnar },
} as const;
/** Only when it is asked for: its load alone takes minutes. */
const largeName = 'columnar-10m';
const otherNames = ['start', 'compile', 'console', 'scaling', largeName];
const names = [...otherNames, ...Object.keys(contentMeasures), ...Object.keys(modelMeasures)];

const { values: options } = parseArgs({
  options: {
    /** Measure the product that runs in the usual data folder, by reading alone: element, report, refusals. */
    running: { type: 'boolean', default: false },
    /** Put the figures into docs/performance-tables.md. */
    write: { type: 'boolean', default: false },
    /** Some of the names of measures, with commas between. */
    only: { type: 'string', default: names.filter((name) => name !== largeName).join() },
    rounds: { type: 'string', default: '5' },
    /** Length of one side of one round. */
    seconds: { type: 'string', default: '4' },
  },
});
const asked = options.only.split(',');
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`There is no measure ${unknown.join()}; there are ${names.join()}.`);

const runningNames = ['element', 'report', 'refusals'];
const isAsked = (name: string): boolean => asked.includes(name) && (!options.running || runningNames.includes(name));
const say = (text: string): void => console.error(`bench | ${text}`);
const scope = { rounds: Number(options.rounds), sideMs: Number(options.seconds) * 1_000, say };

const blocks = new Map<FigureBlock, Figure[]>();
const failed: string[] = [];
/** A measure that fails is told, and takes no figures of others with it. */
const attempt = async (name: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    failed.push(name);
    say(`${name} failed: ${error instanceof Error ? error.stack : String(error)}`);
  }
};
const add = async (block: FigureBlock, name: string, measure: () => Promise<readonly Figure[]>): Promise<void> => {
  if (!isAsked(name)) return;
  say(`measuring: ${name}`);
  await attempt(name, async () => {
    const figures = await measure();
    blocks.set(block, [...(blocks.get(block) ?? []), ...figures]);
  });
};

/** `publicUrl`: what documents of the product begin with, for the floor to say the same. */
const withBench = async (
  product: Product,
  publicUrl: (gateway: Place) => Promise<string>,
  measure: (bench: Bench) => Promise<void>,
): Promise<void> => {
  const headers = { AppKey: product.variable('DEMO_KEY') };
  const gateway = { origin: product.variable('GATEWAY_URL'), headers, prefix: '' };
  const floorOptions: FloorOptions = {
    databaseUrl: product.variable('DATABASE_URL'),
    tenant: benchTeam,
    publicUrl: await publicUrl(gateway),
  };
  const floorProcess = await startChild('./floor/floor.js', floorOptions);
  const floor = { origin: floorProcess.origin, headers: {}, prefix: '' };
  try {
    await measure({ ...scope, product, gateway, floor, floorProcess });
  } finally {
    await floorProcess.stop();
  }
};

const ownAddress = ({ origin }: Place): Promise<string> => Promise.resolve(origin);

const measureContent = async (product: Product): Promise<void> => {
  const subject = await findBenchTarget(product);
  // The public address in the product's documents may differ from where it listens.
  const publicUrl = async (gateway: Place): Promise<string> => {
    type Facets = { readonly values: readonly { readonly views: string }[] };
    const { values } = await readJson<Facets>(gateway, subject.facetsPath);
    return new URL(values[0]?.views ?? '').origin;
  };
  await withBench(product, publicUrl, async (bench) => {
    await content.compareDocuments({ ...bench, subject });
    for (const [name, measure] of Object.entries(contentMeasures))
      await add('content', name, () => measure({ ...bench, subject }));
  });
};

const measureModels = (product: Product): Promise<void> =>
  withBench(product, ownAddress, async (bench) => {
    const loading = await measureSalesLoad(bench, salesRowCount);
    await add('models', 'knowledge', () => Promise.resolve([loading]));
    await waitForFiles(product);
    for (const [name, { block, measure }] of Object.entries(modelMeasures))
      await add(block, name, () => measure(bench));
  });

const run = async (): Promise<void> => {
  await add('content', 'start', content.measureStartup);
  if (Object.keys(contentMeasures).some(isAsked)) {
    say(options.running ? 'using the product that runs' : 'starting the product with 10,000 elements');
    const start = () => (options.running ? attachToRunningProduct() : startProduct('load'));
    await attempt('content', () => withProduct(start(), measureContent));
  }
  await add('models', 'compile', () => Promise.resolve(models.measureQueryCompilation()));
  if (Object.keys(modelMeasures).some(isAsked)) {
    say('starting the product without a demo');
    const script = await startChild('./floor/fake-model.js');
    const settings = { ...toolSettings, ...agentSettings(script.origin) };
    await attempt('models', () => withProduct(startProduct('none', settings), measureModels));
    await script.stop();
  }
  await add('console', 'console', () =>
    withProduct(startProduct('demo'), (product) => measureConsole(product, scope.rounds, say)),
  );
  await add('scaling', 'scaling', () => measureScaling(scope));
  if (isAsked(largeName))
    await withProduct(startProduct('none', agentSettings()), (product) =>
      withBench(product, ownAddress, (bench) => add(largeName, largeName, () => measureTenMillionRows(bench))),
    );
};

const methodText = (loadBefore: number): string => {
  const command = ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ');
  const day = new Date().toISOString().slice(0, 10);
  return `Measured with \`${command}\` on ${day}, load average ${loadBefore.toFixed(1)} before: ${describeMachine()}.`;
};

const writeDocument = (how: string): void => {
  const path = join(checkoutFolder, 'docs', 'performance-tables.md');
  let document = readFileSync(path, 'utf8');
  for (const [block, figures] of blocks) document = replaceFigureBlock(document, block, figures, how);
  writeFileSync(path, document);
  say(`wrote ${path}`);
};

cleanUpOnExit();
const [loadBefore = 0] = loadavg();
if (loadBefore > 1) say(`the machine is busy (load average ${loadBefore.toFixed(1)}); the figures will mean little`);
await run();
const figures = [...blocks.values()].flat();
console.log(formatFiguresTable(figures));
if (options.write) writeDocument(methodText(loadBefore));
if (failed.length > 0) say(`failed: ${failed.join(', ')}`);
process.exit(failed.length > 0 || figures.some(({ holds }) => holds === false) ? 1 : 0);
