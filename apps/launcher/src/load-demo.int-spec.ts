import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadDemo, type DemoContext } from './load-demo.js';
import { resolveHomeFilePaths } from './settings.js';
import { openTerminal } from './terminal.js';

let checkout: string;
let output: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'tessera-demo-'));
  mkdirSync(join(checkout, 'apps', 'cli', 'bin'), { recursive: true });
  output = '';
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

/** A command line that does what `script` says. */
const commandLine = (script: string): void =>
  writeFileSync(join(checkout, 'apps', 'cli', 'bin', 'tessera.mjs'), script);
const recording = `
import { appendFileSync } from 'node:fs';
appendFileSync(${"new URL('../../../calls', import.meta.url)"}, process.argv.slice(2).join(' ') + ' ' + process.env.GATEWAY_URL + ' ' + process.env.ADMIN_KEY + '\\n');
`;
const calls = (): readonly string[] => {
  const file = join(checkout, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').sort() : [];
};

const context = (more: Partial<DemoContext> = {}): DemoContext => ({
  settings: { demo: 'tiny' },
  checkout,
  files: resolveHomeFilePaths(join(checkout, 'home')),
  terminal: openTerminal({ write: (text) => (output += text) }, {}),
  environment: { GATEWAY_URL: 'http://gateway', ADMIN_KEY: 'key' },
  databaseIdentity: 'one',
  stopping: new AbortController().signal,
  ...more,
});

describe('loadDemo', () => {
  it("generates a workspace for each team, applies it with the operator's key, and loads rows", async () => {
    commandLine(recording);
    await loadDemo(context());
    const folder = join(checkout, 'home', 'demo', 'tiny');
    expect(calls()).toEqual([
      `apply ${join(folder, 'meridian')} http://gateway key`,
      `apply ${join(folder, 'meridian-drafts')} --draft http://gateway key`,
      ...['northgate', 'tinyco'].map((team) => `apply ${join(folder, team)} http://gateway key`),
      ...['meridian', 'northgate'].map(
        (team) => `load --allow-shrink --workspace ${join(folder, team)} http://gateway key`,
      ),
    ]);
    expect(readdirSync(join(folder, 'meridian'))).toContain('workspace.yaml');
    for (const workspace of ['meridian', 'meridian-drafts', 'northgate']) {
      expect(readdirSync(join(folder, workspace, 'tools'))).toEqual(['p2p-tools.asset.yaml']);
      expect(readdirSync(join(folder, workspace, 'agents'))).toEqual(['p2p-analyst.agent.yaml']);
    }
    for (const team of ['meridian', 'northgate'])
      expect(readdirSync(join(folder, team, 'tables'))).toEqual(
        expect.arrayContaining(['event.csv', 'event.table.yaml', 'po_item.csv', 'po_item.table.yaml']),
      );
    expect(output).toMatch(/demo "tiny" loaded \(\d+\.\d s\)/);
  });

  it('loads each size once per database', async () => {
    commandLine(recording);
    await loadDemo(context());
    await loadDemo(context());
    expect(calls().length).toBe(6);
    await loadDemo(context({ databaseIdentity: 'two' }));
    expect(calls().length).toBe(12);
  });

  it('loads nothing when the demo is off', async () => {
    commandLine(recording);
    await loadDemo(context({ settings: { demo: 'none' } }));
    expect(calls()).toEqual([]);
  });

  it('fails with the output of the CLI, naming the setting, and retries at the next start', async () => {
    commandLine(`console.error('storage.yaml:3:1 unknown type'); process.exit(1);`);
    await expect(loadDemo(context())).rejects.toThrow(/TESSERA_DEMO=none[^]*storage\.yaml:3:1 unknown type/);
    commandLine(recording);
    await loadDemo(context());
    expect(calls().length).toBe(6);
  });
});
