import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cancelImport, stageElements } from '@tessera/contracts/content-repo';
import { nonEmptyLines, testKey } from './testing/run-tessera.js';
import { startFakeGateway, type FakeGateway } from './testing/fake-gateway.js';
import {
  dataDefinitionFiles,
  createTestFolder,
  testFiles,
  workspaceText,
  type TestFolder,
} from './testing/test-workspace.js';

const bin = fileURLToPath(new URL('../bin/tessera.mjs', import.meta.url));
const built = fileURLToPath(new URL('../dist/main.js', import.meta.url));

type Ended = { readonly code: number | null; readonly out: string; readonly err: string };
type Running = { readonly ended: Promise<Ended>; readonly interrupt: () => void };

let gateway: FakeGateway;
let folder: TestFolder;
beforeEach(async () => {
  if (!existsSync(built)) throw new Error('Build @tessera/cli first; this spec runs what was built.');
  gateway = await startFakeGateway(testKey);
  folder = createTestFolder({ ...testFiles, 'home/env': `GATEWAY_URL=${gateway.url}\nADMIN_KEY=${testKey}\n` });
});
afterEach(async () => {
  await gateway.stop();
  folder.remove();
});

const start = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Running => {
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: folder.path,
    env: { TESSERA_HOME: `${folder.path}/home`, ...env },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (err += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
  return { ended, interrupt: () => child.kill('SIGINT') };
};

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  start(words, env).ended;

/** Much more than the program itself takes, and less than what goes through it. */
const littleMemory = { NODE_OPTIONS: '--max-old-space-size=80' };
const throughput = { count: 4_500, text: 'x'.repeat(20_000) };

describe('the tessera process', () => {
  it('resolves folders from the working directory and reads addresses from the data folder', async () => {
    const applied = await run(['apply', '.']);
    expect(applied).toMatchObject({ code: 0, err: '' });
    expect(nonEmptyLines(applied.out)[0]).toMatch(/^trial\/house: created 3, changed 0, unchanged 0/);
    expect(await run(['export', 'copy', '--team', 'meridian'])).toMatchObject({ code: 0, err: '' });
    for (const [file, text] of Object.entries(testFiles)) expect(folder.read(`copy/${file}`)).toBe(text);
  });

  it('exits with 1 for faults, 2 for invalid arguments and 3 when the gateway is unreachable', async () => {
    folder.write('empty/workspace.yaml', workspaceText);
    expect(await run(['validate', 'empty'])).toEqual({
      code: 1,
      out: 'workspace.yaml:4:12 no folder of content defines "trial/house"\n1 fault\n',
      err: '',
    });
    expect((await run(['valdate', 'empty'])).code).toBe(2);
    expect((await run(['status'], { TESSERA_HOME: `${folder.path}/nothing` })).code).toBe(3);
  });

  it('cancels the import on Ctrl-C and leaves nothing behind', async () => {
    gateway.script(stageElements, [{ status: 503, retryAfterSeconds: 5 }]);
    const running = start(['apply', '.']);
    while (!gateway.calls.includes(stageElements.name)) await new Promise((resolve) => setTimeout(resolve, 20));
    running.interrupt();
    expect(await running.ended).toMatchObject({ code: 130, err: expect.stringContaining('Interrupted.') });
    // It did not go on to ask as often as it would have.
    expect(gateway.calls.filter((name) => name === stageElements.name).length).toBeLessThan(6);
    expect(gateway.calls.at(-1)).toBe(cancelImport.name);
    expect(gateway.storages.size).toBe(0);
  });

  it('validates and imports a storage larger than its memory limit', async () => {
    const { count, text } = throughput;
    const lines = Array.from(
      { length: count },
      (_, n) => `{"id":"u${n}","type":"user","attributes":{"name":"${text}"}}`,
    );
    folder.write('content/house/load.elements.jsonl', lines.join('\n'));
    const applied = await run(['apply', '.'], littleMemory);
    expect(applied).toMatchObject({ code: 0, err: '' });
    expect(gateway.storages.get('meridian/trial/house')?.documents).toHaveLength(count + 3);
  });

  it('loads a table larger than its memory limit', async () => {
    for (const [file, text] of Object.entries(dataDefinitionFiles)) folder.write(`data/${file}`, text);
    const { count, text } = throughput;
    const rows = Array.from({ length: count }, (_, n) => `A${n},1,2.5,${text}\n`);
    folder.write('data/tables/po_item.csv', `order_no,item_no,net_amount,note\n${rows.join('')}`);
    expect(await run(['apply', 'data'])).toMatchObject({ code: 0 });
    const loaded = await run(['load', '--workspace', 'data'], littleMemory);
    expect(loaded).toMatchObject({ code: 0, err: '', out: expect.stringContaining('p2p.po_item: 4,500 rows') });
  });
});
