/**
 * Loads the demo company through the gateway: generates its workspaces into the data folder and applies them with the
 * command line, once per size and database, then the drafts and the rows of the tables. Never loads what is there
 * already, so that changes by people stay.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { generateDemo, writeP2pTables, type GeneratedWorkspace, type P2pSize } from '@tessera/demo-company';
import { ensureFolder, StartError } from '@tessera/local-stack';
import { writePrivateFile } from './private-file.js';
import type { HomeFilePaths, Settings } from './settings.js';
import type { Terminal } from './terminal.js';

export type DemoLoadContext = {
  readonly checkout: string;
  readonly terminal: Terminal;
  /** Where the gateway is and the key of the operator, as GATEWAY_URL and ADMIN_KEY. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stopping: AbortSignal;
};

type GenerationContext = Pick<DemoLoadContext, 'stopping'> & {
  readonly settings: Pick<Settings, 'demo'>;
  readonly files: Pick<HomeFilePaths, 'demo'>;
};

export type DemoContext = DemoLoadContext &
  GenerationContext & {
    /** Tells one database from another; a new one needs the demo again. */
    readonly databaseIdentity: string;
    /** What `startGeneratingDemo` began. */
    readonly drawn?: GeneratedDemo | undefined;
  };

/** Its rows are still being written into its folder; absent for a workspace without tables. */
export type WorkspaceWithRows = GeneratedWorkspace & { readonly rows?: Promise<void> };

type GeneratedDemo = Promise<readonly WorkspaceWithRows[]>;

type Marker = { readonly size: string; readonly database: string };

const markerIn = ({ files }: GenerationContext): string => join(files.demo, 'loaded.json');

const readMarker = (path: string): Partial<Marker> =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Marker>) : {};

/** Runs the command line; rejects with what it wrote when it fails. */
const runTessera = (context: DemoLoadContext, team: string, ...words: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const { checkout, terminal, environment, stopping } = context;
    const child = spawn(process.execPath, [join(checkout, 'apps', 'cli', 'bin', 'tessera.mjs'), ...words], {
      env: { PATH: process.env['PATH'], GATEWAY_URL: environment['GATEWAY_URL'], ADMIN_KEY: environment['ADMIN_KEY'] },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: stopping,
    });
    const written: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        written.push(line);
        terminal.line('demo', line);
      });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new StartError(
            `The demo of ${team} was not loaded; set TESSERA_DEMO=none to start without it.\n${written.slice(-10).join('\n')}`,
            'TESSERA_DEMO',
          ),
        );
    });
  });

/** Begins to write the rows of each workspace into its folder. */
export const startWritingRows = (
  size: P2pSize,
  workspaces: readonly GeneratedWorkspace[],
  stopping: AbortSignal,
): readonly WorkspaceWithRows[] =>
  workspaces.map((workspace) => {
    const { rowsOf: company, folder } = workspace;
    if (company === undefined) return workspace;
    const rows = writeP2pTables({ size, company, folder, stopping });
    // `loadTeam` waits for it and fails with it, perhaps later.
    rows.catch(() => undefined);
    return { ...workspace, rows };
  });

const drawFreshRows = async ({ settings: { demo: size }, files, stopping }: GenerationContext): GeneratedDemo => {
  if (size === 'none') return [];
  const folder = join(files.demo, size);
  ensureFolder(folder, 0o755);
  return startWritingRows(size, await generateDemo({ size, folder }), stopping);
};

/** Begins to draw a demo that was never loaded here, so that it is there when the services are. */
export const startGeneratingDemo = (context: GenerationContext): GeneratedDemo | undefined => {
  if (readMarker(markerIn(context)).size === context.settings.demo) return undefined;
  const drawn = drawFreshRows(context);
  // `loadDemo` waits for it and fails with it, perhaps later.
  drawn.catch(() => undefined);
  return drawn;
};

/** Definitions are applied while the rows are drawn. The rows are loaded last: a team that has them has everything. */
const loadTeam = async (context: DemoLoadContext, { team, folder, drafts, rows }: WorkspaceWithRows): Promise<void> => {
  const applyAll = async (): Promise<void> => {
    await runTessera(context, team, 'apply', folder);
    if (drafts !== undefined) await runTessera(context, team, 'apply', drafts, '--draft');
  };
  throwFirstError(await Promise.allSettled([applyAll(), rows]));
  if (rows) await runTessera(context, team, 'load', '--allow-shrink', '--workspace', folder);
};

/** All at the same time. */
export const loadDemoTeams = async (
  context: DemoLoadContext,
  workspaces: readonly WorkspaceWithRows[],
): Promise<void> =>
  throwFirstError(await Promise.allSettled(workspaces.map((workspace) => loadTeam(context, workspace))));

/** Only when nothing runs any more may the start fail: the next one would meet it. */
const throwFirstError = (outcomes: readonly PromiseSettledResult<unknown>[]): void => {
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
};

export const loadDemo = async (context: DemoContext): Promise<void> => {
  const { terminal, databaseIdentity, drawn } = context;
  const size = context.settings.demo;
  const marker = markerIn(context);
  const loaded = readMarker(marker);
  if (size === 'none' || (loaded.size === size && loaded.database === databaseIdentity)) return;
  await terminal.step({ running: `loading the demo "${size}"`, done: `demo "${size}" loaded` }, async () => {
    await loadDemoTeams(context, await (drawn ?? drawFreshRows(context)));
    writePrivateFile(marker, `${JSON.stringify({ size, database: databaseIdentity } satisfies Marker)}\n`);
  });
};
