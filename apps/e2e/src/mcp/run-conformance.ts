/** Runs the official conformance runner against a server for one revision and returns the result of each check. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseJson, textOf } from '../json.js';

const expectedFailuresFile = fileURLToPath(new URL('expected-failures.yml', import.meta.url));

export type ExpectedFailure = {
  readonly scenario: string;
  /** One check of the scenario; absent when none of them applies. */
  readonly check?: string;
  readonly reason: string;
};

export const readExpectedFailures = (): readonly ExpectedFailure[] => {
  const entries: ExpectedFailure[] = [];
  let reason = '';
  for (const line of readFileSync(expectedFailuresFile, 'utf8').split('\n')) {
    reason = /^ +# (.+)$/.exec(line)?.[1] ?? reason;
    const [, scenario, check] = /^ +- ([a-z0-9-]+)(?::([a-z0-9-]+))?$/.exec(line) ?? [];
    if (scenario !== undefined) entries.push({ scenario, ...(check !== undefined && { check }), reason });
  }
  return entries;
};

export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

export type Check = { readonly id: string; readonly status: string; readonly message: string };
export type Scenario = { readonly name: string; readonly checks: readonly Check[] };
export type ConformanceRun = {
  /** 0 when everything failed as expected, and nothing that was expected to fail passed. */
  readonly exitCode: number | null;
  readonly output: string;
  readonly scenarios: readonly Scenario[];
};

/** A program, not a library: it is started, not imported. */
const runnerPackage = '@modelcontextprotocol/conformance';
const runnerPath = join(
  dirname(createRequire(import.meta.url).resolve(`${runnerPackage}/package.json`)),
  'dist',
  'index.js',
);

export const runConformance = async (url: string, revision: Revision): Promise<ConformanceRun> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-conformance-'));
  try {
    const scenarioNames = ['server', '--url', url, '--requirements', revision, '--output-dir', folder];
    const { exitCode, output } = await run([...scenarioNames, '--expected-failures', expectedFailuresFile]);
    return { exitCode, output, scenarios: await readScenarios(folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const run = (args: readonly string[]): Promise<Pick<ConformanceRun, 'exitCode' | 'output'>> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [runnerPath, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const append = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });

/** A folder for each scenario: `server-<scenario>-<instant>`. */
const readScenarios = async (folder: string): Promise<readonly Scenario[]> =>
  Promise.all(
    (await readdir(folder)).sort().map(async (name) => ({
      name: name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, ''),
      checks: checksIn(parseJson(await readFile(join(folder, name, 'checks.json'), 'utf8'))),
    })),
  );

const checksIn = (document: unknown): readonly Check[] => {
  if (!Array.isArray(document)) throw new Error('checks.json holds no list.');
  return document.map((check: unknown) => ({
    id: textOf(check, 'id'),
    status: textOf(check, 'status'),
    message: textOf(check, 'errorMessage'),
  }));
};
