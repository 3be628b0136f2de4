import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeTeam } from '@tessera/contracts/gateway';
import { applyModelDefinitions, beginLoad } from '@tessera/contracts/knowledge-models';
import { nonEmptyLines, runTessera, testKey } from '../testing/run-tessera.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';
import {
  dataDefinitionFiles,
  createTestFolder,
  modelText,
  tableText,
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

const modelFile = 'knowledge-models/p2p.base-km.km.yaml';

const refused = (...faults: readonly (readonly [path: string, message: string, position?: number])[]) => ({
  status: 400,
  title: 'Constraint violated',
  detail: 'The definitions have faults.',
  faults: faults.map(([path, message, position]) => ({
    ...{ in: 'body', path, message },
    ...(position !== undefined && { position }),
  })),
});

describe('apply of definitions', () => {
  it('sends models and tables in one request, bases and children together', async () => {
    const { exitCode, out } = await run('apply');
    expect(nonEmptyLines(out)).toEqual([
      'table p2p.po_item: created',
      'knowledge model p2p.base-km: created, version 1',
      'knowledge model p2p.de-km: created, version 1',
    ]);
    expect(exitCode).toBe(0);
    expect(gateway.calls).toEqual([writeTeam.name, applyModelDefinitions.name]);
    expect(gateway.requests.at(-1)).toMatchObject({
      team: 'meridian',
      apply: { mode: 'publish', againstDatabase: false },
    });
    expect(nonEmptyLines((await run('apply')).out)[1]).toBe('knowledge model p2p.base-km: unchanged, version 1');
  });

  it.each(['validate', 'diff', 'apply'])('is refused by %s for a member in the wrong place', async (command) => {
    folder.remove('knowledge-models');
    folder.write(modelFile, `${modelText}policies:\n  - {record: PO_ITEM, rows: all, scope: 'sales:all'}\n`);
    const { exitCode, out } = await run(command);
    expect(nonEmptyLines(out)).toEqual([
      `${modelFile}:18:34 unknown member "scope"; did you mean "unless.scope"?`,
      '1 fault',
    ]);
    expect(exitCode).toBe(1);
    expect(gateway.calls).toEqual([]);
  });

  it('stores drafts with --draft', async () => {
    const { out } = await run('apply', '--draft', '--json');
    expect(gateway.requests.at(-1)).toMatchObject({ apply: { mode: 'draft' } });
    expect(JSON.parse(out)).toMatchObject({
      storages: [],
      loaded: [],
      definitions: [{ id: 'p2p.po_item' }, { id: 'p2p.base-km', state: 'created' }, { id: 'p2p.de-km' }],
    });
  });

  it('applies definitions after the content', async () => {
    for (const [file, text] of Object.entries(testFiles)) folder.write(file, text);
    const { exitCode, out } = await run('apply');
    expect(exitCode).toBe(0);
    expect(nonEmptyLines(out)[0]).toMatch(/^trial\/house: created 3/);
    expect(gateway.calls.at(-1)).toBe(applyModelDefinitions.name);
  });

  it("locates the gateway's faults in the files, also inside formulas", async () => {
    gateway.script(applyModelDefinitions, [
      refused(
        ['definitions.1.records.0.augmentedAttributes.0.expression', 'There is no such thing.', 10],
        ['definitions.0.columns.2.id', 'has rows'],
        ['definitions', 'is too much'],
      ),
    ]);
    const { exitCode, out, err } = await run('apply');
    expect(exitCode).toBe(1);
    expect(nonEmptyLines(out)).toEqual([
      `${modelFile}:14:42 There is no such thing.`,
      'tables/po_item.table.yaml:7:10 has rows',
      '2 faults',
    ]);
    expect(nonEmptyLines(err)).toEqual([
      'body definitions is too much',
      'The gateway found faults; no knowledge model and no table was changed.',
    ]);
  });

  it("prints the gateway's message for a conflict", async () => {
    gateway.script(applyModelDefinitions, [
      { ...refused(['p2p.other-km', 'reads VALUE']), status: 409, title: 'Conflict', detail: 'Others need it.' },
    ]);
    expect(await run('apply')).toMatchObject({ exitCode: 3, out: '', err: expect.stringContaining('Others need it.') });
  });

  it('loads the tables that have files with --load', async () => {
    folder.write('tables/po_item.csv', 'order_no,item_no,net_amount\nA,1,2.5\nA,2,3.5\n');
    folder.write('tables/supplier.table.yaml', tableText.replaceAll('po_item', 'supplier'));
    expect(nonEmptyLines((await run('apply')).out)).toHaveLength(4);
    expect(gateway.calls).not.toContain(beginLoad.name);
    const { exitCode, out } = await run('apply', '--load');
    expect(nonEmptyLines(out).at(-1)).toMatch(/^p2p\.po_item: 2 rows in \d+\.\d s \([\d,]+ rows\/s\), data version 1$/);
    expect(exitCode).toBe(0);
    expect([...gateway.knowledge.loads.keys()]).toEqual(['p2p.po_item']);
    const { out: json } = await run('apply', '--load', '--json');
    expect(JSON.parse(json)).toMatchObject({ loaded: [{ table: 'p2p.po_item', rows: 2, dataVersion: 1 }] });
  });

  it('fails with the faults of a file that it loads', async () => {
    folder.write('tables/po_item.csv', 'order_no,item_no,amount\nA,1,2.5\n');
    const { exitCode, out, err } = await run('apply', '--load');
    expect(exitCode).toBe(1);
    expect(nonEmptyLines(out).slice(-2)).toEqual([
      `${folder.path}/tables/po_item.csv:1: unknown column of p2p.po_item "amount"; expected one of order_no, item_no, net_amount, note`,
      `${folder.path}/tables/po_item.csv:1: column net_amount: is not in the header, but every row needs a value`,
    ]);
    expect(nonEmptyLines(err).at(-1)).toBe('Nothing was loaded into p2p.po_item.');
  });
});

describe('validate', () => {
  it('reports a record that leads to one with a policy and has none, with its place', async () => {
    folder.write(
      modelFile,
      `${modelText.replace(
        'kpis:\n',
        `  - {id: ORDER, table: order, identifier: [NO], attributes: [{id: NO, column: no}]}
relationships:
  - {from: PO_ITEM, to: ORDER, on: {ORDER_NO: NO}, cardinality: many-to-one}
policies:
  - {record: ORDER, rows: NO in caller.orders}
kpis:\n`,
      )}`,
    );
    const { exitCode, out } = await run('validate');
    expect(exitCode).toBe(1);
    expect(nonEmptyLines(out)).toEqual([
      expect.stringContaining(`${modelFile}:6:5 PO_ITEM leads to ORDER, which has a policy, and has none of its own`),
      expect.stringContaining('1 fault'),
    ]);
    expect(gateway.calls).toEqual([]);
  });
});

describe('validate --against-db', () => {
  it('compares tables and columns and changes nothing', async () => {
    const { exitCode, out } = await run('validate', '--against-db');
    expect(nonEmptyLines(out)).toEqual([
      'table p2p.po_item: no fault',
      'knowledge model p2p.base-km: no fault',
      'knowledge model p2p.de-km: no fault',
    ]);
    expect(exitCode).toBe(0);
    expect(gateway.requests).toMatchObject([{ apply: { mode: 'check', againstDatabase: true } }]);
  });

  it('reports a mismatch at its position in the file', async () => {
    gateway.script(applyModelDefinitions, [
      refused(['definitions.1.records.0.attributes.2.column', 'unknown column of po_item "net_amount"']),
    ]);
    const { exitCode, out } = await run('validate', '--against-db');
    expect([exitCode, nonEmptyLines(out)[0]]).toEqual([1, `${modelFile}:12:30 unknown column of po_item "net_amount"`]);
  });

  it('notes published models in which a record leads to one with a policy and has none', async () => {
    const openModels = [{ id: 'sales-km', message: 'records.0: ITEM leads to ORDER' }];
    gateway.script(applyModelDefinitions, [{ definitions: [], breaks: [], openModels }]);
    const { exitCode, err } = await run('validate', '--against-db');
    expect([exitCode, nonEmptyLines(err)]).toEqual([
      0,
      ['! knowledge model sales-km, as it is published: records.0: ITEM leads to ORDER'],
    ]);
  });

  it('fails for published models that would not fit any more', async () => {
    const breaks = [{ id: 'sales-km', message: 'records.0.attributes.1.column: unknown column of po_item "freight"' }];
    gateway.script(applyModelDefinitions, [{ definitions: [], breaks }]);
    const { exitCode, err } = await run('validate', '--against-db');
    expect([exitCode, nonEmptyLines(err)]).toEqual([
      1,
      [`! knowledge model sales-km would not fit any more: ${breaks[0]?.message}`],
    ]);
  });

  it('compares what no file defines, which a validation without it names', async () => {
    folder.remove('tables/po_item.table.yaml');
    const models = ['p2p.base-km', 'p2p.de-km'];
    expect(nonEmptyLines((await run('validate')).out)).toEqual(
      models.map((id) => `knowledge model ${id}: no fault, not compared with p2p.po_item (--against-db does)`),
    );
    expect(JSON.parse((await run('validate', '--json')).out)).toMatchObject({
      uncompared: { 'p2p.base-km': ['p2p.po_item'], 'p2p.de-km': ['p2p.po_item'] },
    });
    expect(nonEmptyLines((await run('validate', '--against-db')).out)).toEqual(
      models.map((id) => `knowledge model ${id}: no fault`),
    );
  });

  it('sends nothing when the files have faults', async () => {
    expect((await runTessera(['validate', folder.path])).exitCode).toBe(0);
    expect(gateway.calls).toEqual([]);
  });
});

describe('export of definitions', () => {
  it('writes the files that were applied, so that applying them changes nothing', async () => {
    await run('apply');
    const copy = createTestFolder();
    try {
      const { exitCode, out } = await runTessera(['export', copy.path, '--team', 'meridian'], {
        gatewayUrl: gateway.url,
      });
      expect(nonEmptyLines(out)).toEqual([
        'table p2p.po_item',
        'knowledge model p2p.base-km',
        'knowledge model p2p.de-km',
      ]);
      expect(exitCode).toBe(0);
      expect(copy.all()).toEqual(dataDefinitionFiles);
      const again = await runTessera(['diff', copy.path, '--exit-code'], { gatewayUrl: gateway.url });
      expect(again.exitCode).toBe(0);
    } finally {
      copy.remove();
    }
  });

  it('is refused when definition files that it does not write would remain, and removes them with --force', async () => {
    await run('apply');
    folder.write('knowledge-models/mine.km.yaml', modelText.replace('p2p.base-km', 'mine'));
    const { exitCode, err } = await run('export');
    expect(exitCode).toBe(2);
    expect(err).toContain('knowledge-models/mine.km.yaml would stay beside the exported definitions');
    expect((await run('export', '--force')).exitCode).toBe(0);
    expect(folder.all()).toEqual(dataDefinitionFiles);
  });

  it('lists drafts and distinguishes tables of the same name', async () => {
    folder.write('tables/other.table.yaml', tableText.replace('schema: p2p', 'schema: other'));
    await run('apply');
    const { out } = await run('export', '--force', '--json');
    expect(Object.keys(folder.all()).filter((file) => file.startsWith('tables/'))).toEqual([
      'tables/other.po_item.table.yaml',
      'tables/p2p.po_item.table.yaml',
    ]);
    expect(JSON.parse(out)).toMatchObject({ tables: ['other.po_item', 'p2p.po_item'], drafts: [] });
  });
});
