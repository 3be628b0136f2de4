/** The fake gateway's knowledge models and tables, in memory; every query gets the same answer. */
import type { HttpOperation } from '@tessera/contracts';
import * as knowledge from '@tessera/contracts/knowledge-models';

type Definition = knowledge.KnowledgeModelDefinition | knowledge.TableDefinition;

type FakeLoad = {
  readonly begin: object;
  /** Texts by ordinal. */
  readonly batches: Map<number, { readonly firstLine: number; readonly text: string }>;
  state: 'loading' | 'committed';
  commit?: object;
};

export type FakeKnowledgeState = {
  /** As JSON, by kind and name. */
  readonly definitions: Map<string, string>;
  /** By `schema.table`, the last begun. */
  readonly loads: Map<string, FakeLoad>;
};

export const createFakeKnowledgeState = (): FakeKnowledgeState => ({ definitions: new Map(), loads: new Map() });

type Inputs = Readonly<Record<string, string>>;
type Handler = (state: FakeKnowledgeState, path: Inputs, body: never) => unknown;

/** What a table has before a load that keeps its rows. */
const keptRows = 1_000;
export const fakeLoadId = '00000000-0000-4000-8000-000000000002';
const linesOf = (text: string): number => text.split('\n').length - 1;
const loadOf = ({ loads }: FakeKnowledgeState, { schema, table }: Inputs): FakeLoad => {
  const load = loads.get(`${schema}.${table}`);
  if (!load) throw new Error('nothing was begun');
  return load;
};

const apply = (
  { definitions }: FakeKnowledgeState,
  _path: Inputs,
  { definitions: asked, mode = 'publish' }: { readonly definitions: readonly Definition[]; readonly mode?: string },
) => ({
  definitions: asked.map((definition) => {
    const id = definition.kind === 'Table' ? `${definition.schema}.${definition.id}` : definition.id;
    const key = `${definition.kind} ${id}`;
    const before = definitions.get(key);
    const text = JSON.stringify(definition);
    if (mode !== 'check') definitions.set(key, text);
    const state = before === undefined ? 'created' : before === text ? 'unchanged' : 'changed';
    const changes = state === 'changed' ? [{ path: 'description', change: 'changed', breaks: false }] : [];
    const isPublished = definition.kind === 'KnowledgeModel' && mode === 'publish';
    return { kind: definition.kind, id, state, changes, ...(isPublished && { version: 1 }) };
  }),
  breaks: [],
});

const exported = ({ definitions }: FakeKnowledgeState) => {
  const all = [...definitions.values()].map((text): Definition => JSON.parse(text));
  return {
    models: all.flatMap((definition) =>
      definition.kind === 'KnowledgeModel' ? [{ id: definition.id, version: 1, definition }] : [],
    ),
    tables: all.flatMap((definition) => (definition.kind === 'Table' ? [{ definition, dataVersion: 0, rows: 0 }] : [])),
  };
};

const committed = (state: FakeKnowledgeState, path: Inputs, commit: { readonly batches: number }) => {
  const load = loadOf(state, path);
  const { batches } = commit;
  load.commit = commit;
  if (load.batches.size !== batches) throw new Error(`${load.batches.size} batches of ${batches}`);
  load.state = 'committed';
  const rows = [...load.batches.values()].reduce((sum, { text }) => sum + linesOf(text), 0);
  const kept = 'mode' in load.begin && load.begin.mode !== 'replace' ? keptRows : 0;
  return { loadId: fakeLoadId, state: 'committed', rows: kept + rows, dataVersion: 1 };
};

/** More digits than a number of JavaScript holds. */
export const largeInteger = '9223372036854775807';
const page = {
  page: 0,
  pageSize: 50,
  total: 2,
  sort: [],
  content: [
    { B: 'x', A: 1 },
    { B: null, A: JSON.rawJSON(largeInteger) },
  ],
};

export const knowledgeHandlers: readonly (readonly [HttpOperation, Handler])[] = [
  [knowledge.applyModelDefinitions, apply],
  [knowledge.exportModelDefinitions, exported],
  [
    knowledge.beginLoad,
    ({ loads }, { schema, table }, begin: object) => {
      loads.set(`${schema}.${table}`, { begin, batches: new Map(), state: 'loading' });
      return { loadId: fakeLoadId, state: 'loading', rows: 0 };
    },
  ],
  [
    knowledge.stageRows,
    (state, path, { ordinal, ...batch }: { ordinal: number; firstLine: number; text: string }) => {
      loadOf(state, path).batches.set(ordinal, batch);
      return { rows: linesOf(batch.text) };
    },
  ],
  [knowledge.commitLoad, committed],
  [
    knowledge.cancelLoad,
    ({ loads }, { schema, table }) => ({ loadId: loads.delete(`${schema}.${table}`) && fakeLoadId }),
  ],
  [knowledge.undoLoad, () => ({ rows: 1_000, dataVersion: 3, kept: 0 })],
  [
    knowledge.deleteTable,
    ({ definitions }, { schema, table }) => ({
      deleted: definitions.delete(`Table ${schema}.${table}`) && `${schema}.${table}`,
    }),
  ],
  [
    knowledge.deleteModel,
    ({ definitions }, { modelId }) => ({ deleted: definitions.delete(`KnowledgeModel ${modelId}`) && modelId }),
  ],
  [knowledge.postModelQuery, () => page],
  [knowledge.postRecordQuery, () => ({ ...page, total: 0, content: [] })],
  [
    knowledge.explainQuery,
    () => ({
      grain: ['PO_ITEM'],
      plan: { root: 'PO_ITEM' },
      sql: 'select "net_amount"\nfrom "po_item"',
      parameters: 1,
      rowPolicies: [{ record: 'PO_ITEM', rows: "COMPANY_CODE eq '1000'" }],
      hiddenFields: ['SUPPLIER.BANK_ACCOUNT'],
      cost: { total: 12.5, rows: 3, indexes: ['po_item_key'] },
    }),
  ],
];
