/**
 * `npm test`: lint, types, build and every spec, from a fresh clone. Plain JavaScript for Node 20. The last line is `N
 * passed, N failed`, counted by Jest; other failures are printed before it and fail the command too.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { openOutput } from '../apps/launcher/bin/output.mjs';
import {
  cancelPreparation,
  checkout,
  installDependencies,
  productNode,
  runTool,
  toolEnvironment,
} from '../apps/launcher/bin/prepare.mjs';
import { beginRun, finishRun } from './test-run.mjs';

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    cancelPreparation();
    process.exitCode = 130;
  });

/** Runs a tool and says how it ended; what it printed follows when it failed, in one piece. */
const check = async (title, command, parameters) => {
  const began = Date.now();
  const { succeeded, output } = await runTool(command, parameters, { env: toolEnvironment(), show: false });
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  console.log(succeeded ? `${title}: nothing wrong (${seconds} s)` : `${output}\n${title}: FAILED (${seconds} s)`);
  return succeeded;
};

const tool = (...place) => join(checkout, 'node_modules', ...place);
const configuration = (name) => join(checkout, '.config', name);
const sources = ['apps', 'libs', '.config'];

/** The types of the whole workspace are read once, for the rules that need them and for the check of the types. */
const checkRules = () =>
  check('lint and types', productNode(), [
    tool('oxlint', 'bin', 'oxlint'),
    ...['--type-aware', '--type-check', '--config', configuration('oxlint.jsonc')],
    ...sources,
  ]);

const checkLayout = () => check('layout', productNode(), [tool('oxfmt', 'bin', 'oxfmt'), '--check', checkout]);

const checkBuild = () => check('build', productNode(), [configuration('build.mjs')]);

/** Every tool sees the whole workspace at once: what is parsed and typed for one project is not done again for the next. */
const checkSources = async () => {
  const ended = [];
  for (const run of [checkRules, checkLayout]) ended.push(await run());
  return ended.every(Boolean);
};

/** What a process has loaded for a spec stays in it, so a process that holds this much is replaced. */
const bounded = '--workerIdleMemoryLimit=1200MB';
const withoutFiles = (...patterns) =>
  ['/node_modules/', '/dist/', ...patterns].map((pattern) => `--testPathIgnorePatterns=${pattern}`);
const onlyFiles = (pattern) => withoutFiles(`^(?!.*${pattern})`);

const products = join('apps', 'e2e', 'src');
const usesSharedProduct = (file) => readFileSync(join(checkout, products, file), 'utf8').includes('getSharedProduct(');
/** They use one product, which serves one spec file at a time. */
const sharing = readdirSync(join(checkout, products), { recursive: true }).filter(
  (file) => file.endsWith('.e2e-spec.ts') && usesSharedProduct(file),
);
const sharingFiles = `/e2e/src/(${sharing.join('|')})$`;
/** As many as the worker of the shared product has time for behind them, so that all workers end at the same time. */
const followingFiles = `${checkout.replaceAll(/[^\w/]/g, String.raw`\$&`)}(libs|apps/cli|apps/launcher)/`;
/** It restarts every replica of everything under load and no request may fail: nothing runs beside it. */
const alone = 'rolling-restart';

const shareOfSharedProduct = ['--maxWorkers=1', bounded, ...onlyFiles(sharingFiles)];
const shareOfFollowing = ['--maxWorkers=1', bounded, ...onlyFiles(followingFiles)];
const shareOfRest = ['--maxWorkers=100%', bounded, ...withoutFiles(sharingFiles, followingFiles, alone)];
const shareAlone = onlyFiles(alone);

/** How many tests of a file passed and failed. A file that could not run, or not end, counts as one failure. */
const countTests = ({ name, status, assertionResults }) => {
  const countOf = (wanted) => assertionResults.filter((test) => test.status === wanted).length;
  return {
    name: relative(checkout, name),
    passed: countOf('passed'),
    failed: status === 'failed' ? Math.max(1, countOf('failed')) : 0,
  };
};

