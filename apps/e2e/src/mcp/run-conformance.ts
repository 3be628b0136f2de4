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

export const mcpRevisions = ['2025-11-25', '2026-07-28'] as const;
export type McpRevision = (typeof mcpRevisions)[number];

export type ConformanceCheck = { readonly id: string; readonly status: string; readonly message: string };
export type ConformanceScenario = { readonly name: string; readonly checks: readonly ConformanceCheck[] };
export type ConformanceRun = {
  /** 0 when everything failed as expected, and nothing that was expected to fail passed. */
  readonly exitCode: number | null;
  readonly output: string;
  readonly scenarios: readonly ConformanceScenario[];
};

/** A program, not a library: it is started, not imported. */
const runnerPackage = '@modelcontextprotocol/conformance';
const runnerPath = join(
  dirname(createRequire(import.meta.url).resolve(`${runnerPackage}/package.json`)),
  'dist',
  'index.js',
);

export const runConformance = async (url: string, revision: McpRevision): Promise<ConformanceRun> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-conformance-'));
  try {
    const scenarioNames = ['server', '--url', url, '--requirements', revision, '--output-dir', folder];
    const { exitCode, output } = await run([...scenarioNames, '--expected-failures', expectedFailuresFile]);
    return { exitCode, output, scenarios: await readScenarios(folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

type AuthorizationTarget = {
  readonly issuer: string;
  readonly resource: string;
  /** Has registered `http://127.0.0.1:PORT/callback`. */
  readonly clientId: string;
  readonly port: number;
};

/** The scenarios for authorization servers; `openPage` leads a person to the address that the runner names. */
export const runAuthorizationConformance = async (
  { issuer, resource, clientId, port }: AuthorizationTarget,
  openPage: (address: string) => Promise<unknown>,
): Promise<ConformanceRun> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-conformance-'));
  const failed = new AbortController();
  let opened: Promise<unknown> | undefined;
  const openOnce = (output: string): void => {
    const address = /^http.*[?&]response_type=code.*(?=\n)/m.exec(output)?.[0];
    if (address === undefined) return;
    opened ??= openPage(address).catch((error: unknown) => {
      // The runner would wait for minutes for somebody who does not come.
      failed.abort();
      throw error;
    });
  };
  try {
    const client = ['--resource', resource, '--client-id', clientId, '--port', String(port)];
    const parameters = ['authorization', '--url', issuer, ...client, '--output-dir', folder];
    const ended = run(parameters, { onOutput: openOnce, signal: failed.signal });
    await Promise.allSettled([ended]);
    await opened;
    const { exitCode, output } = await ended;
    return { exitCode, output, scenarios: await readScenarios(folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

type RunOptions = { readonly onOutput?: (output: string) => void; readonly signal?: AbortSignal };

const run = (
  args: readonly string[],
  { onOutput, signal }: RunOptions = {},
): Promise<Pick<ConformanceRun, 'exitCode' | 'output'>> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [runnerPath, ...args], { stdio: ['ignore', 'pipe', 'pipe'], signal });
    let output = '';
    const append = (chunk: Buffer): void => {
      output += chunk.toString();
      onOutput?.(output);
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });

/** A folder for each scenario: `server-<scenario>-<instant>`, or `authorization-server-...`. */
const readScenarios = async (folder: string): Promise<readonly ConformanceScenario[]> =>
  Promise.all(
    (await readdir(folder)).sort().map(async (name) => ({
      name: name.replace(/^(?:authorization-)?server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, ''),
      checks: checksIn(parseJson(await readFile(join(folder, name, 'checks.json'), 'utf8'))),
    })),
  );

const checksIn = (document: unknown): readonly ConformanceCheck[] => {
  if (!Array.isArray(document)) throw new Error('checks.json holds no list.');
  return document.map((check: unknown) => ({
    id: textOf(check, 'id'),
    status: textOf(check, 'status'),
    message: textOf(check, 'errorMessage'),
  }));
};
