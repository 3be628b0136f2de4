/**
 * Requests of all groups for a mixed load: reads with a constant answer, writes, tool calls and turns. Each checks its
 * answer, and acknowledged writes are recorded. Nothing is repeated.
 */
import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { agentsPrefix } from '@tessera/contracts/agents';
import { modelsPrefix } from '@tessera/contracts/knowledge-models';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { odataPathOf } from './group-d.js';
import { memberOf, parseJson, textOf } from './json.js';
import type { GeneratedRequest, RequestOutcome } from './load.js';
import { testStoragePath } from './test-storage.js';

export type TrafficOperation = {
  readonly name: string;
  /** What was wrong with the answer; nothing when it was right. */
  readonly ask: (turn: number) => Promise<string>;
};

/** Sends with a key that may do all of it. */
export type SendRequest = (asked: GeneratedRequest) => Promise<RequestOutcome>;

const describeWrongAnswer = ({ status, body }: RequestOutcome): string =>
  `${status} ${body.slice(0, 300)} (${body.length} characters)`;

const json = (path: string, body: object, headers: GeneratedRequest['headers'] = {}): GeneratedRequest => ({
  ...{ path, body: JSON.stringify(body) },
  headers: { 'content-type': 'application/json', ...headers },
});

const model = `${modelsPrefix}/p2p.base-km`;
const tools = `${mcpPrefix}/p2p-tools`;
const maverick = { columns: ['MAVERICK_RATE'] };
const report = `${testStoragePath}/facets/processes/reporting`;

/** All amounts are over nothing, so that the answer is the same and no result that was kept. */
const matchAll = (turn: number): string => `filterExpr=PO_ITEM.NET_AMOUNT%20gt%20-${turn + 1}`;

const reads: Readonly<
  Record<string, { readonly status?: number; readonly asked: (turn: number) => GeneratedRequest }>
> = {
  'list of facets': { asked: () => ({ path: `${testStoragePath}/facets` }) },
  'report in chunks': { asked: () => ({ path: report }) },
  'report in chunks to a slow reader': { asked: () => ({ path: report, readEveryMs: 20 }) },
  'element that is not there': {
    status: 404,
    asked: () => ({ path: `${testStoragePath}/facets/processes/views/detail/elements/${noElement}` }),
  },
  'KPIs that are computed': {
    asked: (turn) => ({ path: `${model}/query?fields=PO_ITEM.PLANT&kpis=MAVERICK_RATE&${matchAll(turn)}` }),
  },
  'KPIs that are kept': { asked: () => ({ path: `${model}/query?fields=PO_ITEM.PLANT&kpis=MAVERICK_RATE` }) },
  'entries of OData in chunks': { asked: () => ({ path: `${odataPathOf('p2p.base-km')}/PO_ITEM_entries` }) },
  'model that is not there': { status: 404, asked: () => ({ path: `${modelsPrefix}/nobody.km` }) },
  'call over HTTP': { asked: () => json(`${tools}/tool-api/load-data`, maverick) },
  'call over MCP': {
    asked: () =>
      json(tools, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'load-data', arguments: maverick } }),
  },
  'tools of an agent': { asked: () => ({ path: `${agentsPrefix}/p2p-analyst/tools/spec` }) },
};
const noElement = '01a202ca-646c-745e-a1b1-e6da3d0b7a87';

/** Requests each once; later answers are compared with these. */
export const prepareReadTraffic = (send: SendRequest): Promise<readonly TrafficOperation[]> =>
  Promise.all(
    Object.entries(reads).map(async ([name, { status = 200, asked }]) => {
      const first = await send(asked(0));
      if (first.status !== status) throw new Error(`${name}: ${describeWrongAnswer(first)}`);
      const ask = async (turn: number): Promise<string> => {
        const answer = await send(asked(turn));
        return answer.status === first.status && answer.body === first.body ? '' : describeWrongAnswer(answer);
      };
      return { name, ask };
    }),
  );

