/**
 * The target of hostile requests: a storage, a model, tools and an agent that may be changed and deleted, keys without
 * a limit, and a valid request of each operation.
 */
import { memberOf, textOf } from '../json.js';
import type { RunningProduct } from '../product.js';
import { callProduct, firstElementOf, createTestStorage, testStoragePath, testTeam } from '../test-storage.js';
import { createTestModel, testModelId } from '../test-model.js';
import type { ValidRequest } from './hostile-requests.js';

export type HostileTarget = {
  /** The key of an operation. */
  readonly keyOf: (operation: string) => string;
  readonly rightOf: (operation: string) => ValidRequest;
};

const assetId = 'hostile.tools';
const agentId = 'hostile.agent';
const asset = {
  ...{ kind: 'AgentToolsAsset', id: assetId },
  tools: [
    { kind: 'load-data', id: 'load-data', knowledgeModel: testModelId },
    { kind: 'search-data', id: 'search-data', knowledgeModel: testModelId },
    { kind: 'get-insights', id: 'get-insights', knowledgeModel: testModelId },
    { kind: 'find-content', id: 'find-content', storage: 'trial/writes' },
  ],
};
const agent = {
  ...{ kind: 'Agent', id: agentId, instructions: 'Answer with figures.', tools: [{ asset: assetId }] },
  model: { provider: 'builtin' },
};
const scopes = ['content:read', 'content:write', 'tools:execute', 'agents:converse', 'agents:execute'];
const unlimited = 2_000_000_000;

export const createHostileTarget = async (product: RunningProduct): Promise<HostileTarget> => {
  const admin = async (path: string, body?: unknown): Promise<unknown> => {
    const { status, document } = await callProduct(product, 'ADMIN_KEY', 'POST', `/admin${path}`, body);
    if (status !== 200) throw new Error(`POST /admin${path} was refused: ${JSON.stringify(document)}`);
    return document;
  };
  const makeKey = async (key: object): Promise<unknown> =>
    admin('/keys', { name: 'hostile', hourlyLimit: unlimited, ...key });
  const teams = `/teams/${testTeam}`;
  await createTestStorage(product);
  await createTestModel(product);
  await admin(`${teams}/tools`, { definitions: [asset], mode: 'publish' });
  await admin(`${teams}/agents`, { definitions: [agent], mode: 'publish' });
  const own = await makeKey({ team: testTeam, scopes: [...scopes, 'knowledge-models:read'] });
  const operator = await makeKey({ team: 'operators', scopes: ['admin'] });
  const loseable = await makeKey({ team: testTeam, scopes: ['content:read'] });
  const written = await callProduct(
    product,
    'DEMO_KEY',
    'POST',
    `${testStoragePath}/facets/processes/views/detail/elements`,
    {
      elements: [element, { type: 'area', attributes: { name: { 1033: 'Area' } } }],
    },
  );
  const begun = await admin(`${teams}/tables/trial/colour/loads`, { format: 'csv' });
  const imports = `${teams}/storages/trial/other/imports`;
  const imported = await admin(imports, { definition: { ...storage, id: 'other' } });
  const members: Readonly<Record<string, string>> = {
    ...{ collectionId: 'trial', storageId: 'writes', collection: 'trial', storage: 'other', team: testTeam },
    ...{ facetId: 'processes', viewId: 'detail', elementId: textOf(firstElementOf(written), 'id') },
    ...{ attributeName: 'name', relationName: 'uses', transitionId: 'InProcessToInReview' },
    ...{
      km_id: testModelId,
      record_id: 'SALE',
      key: '(1)',
      modelId: 'hostile.other-km',
      schema: 'trial',
      table: 'colour',
    },
    ...{
      asset_id: assetId,
      tool_id: 'load-data',
      agent_id: agentId,
      assetId: 'hostile.other',
      agentId: 'hostile.other',
    },
    ...{ conversation_id: '01a2043a-7772-7c9b-90a7-008cecf942cf', id: '01a2043a-7772-7c9b-90a7-008cecf942cf' },
    ...{ memberId: 'hostile.anna', role: 'hostile', sessionId: '01a2043a-7772-7c9b-90a7-008cecf942cf' },
    ...{ keyId: textOf(loseable, 'keyId'), loadId: textOf(begun, 'loadId'), importId: textOf(imported, 'importId') },
  };
  const keys = { own: textOf(own, 'key'), operator: textOf(operator, 'key') };
  return {
    keyOf: (operation) => (isAdministration(operation) ? keys.operator : keys.own),
    rightOf: (operation) => ({
      path: operation === 'knowledge.queries.explain' ? { ...members, modelId: testModelId } : members,
      body: bodies[operation],
    }),
  };
};

const administered =
  /^gateway\.|\.definitions\.|^content\.(?:storages\.(?:list|definition)|elements\.export|imports\.|bin\.|changes\.)|^knowledge\.(?:models\.delete|queries\.explain$|loads\.)|^tools\.(?:assets|calls)\.|^agents\.agents\./;
const isAdministration = (operation: string): boolean => administered.test(operation);

