import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { maxYamlElements } from '@tessera/content-model';
import { exportStorageDefinition, exportElements } from '@tessera/contracts/content-repo';
import { runTessera, testKey } from '../testing/run-tessera.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';
import { createTestFolder, storageText, testFiles, workspaceText, type TestFolder } from '../testing/test-workspace.js';

let gateway: FakeGateway;
let source: TestFolder;
let target: TestFolder;
beforeEach(async () => {
  gateway = await startFakeGateway(testKey);
  source = createTestFolder(testFiles);
  target = createTestFolder();
});
afterEach(async () => {
  await gateway.stop();
  source.remove();
  target.remove();
});

const tessera = (...words: readonly string[]) => runTessera(words, { gatewayUrl: gateway.url });
const exportTo = (...more: readonly string[]) => tessera('export', target.path, ...more);

describe('export after apply', () => {
  it('writes the same files', async () => {
    await tessera('apply', source.path);
    expect(await exportTo('--team', 'meridian')).toEqual({ exitCode: 0, out: 'trial/house: 3 elements\n', err: '' });
    expect(target.all()).toEqual(source.all());
  });

  it('replaces an older workspace by the same files, with its team as the default', async () => {
    await tessera('apply', source.path);
    target.write('workspace.yaml', workspaceText.replace('Coatings', 'Paints'));
    target.write('content/house/users.elements.jsonl', '');
    target.write('tables/orders.csv', 'a,b\n');
    expect((await exportTo()).exitCode).toBe(0);
    expect(target.all()).toEqual({ ...source.all(), 'tables/orders.csv': 'a,b\n' });
  });

  it('writes a large facet as JSON Lines', async () => {
    const line = (n: number): string => `${JSON.stringify({ id: `u${n}`, type: 'user' })}\n`;
    const users = (count: number): string => Array.from({ length: count }, (_, n) => line(n)).join('');
    const withUsers = async (count: number) => {
      source.remove();
      source.write('workspace.yaml', workspaceText);
      source.write('content/house/storage.yaml', storageText);
      source.write('content/house/users.elements.jsonl', users(count));
      await tessera('apply', source.path);
      expect((await exportTo('--team', 'meridian', '--force')).exitCode).toBe(0);
      return readdirSync(join(target.path, 'content/house'));
    };
    expect(await withUsers(maxYamlElements)).toEqual(['storage.yaml', 'users.elements.yaml']);
    expect(await withUsers(maxYamlElements + 1)).toEqual(['storage.yaml', 'users.elements.jsonl']);
    expect(target.read('content/house/users.elements.jsonl')).toBe(users(maxYamlElements + 1));
  });

  it('writes large elements as JSON Lines too, because their YAML file would be too large to read', async () => {
    const users = Array.from(
      { length: 30 },
      (_, n) => `${JSON.stringify({ id: `u${n}`, type: 'user', attributes: { name: 'x\n'.repeat(10_000) } })}\n`,
    );
    source.write('content/house/users.elements.yaml', 'kind: Elements\nelements: [{ id: anna, type: user }]\n');
    source.write(
      'content/house/more.elements.jsonl',
      [
        ...users,
        ...users.map((line) => line.replace('"u', '"v')),
        ...users.map((line) => line.replace('"u', '"w')),
      ].join(''),
    );
    await tessera('apply', source.path);
    await exportTo('--team', 'meridian');
    expect(readdirSync(join(target.path, 'content/house'))).toContain('users.elements.jsonl');
    expect((await tessera('validate', target.path)).out).toBe('trial/house: 93 elements, no fault\n');
  });

  it('exports one storage and keeps the others', async () => {
    const annex = storageText.replace('id: house', 'id: annex');
    source.write('content/annex/storage.yaml', annex);
    source.write('workspace.yaml', workspaceText.replace('[trial/house]', '[trial/house, trial/annex]'));
    await tessera('apply', source.path);
    expect((await exportTo('--team', 'meridian', '--storage', 'annex')).out).toBe('trial/annex: 0 elements\n');
    expect(target.all()).toEqual({
      'content/annex/storage.yaml': annex,
      'workspace.yaml': workspaceText.replace('trial/house', 'trial/annex'),
    });
    expect((await exportTo('--storage', 'trial/house')).exitCode).toBe(0);
    expect(target.read('workspace.yaml')).toContain('[trial/annex, trial/house]');
    expect((await exportTo('--storage', 'hause')).err).toBe(
      'error: --storage: the team has no storage "hause"; did you mean "house"?\n',
    );
  });

  it('separates storages of the same name in different collections', async () => {
    source.write('content/other/storage.yaml', storageText.replace('collection: trial', 'collection: other'));
    source.write('workspace.yaml', workspaceText.replace('[trial/house]', '[trial/house, other/house]'));
    await tessera('apply', source.path);
    await exportTo('--team', 'meridian');
    expect(readdirSync(join(target.path, 'content'))).toEqual(['other.house', 'trial.house']);
    expect((await exportTo('--storage', 'house')).err).toContain(
      'is one of trial/house, other/house; name the collection too',
    );
  });
});