/**
 * Runs the files of a share that the patterns select, or all of them when there is no pattern; answers how the tests of each went.
 * `run` is the folder of servers and data that shares have in common.
 */
const runShare = async (share, { run, patterns = process.argv.slice(2) } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-results-'));
  const results = join(folder, 'results.json');
  const jest = join(checkout, 'node_modules', 'jest', 'bin', 'jest.js');
  const parameters = ['--no-warnings', jest, '--config', join(checkout, '.config', 'jest.config.mjs')];
  try {
    const { succeeded } = await runTool(
      productNode(),
      [...parameters, ...share, '--passWithNoTests', '--json', `--outputFile=${results}`, ...patterns],
      { env: { ...toolEnvironment(), ...(run && { TESSERA_TEST_RUN: run }) }, show: true },
    );
    const files = JSON.parse(readFileSync(results, 'utf8')).testResults.map(countTests);
    return { files, succeeded: succeeded || files.some(({ failed }) => failed > 0) };
  } catch (error) {
    console.error(`The specs did not run: ${error instanceof Error ? error.message : error}`);
    return { files: [], succeeded: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** More files than these do not fail because the machine is busy. */
const mostRepeated = 3;

/** Files that failed beside others run once more, alone; a failure that does not return is told and does not count. */
const repeatFailed = async (files, run) => {
  const failed = files.filter((file) => file.failed > 0);
  if (failed.length === 0 || failed.length > mostRepeated) return { files, succeeded: true };
  const names = failed.map(({ name }) => name);
  console.log(`Once more, alone: ${names.join(', ')}`);
  const again = await runShare(['--maxWorkers=1', '--runTestsByPath'], { run, patterns: names });
  for (const { name, passed } of again.files.filter((file) => file.failed === 0))
    console.log(`UNSTABLE: ${name} failed beside other specs, and passed alone (${passed} tests)`);
  return {
    files: files.map((file) => again.files.find(({ name }) => name === file.name) ?? file),
    succeeded: again.succeeded,
  };
};

const sumOf = (files, member) => files.reduce((sum, file) => sum + file[member], 0);

let sourcesHold = false;
let specs = { passed: 0, failed: 0, succeeded: false };
try {
  await installDependencies(openOutput(process.stdout).begin);
  const checkingSources = checkSources();
  const isBuilt = await checkBuild();
  const run = await beginRun();
  // A spec waits for servers, processes and deadlines a third of its time, so there is one worker more than processors.
  const besideRest = async () => ({
    areRight: await checkingSources,
    // Its product ends with it.
    ofSharedProduct: await runShare(shareOfSharedProduct),
    ofFollowing: await runShare(shareOfFollowing, { run }),
  });
  const [{ areRight, ...beside }, ofRest] = await Promise.all([besideRest(), runShare(shareOfRest, { run })]);
  const shares = [...Object.values(beside), ofRest, await runShare(shareAlone, { run })];
  const ended = await repeatFailed(
    shares.flatMap(({ files }) => files),
    run,
  );
  sourcesHold = isBuilt && areRight;
  specs = {
    passed: sumOf(ended.files, 'passed'),
    failed: sumOf(ended.files, 'failed'),
    succeeded: [...shares, ended].every(({ succeeded }) => succeeded),
  };
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  await finishRun();
}
if (!sourcesHold) console.log('FAILED: lint, types, layout or build; see above');
if (!specs.succeeded && specs.failed === 0) console.log('FAILED: the specs did not end well; see above');
if (specs.passed === 0 && specs.failed === 0) console.log('FAILED: nothing ran');
console.log(`${specs.passed} passed, ${specs.failed} failed`);
process.exitCode = sourcesHold && specs.succeeded && specs.passed > 0 && specs.failed === 0 ? 0 : 1;
