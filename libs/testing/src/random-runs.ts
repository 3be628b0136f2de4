/** How many random worlds or lives a spec tries: `usual` in each run, RANDOM_RUNS by `npm run random`. */
export const getRandomRunCount = (usual = 30): number => Number(process.env['RANDOM_RUNS'] ?? usual);

/** RANDOM_SEED, which `npm run random` makes anew and prints, else that of the spec, with which each run does the same. */
export const getRandomSeed = (usual: number): number => Number(process.env['RANDOM_SEED'] ?? usual);

/**
 * Runs a check that a spec has tried enough, which holds for its own seed. With another seed nothing is checked: a run must not fail
 * because of the worlds that it happened to get.
 */
export const checkCoverage = (check: () => void): void => {
  if (process.env['RANDOM_SEED'] === undefined) check();
};

/** The engine of columns that differential specs ask: DuckDB, or `clickhouse` by `npm run differential -- clickhouse`. */
export const isDifferentialEngine = (engine: string): boolean => process.env['DIFFERENTIAL_ENGINE'] === engine;
