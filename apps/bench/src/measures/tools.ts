/**
 * Agent tools: load-data over HTTP against the same `/query`, and calls and lists over MCP against the plain server of
 * its SDK. Both sides must return the same.
 */
import { startChild } from '../child.js';
import { describedFloorPrefix } from '../floor/described-prefix.js';
import { parseJson } from '../json.js';
import { benchAssetId, trivialAssetId } from '../workload/bench-model.js';
import type { Figure, KnowledgeBench, ComparisonSide } from './bench.js';
import {
  type SideRequestLoad,
  type RoundResult,
  describeProcessorTime,
  compareSides,
  createRateFigure,
} from './rounds.js';
import { salesPageUrl, salesPageToolArguments } from './sales-queries.js';
import { findFirstDifference } from './compare-documents.js';

const loadRatioMin = 0.6;
const callRatioMin = 1.5;
const listRatioMin = 5;

const connections = 16;
const warmUpRequests = 4_000;
const queriesOfRound = 12_000;

export const mcpFixtureAssetId = 'mcp-conformance';
export const mcpPath = '/studio-copilot/api/v1/mcp-servers/mcp';
const loadPath = `${mcpPath}/${benchAssetId}/tool-api/load-data`;

export const measureTools = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  await compareRows(bench);
  const floorProcess = startChild('./floor/tool-floor-process.js');
  try {
    const floor: ComparisonSide = { origin: String(await floorProcess.next()), headers: {}, prefix: '' };
    const loaded = await measureLoads(bench);
    const mcpBench = { ...bench, floorProcess, sides: { ...bench.sides, floor } };
    return [...loaded, ...(await measureMcp(mcpBench))];
  } finally {
    await floorProcess.stop();
  }
};

