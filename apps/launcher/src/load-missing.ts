/**
 * Loads the demo company into a running platform: asks the gateway which teams have their content and rows, and loads
 * the others. Never touches a team that has them.
 */
import { fillPath, type HttpBinding, type ValueOf, type ValueSchema } from '@tessera/contracts';
import { listStorages } from '@tessera/contracts/content-repo';
import { exportModelDefinitions } from '@tessera/contracts/knowledge-models';
import { generateDemo, type GeneratedWorkspace, type P2pSize } from '@tessera/demo-company';
import { ensureFolder, StartError } from '@tessera/local-stack';
import { startWritingRows, type DemoLoadContext, loadDemoTeams } from './load-demo.js';

export type Platform = { readonly gatewayUrl: string; readonly adminKey: string };

type MissingContext = Omit<DemoLoadContext, 'environment'> & {
  readonly platform: Platform;
  readonly size: P2pSize;
  /** For the files of the workspaces. */
  readonly folder: string;
};

const timeoutMs = 30_000;

export const loadMissingDemoTeams = async (context: MissingContext): Promise<void> => {
  const { platform, size, folder, terminal } = context;
  ensureFolder(folder, 0o755);
  const missing: GeneratedWorkspace[] = [];
  for (const workspace of await generateDemo({ size, folder }))
    if (await isLoaded(platform, workspace)) terminal.line('demo', `${workspace.team} is there already`);
    else missing.push(workspace);
  if (missing.length === 0) return;
  const environment = { GATEWAY_URL: platform.gatewayUrl, ADMIN_KEY: platform.adminKey };
  await terminal.step({ running: `loading the demo "${size}"`, done: `demo "${size}" loaded` }, () =>
    loadDemoTeams({ ...context, environment }, startWritingRows(size, missing, context.stopping)),
  );
};

/** Content is loaded first and rows last, so these two show whether everything between was loaded. */
const isLoaded = async (platform: Platform, { team, rowsOf }: GeneratedWorkspace): Promise<boolean> => {
  const content = await readOperation(platform, listStorages, team);
  if (content === undefined || !content.storages.some(({ elements }) => elements > 0)) return false;
  if (rowsOf === undefined) return true;
  const tables = (await readOperation(platform, exportModelDefinitions, team))?.tables ?? [];
  return tables.length > 0 && tables.every(({ dataVersion }) => dataVersion > 0);
};

/** What the gateway says of the team; undefined when it knows nothing of it. */
const readOperation = async <Reply extends ValueSchema>(
  { gatewayUrl, adminKey }: Platform,
  { http, reply }: { readonly http: HttpBinding; readonly reply: Reply },
  team: string,
): Promise<ValueOf<Reply> | undefined> => {
  const response = await fetch(`${gatewayUrl}${fillPath(http, () => team)}`, {
    headers: { authorization: `Bearer ${adminKey}` },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new StartError(`The gateway at GATEWAY_URL cannot be reached: ${String(error)}`, 'GATEWAY_URL');
  });
  if (response.status === 404) return undefined;
  const parsed = response.ok ? reply.safeParse(await response.json()) : undefined;
  if (parsed?.success) return parsed.data;
  throw new StartError(
    `The gateway at GATEWAY_URL answers with status ${response.status} and nothing that is understood here; ADMIN_KEY needs the scope admin.`,
    'ADMIN_KEY',
  );
};
