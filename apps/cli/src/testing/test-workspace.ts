/** Temporary folders for specs, and a small workspace that they share. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type TestFolder = {
  readonly path: string;
  readonly write: (file: string, text: string) => void;
  readonly read: (file: string) => string;
  /** Every file with its text, by path. */
  readonly all: () => Readonly<Record<string, string>>;
  /** A file of it, or all of it. */
  readonly remove: (file?: string) => void;
};

export const createTestFolder = (files: Readonly<Record<string, string>> = {}): TestFolder => {
  const path = mkdtempSync(join(tmpdir(), 'tessera-cli-'));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  const read = (file: string): string => readFileSync(join(path, file), 'utf8');
  return {
    path,
    write,
    read,
    all: () =>
      Object.fromEntries(
        readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
          .sort()
          .map((file) => [file, read(file)]),
      ),
    remove: (file = '') => rmSync(join(path, file), { recursive: true, force: true }),
  };
};

export const workspaceText = `kind: Workspace
team: meridian
name: Meridian Coatings
storages: [trial/house]
`;

/** In the canonical layout. */
export const storageText = `kind: Storage
collection: trial
id: house
title: Trial
cultures: [1033, 1031]
defaultCulture: 1033
facets:
  - name: processes
    displayNames:
      1033: Processes
  - name: users
    displayNames:
      1033: Users
types:
  - name: process
    facet: processes
    displayNames:
      1033: Process
    versioned: true
    attributes:
      - name: name
        localised: true
      - name: weight
        type: number
    childTypes: [process]
  - name: user
    facet: users
    displayNames:
      1033: User
    attributes:
      - name: name
relations:
  - name: owner
    from: [process]
    to: [user]
    many: false
`;

/** In the canonical layout. */
export const processesText = `kind: Elements
elements:
  - id: order
    type: process
    state: released
    attributes:
      name:
        1031: Bestellen
        1033: Order
      weight: 3
    relations:
      owner: [anna]
  - id: approve
    type: process
    parent: order
    state: inProcess
`;

/** In the canonical layout. */
export const usersText = `kind: Elements
elements:
  - id: anna
    type: user
    attributes:
      name: Anna
`;

/** In the canonical layout. */
export const tableText = `kind: Table
schema: p2p
id: po_item
columns:
  - {id: order_no, type: string}
  - {id: item_no, type: integer}
  - {id: net_amount, type: float, nullable: false}
  - {id: note, type: string}
primaryKey: [order_no, item_no]
source: {file: po_item.csv}
`;

/** In the canonical layout. */
export const modelText = `kind: KnowledgeModel
id: p2p.base-km
name: Purchase to pay
source: {schema: p2p}
records:
  - id: PO_ITEM
    table: po_item
    identifier: [ORDER_NO, ITEM_NO]
    attributes:
      - {id: ORDER_NO, column: order_no}
      - {id: ITEM_NO, column: item_no, type: integer}
      - {id: AMOUNT, column: net_amount, type: float, nullable: false}
    augmentedAttributes:
      - {id: SIZE, expression: case when AMOUNT >= 100 then 'large' else 'small' end}
kpis:
  - {id: VALUE, expression: sum(PO_ITEM.AMOUNT)}
`;

/** In the canonical layout. */
export const childModelText = `kind: KnowledgeModel
id: p2p.de-km
extends: p2p.base-km
kpis:
  - {id: VALUE, name: Wert}
`;

/** In the canonical layout. */
export const assetText = `kind: AgentToolsAsset
id: p2p-tools
name: Purchase to pay tools
limits: {callsPerMinute: 60}
tools:
  - {kind: search-data, id: search-data, knowledgeModel: p2p.base-km}
  - {kind: load-data, id: load-data, name: Load, knowledgeModel: p2p.base-km}
  - {kind: get-knowledge-model, id: model, knowledgeModel: p2p.base-km}
  - {kind: get-insights, id: insights, knowledgeModel: p2p.base-km}
  - {kind: find-content, id: find-content, storage: trial/house}
  - kind: http-request
    id: block-invoice
    description: Blocks an invoice for payment.
    request:
      method: POST
      url: https://erp.example/invoices/{invoiceNo}/block
      headers: {Authorization: "Bearer {secret:ERP_TOKEN}"}
    inputSchema:
      type: object
      required: [invoiceNo]
      properties:
        invoiceNo: {type: string}
      additionalProperties: false
    isReadOnly: false
`;

/** In the canonical layout. */
export const agentText = `kind: Agent
id: p2p-analyst
instructions: |
  Answer with figures.
  Name the filters that you used.
model: {provider: openai-compatible, baseUrl: https://models.example/v1, model: small, apiKey: "{secret:LLM_KEY}"}
tools:
  - asset: p2p-tools
    tools: [search-data, load-data]
limits: {steps: 5}
`;

/** A workspace of tables and models alone. */
export const dataDefinitionFiles: Readonly<Record<string, string>> = {
  'knowledge-models/p2p.base-km.km.yaml': modelText,
  'knowledge-models/p2p.de-km.km.yaml': childModelText,
  'tables/po_item.table.yaml': tableText,
  'workspace.yaml': `kind: Workspace
team: meridian
name: Meridian Coatings
storages: []
`,
};

/** A workspace of tables, models and assets. */
export const definitionFiles: Readonly<Record<string, string>> = {
  ...dataDefinitionFiles,
  'tools/p2p-tools.asset.yaml': assetText,
};

/** A workspace of definitions of all kinds. */
export const agentFiles: Readonly<Record<string, string>> = {
  'agents/p2p-analyst.agent.yaml': agentText,
  ...definitionFiles,
};

/** A workspace without a fault, as an export writes it. */
export const testFiles: Readonly<Record<string, string>> = {
  'content/house/processes.elements.yaml': processesText,
  'content/house/storage.yaml': storageText,
  'content/house/users.elements.yaml': usersText,
  'workspace.yaml': workspaceText,
};
