import type { ChildProcessHandle } from '../child.js';
import type { LoadGenerator } from '../load/load-generator.js';
import type { ProcessGroups } from '../processes.js';
import type { Product } from '../product/product.js';
import type { BenchTarget } from '../product/largest-facet.js';

export type ComparisonSide = {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Stands before every path. */
  readonly prefix: string;
};

/** The product, the floor on rows, the one on the text that the product has stored, and the one that counts each time. */
export type ComparisonSideName = 'gateway' | 'floor' | 'storedFloor' | 'countingFloor';

/** What measures of knowledge models need. */
export type KnowledgeBench = {
  readonly product: Product;
  readonly sides: Readonly<Record<ComparisonSideName, ComparisonSide>>;
  readonly floorProcess: ChildProcessHandle;
  readonly generator: LoadGenerator;
  readonly rounds: number;
  /** Length of one side of one round. */
  readonly sideMs: number;
  readonly say: (text: string) => void;
};

export type Bench = KnowledgeBench & { readonly subject: BenchTarget };

/** One line of the result. */
export type Figure = {
  readonly what: string;
  readonly actual: string;
  /** What the figure has to be, in words; only shown when absent. */
  readonly target?: string;
  readonly aim?: string;
  /** Whether the target is met. */
  readonly holds?: boolean;
};

/** The processes whose time is counted: the product's, the floor's, and the load generator's. */
export const getMeasuredProcesses = ({ product, floorProcess, generator }: KnowledgeBench): ProcessGroups => {
  const { launcher: _, ...services } = product.processes();
  return { ...services, floor: [floorProcess.pid], 'load generator': [generator.pid] };
};

/** The one process of a service; a measured product has no replicas. */
export const pidOf = (product: Product, service: string): number => {
  const [pid] = product.processes()[service] ?? [];
  if (pid === undefined) throw new Error(`The product has no process ${service}.`);
  return pid;
};
