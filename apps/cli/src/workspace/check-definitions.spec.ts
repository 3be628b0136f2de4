import { afterEach, describe, expect, it } from '@jest/globals';
import {
  agentFiles,
  agentText,
  assetText,
  childModelText,
  createTestFolder,
  modelText,
  storageText,
  tableText,
  type TestFolder,
  workspaceText,
} from '../testing/test-workspace.js';
import { checkWorkspace } from './check-workspace.js';
import { formatFaultLine } from './fault-list.js';

let folder: TestFolder | undefined;
afterEach(() => folder?.remove());

const [base, child, table, asset, agent] = [
  'knowledge-models/p2p.base-km.km.yaml',
  'knowledge-models/p2p.de-km.km.yaml',
  'tables/po_item.table.yaml',
  'tools/p2p-tools.asset.yaml',
  'agents/p2p-analyst.agent.yaml',
] as const;

/** The faults of the test definitions with some files changed; a file without text is left out. */
const faultsWith = async (changed: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> => {
  folder?.remove();
  const files = Object.entries({ ...agentFiles, ...changed });
  folder = createTestFolder(
    Object.fromEntries(files.flatMap(([file, text]) => (text === undefined ? [] : [[file, text]]))),
  );
  const { faultList } = await checkWorkspace(folder.path);
  return faultList.sorted().map(formatFaultLine);
};

describe('checkDefinitions', () => {
  it('returns definitions without faults, tables first', async () => {
    expect(await faultsWith({})).toEqual([]);
    const { definitions } = await checkWorkspace(folder?.path ?? '');
    const all = [...definitions.data, ...definitions.assets, ...definitions.agents];
    expect(all.map(({ definition: { kind, id }, file }) => [kind, id, file])).toEqual([
      ['Table', 'po_item', table],
      ['KnowledgeModel', 'p2p.base-km', base],
      ['KnowledgeModel', 'p2p.de-km', child],
      ['AgentToolsAsset', 'p2p-tools', asset],
      ['Agent', 'p2p-analyst', agent],
    ]);
  });

  it('reads several definitions from one file and locates faults in the file', async () => {
    const faults = await faultsWith({
      [child]: undefined,
      [base]: `${modelText}---\n${childModelText.replace('VALUE', 'VALUES')}`,
    });
    expect(faults).toEqual([`${base}:22:5 expression of VALUES is missing`]);
    const { definitions } = await checkWorkspace(folder?.path ?? '');
    expect(definitions.data).toHaveLength(3);
  });

  it.each([
    [
      base,
      `${modelText}policies:\n  - {record: PO_ITEM, rows: all, scope: 'sales:all'}\n`,
      '18:34',
      'scope',
      'did you mean "unless.scope"?',
    ],
    [base, modelText.replace('table: po_item', '$&\n    database: erp'), '8:5', 'database', 'expected id, '],
    [base, modelText.replace('table: po_item', '$&\n    source: {schema: p2p}'), '8:5', 'source', 'expected id, '],
    [table, tableText.replace('nullable: false', '$&, file: x.csv'), '7:52', 'file', 'expected id, '],
    [asset, assetText.replace('kind: search-data', '$&, headers: {}'), '6:25', 'headers', 'expected '],
    [
      agent,
      agentText.replace('id: p2p-analyst', '$&\nbaseUrl: http://a'),
      '3:1',
      'baseUrl',
      'did you mean "model.baseUrl"?',
    ],
    [
      'content/trial/storage.yaml',
      storageText.replace('name: weight', '$&\n        facet: users'),
      '24:9',
      'facet',
      'expected name, ',
    ],
    [
      'content/trial/a.elements.yaml',
      "kind: Elements\nelements:\n  - {id: order, type: process, versions: [{version: '1.0', type: process}]}\n",
      '3:60',
      'type',
      'expected version, ',
    ],
  ])('reports a member in the wrong place of %s', async (file, text, place, member, meant) => {
    const faults = await faultsWith({
      'workspace.yaml': workspaceText,
      'content/trial/storage.yaml': storageText,
      [file]: text,
    });
    expect(faults).toEqual([expect.stringContaining(`${file}:${place} unknown member "${member}"; ${meant}`)]);
  });

  it('reports every fault at once, those of formulas at the character', async () => {
    const text = modelText
      .replace('name: Purchase', 'nmae: Purchase')
      .replace('identifier: [ORDER_NO, ITEM_NO]', 'identifier: [ORDER_NO, ITEMNO]')
      .replace('AMOUNT >= 100', 'AMUONT >= 100')
      .replace('sum(PO_ITEM.AMOUNT)', "'sum(PO_ITEM.AMOUNTS)'");
    expect(await faultsWith({ [base]: text })).toEqual([
      `${base}:3:1 unknown member "nmae"; did you mean "name"?`,
      `${base}:8:28 unknown attribute of PO_ITEM "ITEMNO"; did you mean "ITEM_NO"?`,
      expect.stringMatching(`^${base}:14:42 .*"AMUONT"`),
      expect.stringMatching(`^${base}:16:34 .*"AMOUNTS"`),
    ]);
  });

  it("reports the faults of a base at the base, and only a child's own faults at the child", async () => {
    const faults = await faultsWith({
      [base]: modelText.replace('AMOUNT >= 100', 'AMUONT >= 100'),
      [child]: childModelText.replace('name: Wert', "expression: 'max(PO_ITEM.AMONT)'"),
    });
    expect(faults).toEqual([
      expect.stringMatching(`^${base}:14:42 `),
      expect.stringMatching(`^${child}:5:34 .*"AMONT"`),
    ]);
  });

  it('reports a missing base unless a file could not be read', async () => {
    expect(await faultsWith({ [base]: undefined })).toEqual([`${child}:3:10 unknown knowledge model "p2p.base-km"`]);
    const faults = await faultsWith({ [base]: 'kind: KnowledgeModel\nid: [\n' });
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.filter((fault) => !fault.startsWith(`${base}:`))).toEqual([]);
  });

  it('reports a duplicate definition', async () => {
    const faults = await faultsWith({
      'knowledge-models/again.km.yaml': modelText,
      'tables/again.table.yaml': tableText,
      'tables/other.table.yaml': tableText.replace('schema: p2p', 'schema: other'),
    });
    expect(faults).toEqual([
      `${base}:2:5 the knowledge model "p2p.base-km" is defined in knowledge-models/again.km.yaml as well`,
      `${table}:3:5 the table "p2p.po_item" is defined in tables/again.table.yaml as well`,
    ]);
  });

  it('checks tables too', async () => {
    const text = tableText.replace('[order_no, item_no]', '[order_no, itm_no]').replace('schema', 'shcema');
    expect(await faultsWith({ [table]: text })).toEqual([
      `${table}:2:1 unknown member "shcema"; did you mean "schema"?`,
      `${table}:9:24 unknown column "itm_no"; did you mean "item_no"?`,
    ]);
  });

  it('compares models with the tables of the workspace, and says what it has not compared', async () => {
    const changed = modelText
      .replace('column: net_amount', 'column: netamount')
      .replace('type: integer', 'type: float');
    expect(await faultsWith({ [base]: changed })).toEqual([
      `${base}:11:46 "ITEM_NO" is of type float, but the column item_no of type bigint, which is read as integer`,
      `${base}:12:30 unknown column of po_item "netamount"; did you mean "net_amount"?`,
    ]);
    expect(
      await faultsWith({ [base]: modelText.replace('table: po_item', "table: 'po_item\"; select 1; --'") }),
    ).toEqual([`${base}:7:12 expected a name: a small letter or _, then small letters, digits or _, at most 63`]);
    const uncompared = async () => [...(await checkWorkspace(folder?.path ?? '')).definitions.uncompared];
    expect(await faultsWith({})).toEqual([]);
    expect(await uncompared()).toEqual([]);
    expect(await faultsWith({ [table]: undefined })).toEqual([]);
    expect(await uncompared()).toEqual([
      ['p2p.base-km', ['p2p.po_item']],
      ['p2p.de-km', ['p2p.po_item']],
    ]);
    expect(await faultsWith({ [base]: modelText.replace('schema: p2p', 'schema: P2P, database: erp') })).toEqual([]);
    expect((await uncompared())[0]).toEqual(['p2p.base-km', ['database erp']]);
  });

  it('reports definition files that are never read because of their name or folder', async () => {
    const faults = await faultsWith({
      'knowledge-models/p2p.yaml': modelText,
      'knowledge-models/deep/x.km.yaml': modelText,
      'knowledge-models/.hidden.yaml': 'x',
      'tables/po.yml': tableText,
      'tables/rows.jsonl': '{}',
      'tables/rows.csv': 'a',
      'tools/p2p.yaml': assetText,
      'x.km.yaml': modelText,
      'x.asset.yaml': assetText,
      'y.table.yaml': tableText,
    });
    const misnamed = 'is not read: expected a name that ends in';
    expect(faults).toEqual([
      `knowledge-models/deep/x.km.yaml:1:1 ${misnamed} .km.yaml, directly in knowledge-models`,
      `knowledge-models/p2p.yaml:1:1 ${misnamed} .km.yaml, directly in knowledge-models`,
      `tables/po.yml:1:1 ${misnamed} .table.yaml, directly in tables`,
      `tools/p2p.yaml:1:1 ${misnamed} .asset.yaml, directly in tools`,
      'x.asset.yaml:1:1 is not read: it belongs into the folder tools',
      'x.km.yaml:1:1 is not read: it belongs into the folder knowledge-models',
      'y.table.yaml:1:1 is not read: it belongs into the folder tables',
    ]);
  });

  it('reports definition files in a folder whose name is misspelt', async () => {
    const faults = await faultsWith({
      'knowledge-model/p2p.km.yaml': modelText,
      'table/po.table.yaml': tableText,
      'contents/p2p/storage.yaml': 'x',
      'contents/p2p/processes.elements.yaml': 'x',
      'notes/plan.yaml': 'x',
      '.git/x.km.yaml': modelText,
      'other-company/workspace.yaml': 'x',
      'other-company/x.km.yaml': modelText,
    });
    expect(faults).toEqual([
      'contents/p2p/storage.yaml:1:1 is not read: it belongs into the folder content/p2p',
      'knowledge-model/p2p.km.yaml:1:1 is not read: it belongs into the folder knowledge-models',
      'table/po.table.yaml:1:1 is not read: it belongs into the folder tables',
    ]);
  });

  it('reports an empty file and a file with the wrong kind', async () => {
    const faults = await faultsWith({ [child]: '', [table]: tableText.replace('kind: Table', 'kind: Tabel') });
    expect(faults).toEqual([
      expect.stringMatching(`^${child}:1:1 `),
      `${table}:1:7 expected Table, not "Tabel"; did you mean "Table"?`,
    ]);
  });

  it('reports every schema fault of an asset at its place', async () => {
    const text = assetText
      .replace('kind: search-data', 'kind: serach-data')
      .replace('knowledgeModel: p2p.base-km', 'knowlegdeModel: p2p.base-km')
      .replace('trial/house', 'house')
      .replace('POST', 'SEND')
      .replace('Authorization', "'X Token'")
      .replace('isReadOnly: false', 'isReadOnly: perhaps');
    expect(await faultsWith({ [asset]: text })).toEqual([
      `${asset}:6:12 expected one of search-data, load-data, get-knowledge-model, get-insights, find-content, http-request, not "serach-data"; did you mean "search-data"?`,
      `${asset}:10:53 expected a storage of the team: collection/storage`,
      `${asset}:15:15 expected one of GET, POST, PUT, PATCH, DELETE, not "SEND"`,
      `${asset}:17:28 expected the name of a header`,
      `${asset}:24:17 expected boolean, received string`,
    ]);
  });

  it('reports a tool name used twice, treating - and _ as equal, also with several assets in a file', async () => {
    const second = assetText
      .replace('id: p2p-tools', 'id: more-tools')
      .replace('id: load-data', 'id: search_data')
      .replace('id: model', 'id: find-content');
    expect(await faultsWith({ [asset]: `${assetText}---\n${second}` })).toEqual([
      `${asset}:32:27 there is a tool "search_data" already: "search-data" differs in - and _ only`,
      `${asset}:35:30 there is a tool "find-content" already`,
    ]);
    expect(await faultsWith({ 'tools/again.asset.yaml': assetText })).toEqual([
      `${asset}:2:5 the asset "p2p-tools" is defined in tools/again.asset.yaml as well`,
    ]);
  });

  it('accepts tools that use models and storages outside the workspace', async () => {
    expect(await faultsWith({ [asset]: assetText.replaceAll('p2p.base-km', 'of.others') })).toEqual([]);
  });

  it('reports every schema fault of an agent at its place', async () => {
    const text = agentText
      .replace('instructions:', 'instuctions:')
      .replace('openai-compatible', 'openai-compatibel')
      .replace('asset: p2p-tools', 'asset: p2p tools')
      .replace('steps: 5', 'steps: 0');
    expect(await faultsWith({ [agent]: text })).toEqual([
      `${agent}:3:1 unknown member "instuctions"; did you mean "instructions"?`,
      `${agent}:6:19 expected one of builtin, openai-compatible, anthropic, google, not "openai-compatibel"; did you mean "openai-compatible"?`,
      `${agent}:8:12 expected an id: letters, digits, dot, _ or -, at most 128`,
      `${agent}:10:17 expected number to be >=1`,
    ]);
  });

  it('reports a missing member by name', async () => {
    const model = 'model: { provider: openai-compatible }';
    expect(await faultsWith({ [agent]: `kind: Agent\nid: a\n${model}\ntools: [{ tools: [x] }]\n` })).toEqual([
      `${agent}:3:1 baseUrl is missing; expected string`,
      `${agent}:3:1 model is missing; expected string`,
      `${agent}:4:9 asset is missing; expected string`,
    ]);
  });

  it('rejects an agent that contains an API key in place of the name of the key', async () => {
    expect(await faultsWith({ [agent]: agentText.replace('"{secret:LLM_KEY}"', 'sk-1234') })).toEqual([
      `${agent}:6:96 expected {secret:NAME}; a key itself never stands in a definition`,
    ]);
  });

  it("reports tools that the agent's asset lacks when the asset is in a file", async () => {
    const text = agentText.replace('[search-data, load-data]', '[search_data, load-dta]');
    const fault = `${agent}:9:26 unknown tool "load-dta"; did you mean "load-data"?`;
    expect(await faultsWith({ [agent]: text })).toEqual([fault]);
    expect(await faultsWith({ [agent]: text, [asset]: undefined })).toEqual([]);
    // What else a tool of a faulty asset is called is not known.
    const faults = await faultsWith({ [agent]: text, [asset]: assetText.replace('id: load-data', 'di: load-dta') });
    expect(faults.filter((one) => one.startsWith(agent))).toEqual([]);
    expect(faults).toHaveLength(1);
  });

  it('reports a duplicate agent, and an agent outside its folder', async () => {
    const misplaced = { 'agents/deep/x.agent.yaml': agentText, 'agents/x.yaml': agentText, 'x.agent.yaml': agentText };
    expect(await faultsWith({ 'agents/again.agent.yaml': agentText, ...misplaced })).toEqual([
      'agents/deep/x.agent.yaml:1:1 is not read: expected a name that ends in .agent.yaml, directly in agents',
      `${agent}:2:5 the agent "p2p-analyst" is defined in agents/again.agent.yaml as well`,
      'agents/x.yaml:1:1 is not read: expected a name that ends in .agent.yaml, directly in agents',
      'x.agent.yaml:1:1 is not read: it belongs into the folder agents',
    ]);
  });
});
