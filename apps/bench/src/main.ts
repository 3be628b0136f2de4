/**
 * The benchmark: starts the product and the floors, measures, prints the figures, and with `--write` puts them into the
 * document. Exits with 1 when a target is missed. Never measures before floor and product return the same documents.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startChild } from './child.js';
import { storedFloorPrefix } from './floor/documents.js';
import { countingFloorPrefix } from './floor/sales-floor.js';
import { parseJson } from './json.js';
import { startLoadGenerator } from './load/load-generator.js';
import { createAgentSettings, measureAgents } from './measures/agents.js';
import type { Figure, KnowledgeBench, ComparisonSide } from './measures/bench.js';
import { waitForColumnarFiles, waitForRollup } from './measures/columnar-files.js';
import { measureColumnar, measureTenMillionRows, salesSettings } from './measures/columnar.js';
import { measureQueryCompilation } from './measures/compile.js';
import { measureConsole } from './measures/console.js';
import { measureCreateVersion } from './measures/create-version.js';
import { measureEvidence } from './measures/evidence.js';
import { measureElementById } from './measures/element-by-id.js';
import { measureImport } from './measures/import.js';
import { measureKnowledgeModelQueries } from './measures/knowledge.js';
import { measureOData } from './measures/odata.js';
import { measureRefusedRequestMemory } from './measures/refusals.js';
import { measurePolicies } from './measures/policies.js';
import { measureReportRequests } from './measures/report.js';
import { compareDocuments } from './measures/compare-documents.js';
import { kpisByPlantUrl } from './measures/sales-queries.js';
import { measureScaling } from './measures/scaling.js';
import { measureStartup } from './measures/start.js';
import { measureTools, toolSettings } from './measures/tools.js';
import { measureWritesAndReport } from './measures/writes-and-report.js';
import {
  checkoutFolder,
  type Product,
  attachToRunningProduct,
  startProduct,
  defaultHome,
  requireVariable,
} from './product/product.js';
import { findBenchTarget, type BenchTarget, benchTeam } from './product/largest-facet.js';
import {
  describeMachine,
  figureBlocks,
  formatFiguresTable,
  replaceFigureBlock,
  type FigureBlock,
} from './report/present-figures.js';
import { cleanUpOnExit } from './cleanup.js';
import { salesRowCount } from './workload/bench-model.js';
import { measureSalesLoad } from './workload/run-tessera.js';

const measures = {
  element: measureElementById,
  report: measureReportRequests,
  refusals: measureRefusedRequestMemory,
  'create-version': measureCreateVersion,
  'writes-and-report': measureWritesAndReport,
  import: measureImport,
} as const;
const readingNames = ['start', 'element', 'report', 'refusals'] as const;
/** These leave something behind, so that they are taken of a product of the benchmark's own alone, and last. */
const writingNames = ['create-version', 'writes-and-report', 'import'] as const;
/** Over a product of their own, which has nothing else to do. */
const modelNames = ['knowledge', 'policies', 'evidence', 'odata', 'tools', 'agents', 'columnar'] as const;
const measureNames = [...readingNames, ...writingNames, 'compile', ...modelNames, 'console', 'scaling'] as const;
/** Only when it is asked for: its load alone takes minutes. */
const largeName = 'columnar-10m';
const allNames = [...measureNames, largeName] as const;
type MeasureName = (typeof allNames)[number];

const { values: options } = parseArgs({
  options: {
    /** Measure the product that runs in the usual data folder, by reading alone. */
    running: { type: 'boolean', default: false },
    /** Put the figures into docs/performance-tables.md. */
    write: { type: 'boolean', default: false },
    /** Some of start, element, report, refusals, create-version, writes-and-report, import, compile, knowledge, policies, evidence, odata, tools, agents, columnar, console, scaling, columnar-10m. */
    only: { type: 'string', default: measureNames.join(',') },
    rounds: { type: 'string', default: '5' },
    /** Length of one side of one round. */
    seconds: { type: 'string', default: '4' },
  },
});