/** One client of the protocol that stays, whatever becomes of the processes that answer it. */
export const openMcpSession = async (send: SendRequest): Promise<TrafficOperation> => {
  const client = new Client({ name: 'spec', version: '1' });
  const fetch = async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(address);
    const headers = Object.fromEntries(new Headers(init.headers));
    const { status, contentType, body } = await send({
      ...{ path: pathname, headers },
      ...(typeof init.body === 'string' && { body: init.body }),
    });
    if (status === 'broken') throw new Error(body);
    return new Response(body || null, { status, headers: { 'content-type': contentType } });
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://tessera.example${tools}`), { fetch }));
  const ask = async (turn: number): Promise<string> => {
    try {
      if (turn % 2 === 0) return (await client.listTools()).tools.length > 0 ? '' : 'no tools';
      const result = await client.callTool({ name: 'load-data', arguments: maverick });
      return memberOf(result, 'structuredContent', 'total') === 1 ? '' : JSON.stringify(result);
    } catch (error) {
      return String(error);
    }
  };
  return { name: 'session of MCP', ask };
};

export type WriteTraffic = {
  readonly operations: readonly TrafficOperation[];
  /** Names of users in the trial storage. */
  readonly users: readonly string[];
  /** What `block-invoice` was called with. */
  readonly invoices: readonly string[];
  /** Messages by conversation. */
  readonly messages: ReadonlyMap<string, readonly string[]>;
};

const question = 'What is the maverick rate?';
const answerText = 'Maverick buying: **4.2 %** (exactly 4.19 %).';
const turnsOfConversation = 10;

export const prepareWriteTraffic = (send: SendRequest): WriteTraffic => {
  const users: string[] = [];
  const invoices: string[] = [];
  const messages = new Map<string, string[]>();
  const once = (path: string, body: object, headers: GeneratedRequest['headers'] = {}): Promise<RequestOutcome> =>
    send(json(path, body, { ...headers, 'idempotency-key': randomUUID() }));

  const writeUser = async (turn: number): Promise<string> => {
    const name = `user ${turn}`;
    const elements = [{ type: 'user', attributes: { name } }];
    const answer = await once(`${testStoragePath}/facets/users/views/detail/elements`, { elements });
    users.push(name);
    return answer.status === 200 && answer.body.includes(`"${name}"`) ? '' : describeWrongAnswer(answer);
  };
  const block = async (turn: number): Promise<string> => {
    const args = { invoiceNo: String(5_100_000_000 + turn), reason: 'Paid before' };
    const answer = await send(json(`${tools}/tool-api/block-invoice`, args));
    invoices.push(args.invoiceNo);
    const isDone = answer.status === 200 && textOf(parseJson(answer.body), 'invoiceNo') === args.invoiceNo;
    return isDone ? '' : describeWrongAnswer(answer);
  };
  const converse = (accept: string, answerOf: (outcome: RequestOutcome) => unknown): TrafficOperation['ask'] => {
    let conversationId = '';
    return async (turn) => {
      const isNew = turn % turnsOfConversation === 0 || conversationId === '';
      // Words without meaning for the planner make each message unique.
      const message = `${question}${' '.repeat(turn % turnsOfConversation)}`;
      const path = `${agentsPrefix}/p2p-analyst/conversations`;
      const outcome = await once(path, { message, ...(!isNew && { conversationId }) }, { accept });
      const document = outcome.status === 200 ? answerOf(outcome) : undefined;
      conversationId = textOf(document, 'conversationId');
      messages.set(conversationId, [...(messages.get(conversationId) ?? []), message]);
      return textOf(document, 'text') === answerText ? '' : describeWrongAnswer(outcome);
    };
  };
  return {
    ...{ users, invoices, messages },
    operations: [
      { name: 'element that is written', ask: writeUser },
      { name: 'call with an effect', ask: block },
      { name: 'turn', ask: converse('application/json', ({ body }) => parseJson(body)) },
      { name: 'turn as events', ask: converse('text/event-stream', ({ body }) => lastEvent(body)) },
    ],
  };
};

const lastEvent = (body: string): unknown => {
  const [, name, data = ''] = /(?:^|\n)event: (.*)\ndata: (.*)\n\n$/.exec(body) ?? [];
  return name === 'response' ? parseJson(data) : undefined;
};
