/**
 * `npm run differential -- [duckdb|clickhouse]`: random questions of 1,000 random worlds (RANDOM_RUNS), answered by columns and by
 * PostgreSQL, compared to the byte, with a fresh seed that is printed (RANDOM_SEED). ClickHouse is an engine in a process, which is fetched into the cache when it is asked for.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const engines = {
  duckdb: ['columnar-properties.int-spec', 'rollup-properties.int-spec'],
  clickhouse: ['columnar-properties.int-spec', 'compile-columnar-query.int-spec', 'columnar-values.int-spec'],
};
const [engine = 'duckdb', ...more] = process.argv.slice(2);
if (!Object.hasOwn(engines, engine) || more.length > 0) {
  console.error(`Say which engine: ${Object.keys(engines).join(' or ')}.`);
  process.exit(2);
}

const seed = process.env.RANDOM_SEED ?? String(Math.floor(Date.now() / 1000));
console.log(`RANDOM_SEED=${seed}`);
const jest = [
  '--no-warnings',
  join('node_modules', 'jest', 'bin', 'jest.js'),
  '--config',
  join('.config', 'jest.config.mjs'),
];
const child = spawn(process.execPath, [...jest, '--testTimeout=3600000', ...engines[engine]], {
  stdio: 'inherit',
  env: { RANDOM_RUNS: '1000', ...process.env, RANDOM_SEED: seed, DIFFERENTIAL_ENGINE: engine },
});
child.on('exit', (code) => process.exit(code ?? 1));