const availableMeasures: readonly MeasureName[] = options.running ? readingNames : allNames;
const selectedMeasures = availableMeasures.filter((name) => options.only.split(',').includes(name));
const print = (text: string): void => console.error(`bench | ${text}`);

/** The public URL in the product's documents, which may differ from its address. */
const publicUrlOf = async ({ origin, headers }: ComparisonSide, { facetsPath }: BenchTarget): Promise<string> => {
  const response = await fetch(origin + facetsPath, { headers });
  const { values } = parseJson<{ readonly values: readonly { readonly views: string }[] }>(await response.text());
  return new URL(values[0]?.views ?? '').origin;
};

type OpenBench = { readonly bench: KnowledgeBench; readonly close: () => Promise<void> };

/** `publicUrl`: what documents of the product begin with, for the floor to say the same. */
const openBench = async (
  product: Product,
  publicUrl: (gateway: ComparisonSide) => Promise<string>,
): Promise<OpenBench> => {
  const { environment } = product;
  const gateway: ComparisonSide = {
    origin: requireVariable(environment, 'GATEWAY_URL'),
    headers: { AppKey: requireVariable(environment, 'DEMO_KEY') },
    prefix: '',
  };
  const floorProcess = startChild('./floor/floor-process.js', {
    FLOOR_DATABASE_URL: requireVariable(environment, 'DATABASE_URL'),
    FLOOR_TENANT: benchTeam,
    FLOOR_PUBLIC_URL: await publicUrl(gateway),
  });
  const floor = { origin: String(await floorProcess.next()), headers: {}, prefix: '' };
  const generator = startLoadGenerator();
  const sides = {
    gateway,
    floor,
    storedFloor: { ...floor, prefix: storedFloorPrefix },
    countingFloor: { ...floor, prefix: countingFloorPrefix },
  };
  const [rounds, sideMs] = [Number(options.rounds), Number(options.seconds) * 1_000];
  return {
    bench: { product, sides, floorProcess, generator, rounds, sideMs, say: print },
    close: async () => {
      await generator.stop();
      await floorProcess.stop();
    },
  };
};

const measureContent = async (product: Product, names: readonly ContentMeasure[]): Promise<readonly Figure[]> => {
  const subject = await findBenchTarget(requireVariable(product.environment, 'DATABASE_URL'));
  const { bench, close } = await openBench(product, (gateway) => publicUrlOf(gateway, subject));
  try {
    const content = { ...bench, subject };
    await compareDocuments(content);
    const figures: Figure[] = [];
    for (const name of names) {
      print(`measuring: ${name}`);
      figures.push(...(await measures[name](content)));
    }
    return figures;
  } finally {
    await close();
  }
};

const modelMeasures = {
  knowledge: measureKnowledgeModelQueries,
  policies: measurePolicies,
  evidence: measureEvidence,
  odata: measureOData,
  tools: measureTools,
  agents: measureAgents,
  // It loads the table anew, so it comes last.
  columnar: measureColumnar,
};
type ModelMeasure = keyof typeof modelMeasures;
type ModelBlocks = Pick<Blocks, 'models' | 'odata' | 'tools' | 'agents' | 'columnar'>;

const measureModels = async (product: Product, names: readonly ModelMeasure[]): Promise<ModelBlocks> => {
  const { bench, close } = await openBench(product, ({ origin }) => Promise.resolve(origin));
  try {
    const loading = await measureSalesLoad(bench, salesRowCount);
    // Their making would slow what is measured meanwhile.
    await waitForColumnarFiles(product, [kpisByPlantUrl(1)]);
    await waitForRollup(product);
    const measure = (name: ModelMeasure) => {
      if (!names.includes(name)) return [];
      print(`measuring: ${name}`);
      return modelMeasures[name](bench);
    };
    const knowledge = await measure('knowledge');
    const models = [
      ...(knowledge.length > 0 ? [loading, ...knowledge] : []),
      ...(await measure('policies')),
      ...(await measure('evidence')),
    ];
    return {
      models,
      odata: await measure('odata'),
      tools: await measure('tools'),
      agents: await measure('agents'),
      columnar: await measure('columnar'),
    };
  } finally {
    await close();
  }
};