describe('an export writes nothing', () => {
  beforeEach(async () => void (await tessera('apply', source.path)));

  it('into a folder with other files, unless forced', async () => {
    target.write('notes.txt', 'x');
    const { exitCode, err } = await exportTo('--team', 'meridian');
    expect([exitCode, err]).toEqual([
      2,
      `error: "${target.path}" is not written to: it holds "notes.txt" and no workspace. Choose another folder, or add --force.\n`,
    ]);
    expect(target.all()).toEqual({ 'notes.txt': 'x' });
    expect((await exportTo('--team', 'meridian', '--force')).exitCode).toBe(0);
    expect(target.all()).toEqual({ ...source.all(), 'notes.txt': 'x' });
  });

  it('over the workspace of another team', async () => {
    target.write('workspace.yaml', workspaceText.replace('meridian', 'northgate'));
    expect((await exportTo('--team', 'meridian')).err).toContain('it holds a workspace of the team "northgate"');
  });

  it('into a folder with other element files, which would duplicate elements', async () => {
    target.write('workspace.yaml', workspaceText);
    target.write('content/house/my.elements.yaml', 'x');
    expect((await exportTo()).err).toContain('content/house/my.elements.yaml would stay beside the exported elements');
    expect((await exportTo('--force')).exitCode).toBe(0);
    expect(target.all()).toEqual(source.all());
  });

  it('when the stream of elements is aborted or invalid', async () => {
    const fresh = join(target.path, 'fresh');
    gateway.script(exportElements, ['break']);
    const broken = await tessera('export', fresh, '--team', 'meridian');
    expect(broken.exitCode).toBe(3);
    expect(broken.err).toMatch(/^Nothing was written to ".*"\.\nThe gateway at .* cannot be reached: /);
    for (const line of ['{"id":"a","type":"nothing"}', '{"id":5}', '[']) {
      gateway.script(exportElements, [{ text: line }]);
      expect(await tessera('export', fresh, '--team', 'meridian')).toMatchObject({
        exitCode: 3,
        err: expect.stringContaining('What the gateway sent cannot be used: a line of the export is not an element'),
      });
    }
    expect(existsSync(fresh)).toBe(false);
  });

  it('when the gateway returns an error', async () => {
    gateway.script(exportStorageDefinition, [{ status: 404, title: 'Not found', detail: 'There is no such storage.' }]);
    const { exitCode, err } = await exportTo('--team', 'meridian');
    expect(exitCode).toBe(3);
    expect(err).toBe('Not found: There is no such storage.\nRequest id: request-1\n');
    expect(target.all()).toEqual({});
  });

  it('without a team', async () => {
    expect((await exportTo()).err).toContain('--team is needed');
    target.write('file', '');
    expect((await tessera('export', join(target.path, 'file'), '--team', 'meridian')).exitCode).toBe(2);
  });
});
