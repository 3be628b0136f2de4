/** How many random worlds or lives a spec tries: `usual` in each run, RANDOM_RUNS by `npm run random`. */
export const getRandomRunCount = (usual = 30): number => Number(process.env['RANDOM_RUNS'] ?? usual);

/** The engine of columns that differential specs ask: DuckDB, or `clickhouse` by `npm run differential -- clickhouse`. */
export const isDifferentialEngine = (engine: string): boolean => process.env['DIFFERENTIAL_ENGINE'] === engine;
