/**
 * Two teams that share the product, each with a storage, tables, a model, tools and an agent of the same names, and a
 * key with an unreachable limit.
 */
import { memberOf, textOf } from './json.js';
import type { RunningProduct } from './product.js';
import { callProduct, createTestStorage, testStoragePath, type ApiAnswer } from './test-storage.js';
import { applyModelForTeam, loadRows, testModelId, salesModel, testTables } from './test-model.js';

export type Neighbour = {
  readonly team: string;
  readonly key: string;
  /** One of its processes. */
  readonly elementId: string;
};

type Size = {
  readonly customers: number;
  readonly sales: number;
  readonly processes: number;
  readonly events: number;
};

export const neighbourAssetId = 'trial.tools';
export const neighbourAgentId = 'trial.agent';
/** A table that no model reads, for loads. */
export const loadedTableName = 'loaded';

const loaded = {
  ...{ kind: 'Table', schema: 'trial', id: loadedTableName, primaryKey: ['no'] },
  columns: [
    { id: 'no', type: 'integer', nullable: false },
    { id: 'round', type: 'integer', nullable: false },
    { id: 'text', type: 'string', nullable: false },
  ],
};
/** The rows of the largest table, with texts of many kinds to search. */
export const eventRecordId = 'EVENT';
const eventColumns = { event_no: 'integer', case_id: 'string', activity: 'string', resource: 'string', note: 'string' };
const events = {
  ...{ kind: 'Table', schema: 'trial', id: 'event', primaryKey: ['event_no'] },
  columns: Object.entries(eventColumns).map(([id, type]) => ({ id, type, nullable: false })),
};
const model = {
  ...salesModel,
  records: [
    ...salesModel.records,
    {
      ...{ id: eventRecordId, table: 'event', identifier: ['EVENT_NO'] },
      attributes: Object.entries(eventColumns).map(([column, type]) => ({ id: column.toUpperCase(), column, type })),
    },
  ],
};

const asset = {
  ...{ kind: 'AgentToolsAsset', id: neighbourAssetId, limits: { callsPerMinute: 1_000_000 } },
  tools: ['load-data', 'search-data', 'get-knowledge-model'].map((kind) => ({
    ...{ kind, id: kind, knowledgeModel: testModelId },
  })),
};
const agent = {
  ...{ kind: 'Agent', id: neighbourAgentId, instructions: 'Answer with figures.' },
  ...{ model: { provider: 'builtin' }, tools: [{ asset: neighbourAssetId }] },
};

const countries = ['DE', 'IT', 'FR', 'ES', 'NL', 'PL', 'AT', 'US'];
const words = ['Harbour', 'Lamp', 'Meadow', 'Copper', 'Winter', 'Granite', 'Willow', 'Signal', 'Orchard', 'Velvet'];
const customerLine = (no: number): string => {
  const name = [no, no * 7, no * 13 + 3].map((draw) => words[draw % words.length]).join(' ');
  return `${no},${name} ${no},${countries[no % countries.length]},${countries[(no * 3) % countries.length]}${no}`;
};
const saleLine = (no: number, customers: number): string =>
  `${no},${(no * 17) % customers},${1000 + (no % 4) * 1000},${((no * 7_919) % 100_000) / 100},2026-0${1 + (no % 9)}-1${no % 10}`;

const eventLine = (no: number): string => {
  const note = [no * 11, no * 3 + 1, no * 17].map((draw) => words[draw % words.length]).join(' ');
  return `${no},case ${Math.floor(no / 7)},${words[no % 7]} order,${words[(no * 5) % words.length]} ${no % 90},${note} ${no}`;
};

const longText = 'what this process is for and who does it, in many words. '.repeat(15);
const elementsMax = 200;

const expectSuccess = (answer: ApiAnswer): unknown => {
  if (answer.status !== 200) throw new Error(`Refused: ${JSON.stringify(answer).slice(0, 1_000)}`);
  return answer.document;
};

const createProcesses = async (product: RunningProduct, keyName: string, count: number): Promise<string> => {
  const ids: string[] = [];
  const path = `${testStoragePath}/facets/processes/views/detail/elements`;
  while (ids.length < count) {
    const elements = Array.from({ length: Math.min(elementsMax, count - ids.length) }, (_, index) => ({
      ...{ type: 'process', attributes: { name: { 1033: `Process ${ids.length + index}: ${longText}` } } },
      related: { uses: ids.slice(0, 5) },
    }));
    const made = expectSuccess(await callProduct(product, keyName, 'POST', path, { elements }));
    for (let index = 0; index < elements.length; index++) ids.push(textOf(memberOf(made, 'elements', index), 'id'));
  }
  return ids[0] ?? '';
};

export const createNeighbour = async (product: RunningProduct, team: string, size: Size): Promise<Neighbour> => {
  const made = expectSuccess(
    await callProduct(product, 'ADMIN_KEY', 'POST', '/admin/keys', {
      ...{ team, name: 'neighbour', furtherScopes: ['sales:all', 'finance:read'], hourlyLimit: 2_000_000_000 },
      scopes: [
        ...['content:read', 'content:write', 'knowledge-models:read', 'tools:execute'],
        ...['agents:converse', 'agents:execute', 'admin'],
      ],
    }),
  );
  const key = textOf(made, 'key');
  const keyName = 'NEIGHBOUR_KEY';
  const own = { ...product, environment: { ...product.environment, [keyName]: key } };
  await createTestStorage(product, team);
  expectSuccess(await applyModelForTeam(product, team, [...testTables, loaded, events, model]));
  const linesOf = (count: number, line: (no: number) => string): readonly string[] =>
    Array.from({ length: count }, (_, no) => line(no));
  await loadRows(product, 'customer', linesOf(size.customers, customerLine), { owner: team });
  await loadRows(
    product,
    'sale',
    linesOf(size.sales, (no) => saleLine(no, size.customers)),
    { owner: team },
  );
  await loadRows(product, 'event', linesOf(size.events, eventLine), { owner: team });
  await loadRows(product, 'colour', ['red', 'green'], { owner: team });
  for (const [path, definition] of [
    ['tools', asset],
    ['agents', agent],
  ] as const)
    expectSuccess(
      await callProduct(product, 'ADMIN_KEY', 'POST', `/admin/teams/${team}/${path}`, { definitions: [definition] }),
    );
  return { team, key, elementId: await createProcesses(own, keyName, size.processes) };
};