const withProduct = async <T>(
  start: () => Product | Promise<Product>,
  measure: (product: Product) => Promise<T>,
): Promise<T> => {
  const product = await start();
  try {
    return await measure(product);
  } finally {
    await product.stop();
  }
};

type ContentMeasure = keyof typeof measures;
const isContentMeasure = (name: MeasureName): name is ContentMeasure => name in measures;

type Blocks = Readonly<Record<FigureBlock, readonly Figure[]>>;

const run = async (): Promise<Blocks> => {
  const blocks = await measureProducts();
  const rounds = Number(options.rounds);
  const pages = selectedMeasures.includes('console')
    ? await withProduct(
        () => startProduct('demo'),
        (product) => measureConsole(product, rounds, print),
      )
    : [];
  const bounds = { rounds, sideMs: Number(options.seconds) * 1_000 };
  const scaling = selectedMeasures.includes('scaling') ? await measureScaling({ ...bounds, say: print }) : [];
  const large = selectedMeasures.includes(largeName)
    ? await withProduct(() => startProduct('none', salesSettings), measureLargeTable)
    : [];
  return { ...blocks, console: pages, scaling, [largeName]: large };
};

const measureLargeTable = async (product: Product): Promise<readonly Figure[]> => {
  const { bench, close } = await openBench(product, ({ origin }) => Promise.resolve(origin));
  try {
    return await measureTenMillionRows(bench);
  } finally {
    await close();
  }
};

const measureProducts = async (): Promise<ModelBlocks & Pick<Blocks, 'content'>> => {
  const content: Figure[] = [];
  if (selectedMeasures.includes('start') && !options.running) {
    print('measuring: start');
    content.push(...(await measureStartup()));
  }
  const names = selectedMeasures.filter(isContentMeasure);
  if (names.length > 0) {
    print(options.running ? 'using the product that runs' : 'starting the product with 10,000 elements');
    const start = () => (options.running ? attachToRunningProduct(defaultHome()) : startProduct('load'));
    content.push(...(await withProduct(start, (product) => measureContent(product, names))));
  }
  const compiled = selectedMeasures.includes('compile') ? measureQueryCompilation() : [];
  const selectedModels = modelNames.filter((name) => selectedMeasures.includes(name));
  if (selectedModels.length === 0) return { content, models: compiled, odata: [], tools: [], agents: [], columnar: [] };
  print('starting the product without a demo');
  const script = startChild('./floor/fake-model-process.js');
  try {
    const settings = { ...toolSettings, ...createAgentSettings(String(await script.next())) };
    const { models, ...others } = await withProduct(
      () => startProduct('none', settings),
      (product) => measureModels(product, selectedModels),
    );
    return { content, models: [...compiled, ...models], ...others };
  } finally {
    await script.stop();
  }
};

const methodText = (loadBefore: number): string => {
  const command = ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ');
  const day = new Date().toISOString().slice(0, 10);
  return `Measured with \`${command}\` on ${day}, load average ${loadBefore.toFixed(1)} before: ${describeMachine()}.`;
};

const writeDocument = (blocks: Blocks, how: string): void => {
  const path = join(checkoutFolder, 'docs', 'performance-tables.md');
  let document = readFileSync(path, 'utf8');
  for (const block of figureBlocks)
    if (blocks[block].length > 0) document = replaceFigureBlock(document, block, blocks[block], how);
  writeFileSync(path, document);
  print(`wrote ${path}`);
};

cleanUpOnExit();
const [loadBefore = 0] = loadavg();
if (loadBefore > 1) print(`the machine is busy (load average ${loadBefore.toFixed(1)}); the figures will mean little`);
const blocks = await run();
const figures = Object.values(blocks).flat();
console.log(formatFiguresTable(figures));
if (options.write) writeDocument(blocks, methodText(loadBefore));
process.exit(figures.some(({ holds }) => holds === false) ? 1 : 0);
