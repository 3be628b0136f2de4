import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listStorages } from '@tessera/contracts/content-repo';
import { applyModelDefinitions } from '@tessera/contracts/knowledge-models';
import { nonEmptyLines, runTessera, testKey } from '../testing/run-tessera.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';
import {
  dataDefinitionFiles,
  createTestFolder,
  modelText,
  testFiles,
  type TestFolder,
} from '../testing/test-workspace.js';

let gateway: FakeGateway;
let folder: TestFolder;
beforeEach(async () => {
  gateway = await startFakeGateway(testKey);
  folder = createTestFolder(dataDefinitionFiles);
});
afterEach(async () => {
  await gateway.stop();
  folder.remove();
});

const run = (command: string, ...more: readonly string[]) =>
  runTessera([command, folder.path, ...more], { gatewayUrl: gateway.url });

const changedModel = modelText.replace('Purchase to pay', 'Purchase');
const modelFile = 'knowledge-models/p2p.base-km.km.yaml';

describe('tessera diff', () => {
  it('prints what would be created and changed, and changes nothing', async () => {
    expect(nonEmptyLines((await run('diff')).out)[0]).toBe('table p2p.po_item: created');
    await run('apply');
    folder.write(modelFile, changedModel);
    const { exitCode, out } = await run('diff');
    expect(nonEmptyLines(out)).toEqual([
      'table p2p.po_item: unchanged',
      'knowledge model p2p.base-km: changed (1 change)',
      '    description changed',
      'knowledge model p2p.de-km: unchanged',
    ]);
    expect(exitCode).toBe(0);
    expect(gateway.requests.at(-1)).toMatchObject({ apply: { mode: 'check' } });
    expect(gateway.knowledge.definitions.get('KnowledgeModel p2p.base-km')).toContain('Purchase to pay');
  });

  it('marks breaking changes', async () => {
    gateway.script(applyModelDefinitions, [
      {
        definitions: [
          {
            ...{ kind: 'KnowledgeModel', id: 'p2p.base-km', state: 'changed' },
            changes: [
              { path: 'kpis.VALUE', change: 'removed', breaks: true },
              { path: 'kpis.NEW', change: 'added', breaks: false },
            ],
          },
        ],
        breaks: [{ id: 'p2p.de-km', message: 'expression of VALUE is missing' }],
      },
    ]);
    expect(nonEmptyLines((await run('diff')).out)).toEqual([
      'knowledge model p2p.base-km: changed (2 changes, 1 of them breaking)',
      '  ! kpis.VALUE removed',
      '    kpis.NEW added',
      '! knowledge model p2p.de-km would not fit any more: expression of VALUE is missing',
    ]);
  });

  it('prints published models in which a record leads to one with a policy and has none', async () => {
    const openModels = [{ id: 'sales-km', message: 'records.0: ITEM leads to ORDER' }];
    gateway.script(applyModelDefinitions, [{ definitions: [], breaks: [], openModels }]);
    expect(nonEmptyLines((await run('diff')).out)).toEqual([
      '! knowledge model sales-km, as it is published: records.0: ITEM leads to ORDER',
    ]);
  });

  it('exits with 1 for changes only with --exit-code', async () => {
    expect((await run('diff', '--exit-code')).exitCode).toBe(1);
    await run('apply');
    expect((await run('diff', '--exit-code')).exitCode).toBe(0);
  });

  it('prints new storages and does not compare existing ones', async () => {
    for (const [file, text] of Object.entries(testFiles)) folder.write(file, text);
    expect(nonEmptyLines((await run('diff')).out)[0]).toBe('storage trial/house: created');
    await run('apply');
    const { out } = await run('diff', '--json');
    expect(JSON.parse(out)).toMatchObject({
      storages: [{ storage: 'trial/house', state: 'not compared' }],
      breaks: [],
    });
    expect(gateway.calls.filter((name) => name === listStorages.name)).toHaveLength(2);
  });

  it('prints faults and sends nothing', async () => {
    folder.write(modelFile, modelText.replace('AMOUNT >= 100', 'AMUONT >= 100'));
    expect((await run('diff')).exitCode).toBe(1);
    expect(gateway.calls).toEqual([]);
  });
});