const element = {
  type: 'process',
  stereotype: null,
  attributes: { name: { 1033: 'Order', 1031: 'Bestellen' } },
  related: { uses: [] },
  content: [{ type: 'symbol', attributes: { name: 'Step' }, related: { uses: [] } }],
};
const storage = {
  ...{ kind: 'Storage', collection: 'trial', id: 'other', title: 'Other', cultures: [1033], defaultCulture: 1033 },
  facets: [{ name: 'processes', displayNames: { 1033: 'Processes' }, views: [] }],
  types: [
    {
      ...{ name: 'process', facet: 'processes', displayNames: { 1033: 'Process' } },
      attributes: [{ name: 'name', type: 'string', localised: true }],
      ...{ states: ['show'], transitions: [], childTypes: [], contentTypes: [] },
    },
  ],
  relations: [{ name: 'uses', from: ['process'], to: ['process'] }],
};
const table = {
  ...{ kind: 'Table', schema: 'hostile', id: 'colour', primaryKey: ['name'] },
  columns: [{ id: 'name', type: 'string', nullable: false }],
};
const model = {
  ...{ kind: 'KnowledgeModel', id: 'hostile.other-km', name: 'Other', source: { schema: 'trial' } },
  records: [
    {
      ...{ id: 'COLOUR', name: 'Colour', table: 'colour', identifier: ['NAME'] },
      attributes: [{ id: 'NAME', column: 'name', type: 'string' }],
      augmentedAttributes: [{ id: 'FIRST', expression: 'substring(NAME, 1, 1)' }],
    },
  ],
  kpis: [{ id: 'COLOURS', expression: 'count(COLOUR.*)' }],
  filters: [{ id: 'RED', expression: "COLOUR.NAME eq 'red'" }],
};
const projection = {
  filters: { kmFilterNames: ['LARGE'], filterExpr: ['SALE.AMOUNT gt 1'] },
  ...{
    fields: 'SALE.COMPANY',
    pagination: { pageNumber: 0, pageSize: 7 },
    sort: 'SALE.COMPANY',
    options: ['distinct'],
  },
  search: { term: 'x', field: 'SALE.COMPANY', precision: 80 },
};
const query = { projection: { ...projection, kpis: ['REVENUE'] } };
const recordQuery = {
  projection: { ...projection, fields: 'COMPANY', sort: 'COMPANY', search: { ...projection.search, field: 'COMPANY' } },
};

const bodies: Readonly<Record<string, unknown>> = {
  'content.elements.write': { elements: [element] },
  'content.imports.begin': { definition: storage },
  'content.imports.stage': { firstOrdinal: 0, elements: [{ id: 'a', type: 'process', attributes: { name: 'A' } }] },
  'content.imports.commit': {},
  'content.bin.purge': {},
  'knowledge.models.queryData': query,
  'knowledge.models.postQuery': query,
  'knowledge.records.queryData': recordQuery,
  'knowledge.records.postQuery': recordQuery,
  'knowledge.definitions.apply': { definitions: [table, model], mode: 'check' },
  'knowledge.queries.explain': { query, caller: { scopes: [], attributes: { companies: ['1000'] } } },
  'knowledge.queries.explainOwn': { query },
  'knowledge.loads.begin': { format: 'csv', columns: ['name'] },
  'knowledge.loads.stage': { ordinal: 0, firstLine: 1, text: 'red\n' },
  'knowledge.loads.commit': { batches: 1_000 },
  'tools.call': { columns: ['REVENUE'] },
  'tools.mcp': {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'load-data', arguments: { columns: ['REVENUE'] } },
  },
  'tools.definitions.apply': { definitions: [{ ...asset, id: 'hostile.other' }], mode: 'check' },
  'agents.converse': { message: 'What is the revenue?', stream: false },
  'agents.completions.create': { messages: [{ role: 'user', content: 'What is the revenue?' }], stream: false },
  'agents.tools.execute': { columns: ['REVENUE'] },
  'agents.definitions.apply': {
    definitions: [
      { ...agent, id: 'hostile.other', outputSchema: { type: 'object', properties: { a: { type: 'string' } } } },
    ],
    mode: 'check',
  },
  'gateway.odata.batch': {
    requests: [{ id: '1', method: 'get', url: '$metadata', headers: { accept: 'application/json' }, dependsOn: [] }],
  },
  'gateway.keys.create': {
    team: testTeam,
    name: 'made',
    scopes: ['content:read'],
    attributes: { companies: ['1000'] },
    hourlyLimit: 1,
  },
  'gateway.teams.write': { name: 'Meridian' },
  'gateway.members.write': {
    ...{ displayName: 'Anna', roles: ['viewer'], furtherScopes: [], attributes: {}, disabled: false },
    identity: { issuer: 'https://login.example.com', subject: 'anna' },
  },
  'gateway.members.setPassword': { password: 'hostile but long' },
  'gateway.sessions.start': { team: testTeam, user: 'hostile.anna', password: 'hostile but long' },
  'gateway.roles.write': { scopes: ['content:read'], description: 'Reads', furtherScopes: [] },
};

/** Operations that take a body and have no right one here. */
export const operationsWithoutValidBody = (document: unknown): readonly string[] =>
  Object.values(Object(memberOf(document, 'paths')) as object)
    .flatMap((methods: unknown) => Object.values(Object(methods) as object))
    .filter((operation: unknown) => memberOf(operation, 'requestBody') !== undefined)
    .map((operation: unknown) => textOf(operation, 'operationId'))
    .filter((operation) => !(operation in bodies));
