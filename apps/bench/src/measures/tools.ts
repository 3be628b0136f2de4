/**
 * Agent tools: load-data over HTTP against the same `/query`, and calls and lists over MCP against the plain server of
 * its SDK. Both sides must return the same.
 */
import { expectSame, parseJson, type Place, readJson, readText } from '../answers.js';
import { startChild } from '../child.js';
import * as engine from '../engine.js';
import { salesPageToolArguments, salesPageUrl } from './sales-queries.js';

export const mcpPath = '/studio-copilot/api/v1/mcp-servers/mcp';
export const fixtureAssetId = 'mcp-conformance';
const loadDataPath = `${mcpPath}/bench.tools/tool-api/load-data`;

/** The settings of `npm start` for this measure. */
export const toolSettings = { MCP_FIXTURE_ASSET: 'true', TOOL_CALLS_PER_MINUTE: '1000000' };

export const loadDataCall = (amount: number) =>
  ({ method: 'POST', path: loadDataPath, body: salesPageToolArguments(amount) }) as const;

const clients = 16;
const warmUp = 4_000;
const queriesOfRound = 12_000;

export const measureTools = async (bench: engine.Bench): Promise<readonly engine.Figure[]> => {
  await compareRows(bench.gateway);
  const loads = await engine.runContests(bench, loadContests(bench));
  const floorProcess = await startChild('./floor/tool-floor.js');
  try {
    const floor = { origin: floorProcess.origin, headers: {}, prefix: '' };
    const contests = messages.flatMap((message) => mcpContests({ ...bench, floor }, message));
    for (const { expect } of contests) await expect();
    return [...loads, ...(await engine.runContests({ ...bench, floor, floorProcess }, contests))];
  } finally {
    await floorProcess.stop();
  }
};

const compareRows = async (gateway: Place): Promise<void> => {
  type Rows = readonly object[];
  type Loaded = { readonly data_frame_content: { readonly data: Rows }; readonly total: unknown };
  const asked = await readJson<{ readonly content: Rows; readonly total: unknown }>(gateway, salesPageUrl(100, 0));
  const loaded = await readJson<Loaded>(gateway, loadDataPath, { body: salesPageToolArguments(100) });
  const values = (rows: Rows) => rows.map((row): unknown[] => Object.values(row));
  const { data } = loaded.data_frame_content;
  expectSame('load-data', [asked.total, values(asked.content)], [loaded.total, values(data)]);
};

const figuresOf = (target: string): readonly engine.Reading[] => [
  engine.compareRates(target),
  engine.processorTime('product'),
  engine.processorTime('floor'),
];

const loadContests = ({ gateway }: engine.Bench): readonly engine.Contest[] => {
  /** The two sides must not ask what the other has had answered. */
  const fresh = (from: number) => (number: number) => from + number / 1_000;
  const page = (amount: number) => salesPageUrl(amount, 0);
  const [toolAmount, queryAmount] = [fresh(200), fresh(1_000)];
  const kinds = {
    'asked again': { product: [loadDataCall(100)], floor: [page(100)] },
    'none asked twice': {
      product: engine.numbered(queriesOfRound, (number) => loadDataCall(toolAmount(number))),
      floor: engine.numbered(queriesOfRound, (number) => page(queryAmount(number))),
    },
  };
  return Object.entries(kinds).map(([how, { product, floor }]) => ({
    what: `load-data over HTTP, page of 50 of 1,000,000 rows, ${how}; floor: the same by /query`,
    clients,
    warmUp,
    sides: { product: { ...gateway, requests: product }, floor: { ...gateway, requests: floor } },
    figures: figuresOf('>= 0.6'),
  }));
};

type Message = {
  readonly method: 'tools/call' | 'tools/list';
  readonly revision: string;
  readonly isDescribed: boolean;
};

/** Messages about the trivial tool of both sides; a described one has schemas and a structured result, as every tool of an asset. */
const messages: readonly Message[] = [
  { method: 'tools/call', revision: '2025-11-25', isDescribed: false },
  { method: 'tools/list', revision: '2025-11-25', isDescribed: false },
  { method: 'tools/call', revision: '2026-07-28', isDescribed: false },
  { method: 'tools/list', revision: '2026-07-28', isDescribed: false },
  { method: 'tools/call', revision: '2025-11-25', isDescribed: true },
  { method: 'tools/list', revision: '2025-11-25', isDescribed: true },
];

/** A message as a client of the revision sends it, which skips `initialize`. */
const sent = ({ method, revision, isDescribed }: Message, tool: string) => {
  const isModern = revision === '2026-07-28';
  const args = isDescribed ? { email: 'ada@example.com', contactMethod: 'email' } : {};
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const call = method === 'tools/call' ? { name: tool, arguments: args } : {};
  const params = isModern ? { ...call, _meta: meta } : call;
  return {
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...(isModern && { 'mcp-method': method }),
      ...(isModern && method === 'tools/call' && { 'mcp-name': tool }),
    },
  };
};

/** The content of a result, without what only its revision has. */
const readContent = async (place: Place, path: string, body: string): Promise<unknown> => {
  const text = await readText(place, path, { body });
  const [, event = text] = /^data: (.*)$/m.exec(text) ?? [];
  const { content, structuredContent } = parseJson<{ readonly result: Readonly<Record<string, unknown>> }>(
    event,
  ).result;
  return { content, structuredContent };
};

type ComparedContest = engine.Contest & { readonly expect: () => Promise<void> };

const mcpContests = (
  { gateway, floor }: Pick<engine.Bench, 'gateway' | 'floor'>,
  message: Message,
): readonly ComparedContest[] => {
  const isCall = message.method === 'tools/call';
  const path = `${mcpPath}/${isCall ? fixtureAssetId : 'bench.trivial'}`;
  const [ownTool, floorTool] = message.isDescribed
    ? ['json_schema_2020_12_tool', 'described']
    : ['test_simple_text', 'trivial'];
  const sideOf = (place: Place, tool: string) => {
    const { body, headers } = sent(message, tool);
    return {
      ...place,
      headers: { ...place.headers, ...headers },
      body,
      requests: [{ method: 'POST', path, body } as const],
    };
  };
  const product = sideOf(gateway, ownTool);
  const plain = sideOf({ ...floor, prefix: message.isDescribed ? '/described' : '' }, floorTool);
  const tool = message.isDescribed ? 'one tool with schemas' : 'one trivial tool';
  return [
    {
      what: `MCP ${message.method} of ${tool}, revision ${message.revision}; floor: the SDK's own server`,
      clients,
      warmUp,
      sides: { product, floor: plain },
      figures: figuresOf(isCall ? '>= 1.5' : '>= 5'),
      expect: async () => {
        if (!isCall) return;
        const answered = await readContent(product, path, product.body);
        expectSame(`${tool} `, await readContent(plain, path, plain.body), answered);
      },
    },
  ];
};
