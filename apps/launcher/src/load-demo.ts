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
import { makeFolder, StartError } from '@tessera/local-stack';
import { writePrivateFile } from './private-file.js';
import type { HomeFiles, Settings } from './settings.js';
import type { Terminal } from './terminal.js';

export type LoadContext = {
  readonly checkout: string;
  readonly terminal: Terminal;
  /** Where the gateway is and the key of the operator, as GATEWAY_URL and ADMIN_KEY. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stopping: AbortSignal;
};

export type DemoContext = LoadContext & {
  readonly settings: Pick<Settings, 'demo'>;
  readonly files: HomeFiles;
  /** Tells one database from another; a new one needs the demo again. */
  readonly databaseIdentity: string;
};

type Marker = { readonly size: string; readonly database: string };

const readMarker = (path: string): Partial<Marker> =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Marker>) : {};

/** Runs the command line; rejects with what it wrote when it fails. */
const tessera = (context: LoadContext, team: string, ...words: readonly string[]): Promise<void> =>
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

/**
 * Definitions are applied while the rows are drawn. The rows are loaded last: a team that has them has everything.
 */
const loadTeam = async (context: LoadContext, size: P2pSize, workspace: GeneratedWorkspace): Promise<void> => {
  const { team, folder, rowsOf, drafts } = workspace;
  const applyAll = async (): Promise<void> => {
    await tessera(context, team, 'apply', folder);
    if (drafts !== undefined) await tessera(context, team, 'apply', drafts, '--draft');
  };
  const written = await Promise.allSettled([
    applyAll(),
    rowsOf === undefined ? undefined : writeP2pTables({ size, company: rowsOf, folder }),
  ]);
  throwFirstError(written);
  if (rowsOf !== undefined) await tessera(context, team, 'load', '--workspace', folder);
};

/** All at the same time. */
export const loadTeams = async (
  context: LoadContext,
  size: P2pSize,
  workspaces: readonly GeneratedWorkspace[],
): Promise<void> =>
  throwFirstError(await Promise.allSettled(workspaces.map((workspace) => loadTeam(context, size, workspace))));

/** Only when nothing runs any more may the start fail: the next one would meet it. */
const throwFirstError = (outcomes: readonly PromiseSettledResult<unknown>[]): void => {
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
};

export const loadDemo = async (context: DemoContext): Promise<void> => {
  const { settings, files, terminal, databaseIdentity } = context;
  const size = settings.demo;
  const marker = join(files.demo, 'loaded.json');
  const loaded = readMarker(marker);
  if (size === 'none' || (loaded.size === size && loaded.database === databaseIdentity)) return;
  await terminal.step({ running: `loading the demo "${size}"`, done: `demo "${size}" loaded` }, async () => {
    const folder = join(files.demo, size);
    makeFolder(folder, 0o755);
    const workspaces = await generateDemo({ size, folder });
    await loadTeams(context, size, workspaces);
    writePrivateFile(marker, `${JSON.stringify({ size, database: databaseIdentity } satisfies Marker)}\n`);
  });
};
