import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadMissingDemoTeams } from './load-missing.js';
import { readDemoSettings } from './settings.js';
import { openTerminal } from './terminal.js';

let checkout: string;
let output: string;
/** What the gateway answers, by path; 404 for anything else. */
let answers: Record<string, object>;
let status: number;
let server: Server;
let gatewayUrl: string;
const keysSeen = new Set<string | undefined>();

beforeEach(async () => {
  checkout = mkdtempSync(join(tmpdir(), 'tessera-demo-'));
  mkdirSync(join(checkout, 'apps', 'cli', 'bin'), { recursive: true });
  writeFileSync(
    join(checkout, 'apps', 'cli', 'bin', 'tessera.mjs'),
    `import { appendFileSync } from 'node:fs';
     appendFileSync(new URL('../../../calls', import.meta.url), process.argv.slice(2).join(' ') + ' ' + process.env.GATEWAY_URL + '\\n');
     console.log('done');`,
  );
  [output, answers, status] = ['', {}, 200];
  server = createServer((request, response) => {
    keysSeen.add(request.headers.authorization);
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  gatewayUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterEach(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  rmSync(checkout, { recursive: true, force: true });
});

const calls = (): readonly string[] => {
  const file = join(checkout, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').sort() : [];
};

const hasContent = (team: string, elements = 7): void => {
  const storage = { collection: 'c', storage: 's', title: 'S', elements, changedAt: '2026-01-01T00:00:00Z' };
  answers[`/admin/teams/${team}/storages`] = { storages: [storage] };
};
const hasRows = (team: string, dataVersion = 1): void => {
  const definition = { kind: 'Table', schema: 'erp', id: 'po', columns: [{ id: 'id', type: 'string' }] };
  answers[`/admin/teams/${team}/knowledge-models`] = { models: [], tables: [{ definition, dataVersion, rows: 3 }] };
};

const run = (): Promise<void> =>
  loadMissingDemoTeams({
    platform: { gatewayUrl, adminKey: 'the-key' },
    size: 'tiny',
    folder: join(checkout, 'files'),
    checkout,
    terminal: openTerminal({ write: (text) => (output += text) }, {}),
    stopping: new AbortController().signal,
  });

describe('loadMissingDemoTeams', () => {
  it('loads every team into an empty platform through its gateway', async () => {
    await run();
    const folder = join(checkout, 'files');
    expect(calls()).toEqual([
      `apply ${join(folder, 'meridian')} ${gatewayUrl}`,
      `apply ${join(folder, 'meridian-drafts')} --draft ${gatewayUrl}`,
      ...['northgate', 'tinyco'].map((team) => `apply ${join(folder, team)} ${gatewayUrl}`),
      ...['meridian', 'northgate'].map((team) => `load --allow-shrink --workspace ${join(folder, team)} ${gatewayUrl}`),
    ]);
    expect([...keysSeen]).toEqual(['Bearer the-key']);
    expect(output).not.toContain('the-key');
  });

  it('leaves teams with content and rows unchanged', async () => {
    for (const team of ['meridian', 'northgate', 'tinyco']) hasContent(team);
    for (const team of ['meridian', 'northgate']) hasRows(team);
    await run();
    expect(calls()).toEqual([]);
    expect(output).toContain('tinyco is there already');
  });

  it('repeats an incomplete load, with storages without elements or tables without rows', async () => {
    for (const team of ['meridian', 'northgate', 'tinyco']) hasContent(team, team === 'tinyco' ? 0 : 7);
    hasRows('meridian');
    hasRows('northgate', 0);
    await run();
    const folder = join(checkout, 'files');
    expect(calls()).toEqual([
      ...['northgate', 'tinyco'].map((team) => `apply ${join(folder, team)} ${gatewayUrl}`),
      `load --allow-shrink --workspace ${join(folder, 'northgate')} ${gatewayUrl}`,
    ]);
  });

  it('reports a wrong key or address, and loads nothing', async () => {
    hasContent('meridian');
    status = 403;
    await expect(run()).rejects.toThrow(/status 403.*ADMIN_KEY needs the scope admin/);
    gatewayUrl = 'http://127.0.0.1:1';
    await expect(run()).rejects.toThrow(/GATEWAY_URL cannot be reached/);
    expect(calls()).toEqual([]);
  });
});

describe('readDemoSettings', () => {
  const given = { GATEWAY_URL: 'http://gateway:8080/', ADMIN_KEY: 'secret', TESSERA_DEMO: 'tiny' };

  it('requires a gateway URL and a key, and writes files below the temporary folder', () => {
    expect(readDemoSettings(given, '/tmp')).toEqual({
      size: 'tiny',
      platform: { gatewayUrl: 'http://gateway:8080', adminKey: 'secret' },
      folder: '/tmp/tessera/demo/tiny',
    });
    expect(readDemoSettings({ ...given, TESSERA_DEMO: '', TESSERA_HOME: '/data' }, '/tmp').folder).toBe(
      '/data/demo/demo',
    );
  });

  it.each([
    ['GATEWAY_URL', 'gateway:8080'],
    ['GATEWAY_URL', ''],
    ['ADMIN_KEY', ' '],
    ['TESSERA_DEMO', 'huge'],
  ])('rejects %s "%s" and names the setting', (setting, value) => {
    expect(() => readDemoSettings({ ...given, [setting]: value }, '/tmp')).toThrow(setting);
  });
});
