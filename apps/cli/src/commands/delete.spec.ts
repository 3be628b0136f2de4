import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteAgent } from '@tessera/contracts/agents';
import { deleteModel, deleteTable } from '@tessera/contracts/knowledge-models';
import { deleteAsset } from '@tessera/contracts/tool-gateway';
import { runTessera, testKey } from '../testing/run-tessera.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';
import { agentFiles, createTestFolder, type TestFolder } from '../testing/test-workspace.js';

let gateway: FakeGateway;
let folder: TestFolder;
beforeEach(async () => {
  gateway = await startFakeGateway(testKey);
  folder = createTestFolder(agentFiles);
  await runTessera(['apply', folder.path], { gatewayUrl: gateway.url });
});
afterEach(async () => {
  await gateway.stop();
  folder.remove();
});

const remove = (...words: readonly string[]) =>
  runTessera(['delete', ...words, '--team', 'meridian'], { gatewayUrl: gateway.url });

describe('tessera delete', () => {
  it('deletes a table by schema.table, and says what the service says of its readers', async () => {
    expect(await remove('table', 'p2p.po_item')).toMatchObject({
      exitCode: 0,
      out: 'The table p2p.po_item is deleted.\n',
    });
    expect(gateway.requests.at(-1)).toEqual({ team: 'meridian', schema: 'p2p', table: 'po_item' });
    expect((await remove('table', 'po_item')).exitCode).toBe(2);
    gateway.script(deleteTable, [{ status: 409, title: 'Conflict', detail: 'The table is read by p2p.base-km.' }]);
    const refused = await remove('table', 'p2p.po_item');
    expect([refused.exitCode, refused.err]).toEqual([3, expect.stringContaining('is read by p2p.base-km')]);
  });

  it('names assets that read a model and agents that use an asset, and deletes these in turn', async () => {
    const [model] = [...gateway.knowledge.definitions.keys()]
      .filter((name) => name.startsWith('KnowledgeModel'))
      .map((name) => name.slice('KnowledgeModel '.length));
    const refused = await remove('model', model ?? '');
    expect([refused.exitCode, refused.out]).toEqual([1, `asset p2p-tools reads the model ${model}\n`]);
    const used = await remove('asset', 'p2p-tools');
    expect([used.exitCode, used.out]).toEqual([1, 'agent p2p-analyst reads the asset p2p-tools\n']);
    const deletions = [deleteModel.name, deleteAsset.name, deleteAgent.name];
    expect(gateway.calls.filter((name) => deletions.includes(name))).toEqual([]);
    for (const words of [
      ['agent', 'p2p-analyst'],
      ['asset', 'p2p-tools'],
      ['model', model ?? '', '--json'],
    ])
      expect(await remove(...words)).toMatchObject({ exitCode: 0 });
    expect(gateway.calls.filter((name) => deletions.includes(name))).toEqual(deletions.toReversed());
  });

  it('deletes with --force what others use, and knows no other kinds', async () => {
    expect(await remove('asset', 'p2p-tools', '--force')).toMatchObject({ exitCode: 0 });
    expect((await remove('storage', 'x')).exitCode).toBe(2);
  });
});