const callTool = async <T>({ origin, headers }: ComparisonSide, path: string, body?: string, more = {}): Promise<T> => {
  const response = await fetch(origin + path, {
    headers: { ...headers, ...more, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 500)}`);
  const [, event = text] = /^data: (.*)$/m.exec(text) ?? [];
  return parseJson<T>(event);
};

type QueryAnswer = { readonly content: readonly object[]; readonly total: unknown };
type ToolAnswer = { readonly data_frame_content: { readonly data: readonly object[] }; readonly total: unknown };

const compareRows = async ({ sides, say }: KnowledgeBench): Promise<void> => {
  const requestCount = await callTool<QueryAnswer>(sides.gateway, salesPageUrl(100, 0));
  const loaded = await callTool<ToolAnswer>(sides.gateway, loadPath, salesPageToolArguments(100));
  const rows = (list: readonly object[]) => list.map((row): unknown[] => Object.values(row));
  const difference = findFirstDifference(
    { total: requestCount.total, rows: rows(requestCount.content) },
    { total: loaded.total, rows: rows(loaded.data_frame_content.data) },
  );
  if (difference !== undefined) throw new Error(`/query and load-data differ at ${difference.slice(0, 500)}`);
  say('/query and load-data answer the same rows');
};

const measureLoads = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const query = (amounts: (round: number) => readonly number[], once: boolean): SideRequestLoad => ({
    side: 'gateway',
    order: (round) => ({ connections, once, paths: amounts(round).map((amount) => salesPageUrl(amount, 0)) }),
  });
  const tool = (amounts: (round: number) => readonly number[], once: boolean): SideRequestLoad => ({
    side: 'gateway',
    order: (round) => {
      const bodies = amounts(round).map(salesPageToolArguments);
      return { connections, once, method: 'POST', paths: bodies.map(() => loadPath), bodies };
    },
  });
  // The two sides must not ask what the other has had answered.
  const fresh = (from: number) => (round: number) =>
    Array.from({ length: queriesOfRound }, (_, index) => from + (round * queriesOfRound + index) / 1_000);
  const again = () => [100];
  const what = 'load-data over HTTP, page of 50 of 1,000,000 rows';
  const requestCount = [
    { name: `${what}, asked again`, contest: [tool(again, false), query(again, false)] },
    { name: `${what}, none asked twice`, contest: [tool(fresh(200), true), query(fresh(1_000), true)] },
  ];
  const figures: Figure[] = [];
  for (const { name, contest } of requestCount) {
    bench.say(`measuring: ${name}`);
    const [product = [], floor = []] = await compareSides(bench, contest, warmUpRequests);
    figures.push(...figuresOf(`${name}; floor: the same by /query`, product, floor, loadRatioMin));
  }
  return figures;
};

const figuresOf = (
  what: string,
  product: readonly RoundResult[],
  floor: readonly RoundResult[],
  atLeast: number,
): readonly Figure[] => [
  createRateFigure(what, product, floor, atLeast),
  { what: `${what}: processor time, product`, actual: describeProcessorTime(product) },
  { what: `${what}: processor time, floor`, actual: describeProcessorTime(floor) },
];

type Revision = '2025-11-25' | '2026-07-28';
type Method = 'tools/call' | 'tools/list';

/** The trivial tool of both sides; `described` has schemas and a structured result, as every tool of an asset. */
const variants = [
  {
    what: 'one trivial tool',
    revisions: ['2025-11-25', '2026-07-28'],
    arguments: {},
    own: 'test_simple_text',
    floor: 'trivial',
    floorPrefix: '',
  },
  {
    what: 'one tool with schemas',
    revisions: ['2025-11-25'],
    arguments: { email: 'ada@example.com', contactMethod: 'email' },
    own: 'json_schema_2020_12_tool',
    floor: 'described',
    floorPrefix: describedFloorPrefix,
  },
] as const;
type Variant = (typeof variants)[number];

/** A message as a client of the revision sends it, which skips `initialize`. */
const messageOf = (revision: Revision, method: Method, tool: string, args: object) => {
  const isModern = revision === '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = {
    ...(method === 'tools/call' && { name: tool, arguments: args }),
    ...(isModern && { _meta: meta }),
  };
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

type Message = ReturnType<typeof messageOf>;
type CallAnswer = { readonly result: object };

const measureMcp = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const figures: Figure[] = [];
  for (const variant of variants)
    for (const revision of variant.revisions)
      for (const method of ['tools/call', 'tools/list'] as const)
        figures.push(...(await measureMethod(bench, variant, revision, method)));
  return figures;
};

const measureMethod = async (
  bench: KnowledgeBench,
  variant: Variant,
  revision: Revision,
  method: Method,
): Promise<readonly Figure[]> => {
  const [own, floor] = [variant.own, variant.floor].map((tool): Message =>
    messageOf(revision, method, tool, variant.arguments),
  );
  if (!own || !floor) throw new Error('Two sides were asked.');
  const path = `${mcpPath}/${method === 'tools/call' ? mcpFixtureAssetId : trivialAssetId}`;
  const floorPath = variant.floorPrefix + path;
  if (method === 'tools/call') {
    const ofProduct = await callTool<CallAnswer>(bench.sides.gateway, path, own.body, own.headers);
    const ofFloor = await callTool<CallAnswer>(bench.sides.floor, floorPath, floor.body, floor.headers);
    const difference = findFirstDifference(resultText(ofFloor), resultText(ofProduct));
    if (difference !== undefined) throw new Error(`Product and floor differ at ${difference.slice(0, 500)}`);
  }
  const contestant = (
    side: 'gateway' | 'floor',
    requestCount: string,
    { body, headers }: Message,
  ): SideRequestLoad => ({
    side,
    order: () => ({ connections, method: 'POST', paths: [requestCount], bodies: [body], headers }),
  });
  const what = `MCP ${method} of ${variant.what}, revision ${revision}`;
  bench.say(`measuring: ${what}`);
  const contest = [contestant('gateway', path, own), contestant('floor', floorPath, floor)];
  const [product = [], plain = []] = await compareSides(bench, contest, warmUpRequests);
  const atLeast = method === 'tools/call' ? callRatioMin : listRatioMin;
  return figuresOf(`${what}; floor: the SDK's own server`, product, plain, atLeast);
};

/** What a result says beside what only its revision has. */
const resultText = ({ result }: CallAnswer): object =>
  Object.fromEntries(Object.entries(result).filter(([name]) => ['content', 'structuredContent'].includes(name)));

/** The settings of `npm start` for this measure. */
export const toolSettings = { MCP_FIXTURE_ASSET: 'true', TOOL_CALLS_PER_MINUTE: '1000000' };
