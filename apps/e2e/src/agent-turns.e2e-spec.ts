/**
 * Agents with a language model over the network, in two replicas: the loop whole and streamed, and a replica killed
 * during turns. No message is lost, none is answered twice.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentsPrefix } from '@tessera/contracts/agents';
import {
  callGeneratedClient,
  startFakeModel,
  testRunFolder,
  type ChatRequest,
  type FakeModel,
  type ScriptedAnswer,
} from '@tessera/testing';
import { itemsOf, memberOf, parseJson, textOf } from './json.js';
import { startProduct, type Product } from './product.js';
import { pidsOf, waitForCondition } from './restarts.js';
import { callProduct, testTeam } from './test-storage.js';
import { createTestKey, createTestModel, testModelId } from './test-model.js';

const host = 'models.example';
const secret = 'a-key-of-the-endpoint';
const asset = {
  kind: 'AgentToolsAsset',
  id: 'trial.tools',
  limits: { callsPerMinute: 1_000_000 },
  tools: [
    { kind: 'load-data', id: 'load-data', knowledgeModel: testModelId },
    { kind: 'search-data', id: 'search-data', knowledgeModel: testModelId },
  ],
};
const agent = {
  kind: 'Agent',
  id: 'trial.agent',
  instructions: 'Answer with figures.',
  model: {
    ...{ provider: 'openai-compatible', baseUrl: `https://${host}/v1`, model: 'script' },
    apiKey: '{secret:LLM_KEY}',
  },
  tools: [{ asset: asset.id }],
};
/** It words failures of its tools by rules. */
const planner = { kind: 'Agent', id: 'trial.planner', tools: [{ asset: asset.id }] };

/** Asks for the revenue, and says it with the words of the question. */
const script = ({ messages }: ChatRequest): ScriptedAnswer => {
  const [last] = messages.slice(-1);
  const question = messages.filter(({ role }) => role === 'user').at(-1)?.content ?? '';
  if (last?.role !== 'tool')
    return { delayMs: 150, calls: [{ tool: 'load-data', arguments: { columns: ['REVENUE'] } }] };
  const revenue = /"REVENUE\\*":(\d+)/.exec(last.content ?? '')?.[1] ?? 'unknown';
  return { delayMs: 150, text: `${question}: ${revenue} EUR` };
};

let endpoint: FakeModel;
let product: Product;
let key = '';
beforeAll(async () => {
  endpoint = await startFakeModel(script);
  const hosts = { [host]: { teams: [testTeam], address: endpoint.address, secrets: { LLM_KEY: secret } } };
  product = await startProduct({
    demo: 'none',
    replicas: { agents: 2 },
    settings: { MODEL_HOSTS: JSON.stringify(hosts) },
  });
  await createTestModel(product);
  for (const [path, definition] of [
    ['tools', asset],
    ['agents', agent],
    ['agents', planner],
  ] as const) {
    const applied = await callProduct(product, 'ADMIN_KEY', 'POST', `/admin/teams/${testTeam}/${path}`, {
      definitions: [definition],
    });
    if (applied.status !== 200) throw new Error(JSON.stringify(applied));
  }
  key = await createTestKey(product, {
    scopes: ['agents:converse', 'agents:execute', 'tools:execute', 'knowledge-models:read'],
    ...{ furtherScopes: ['sales:all'], hourlyLimit: 2_000_000_000 },
  });
});
afterAll(async () => {
  await product?.stop();
  await endpoint?.stop();
});

type Sent = { readonly message: string; readonly conversationId?: string };

const address = (agentId = agent.id): string => `${product.gateways[0] ?? ''}${agentsPrefix}/${agentId}/conversations`;
const post = (body: Sent, headers: Readonly<Record<string, string>> = {}, agentId?: string): Promise<Response> =>
  fetch(address(agentId), {
    method: 'POST',
    headers: { AppKey: key, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const readTurns = async (conversationId: string, agentId?: string): Promise<readonly unknown[]> => {
  const response = await fetch(`${address(agentId)}/${conversationId}`, { headers: { AppKey: key } });
  return itemsOf(parseJson(await response.text()), 'turns');
};

const eventsIn = (text: string) =>
  [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, name, data]) => ({ name, data: parseJson(data ?? '') }));

describe('an agent with a model at an endpoint', () => {
  it('answers with the figure of its tool, and explains it afterwards', async () => {
    const response = await post({ message: 'Revenue' });
    const document = parseJson(await response.text());
    expect([response.status, textOf(document, 'text')]).toEqual([200, 'Revenue: 500 EUR']);
    const requests = endpoint.requests.slice(-2);
    expect(requests.map(({ request }) => request.stream ?? false)).toEqual([false, false]);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${secret}`, `Bearer ${secret}`]);
    const [turn] = await readTurns(textOf(document, 'conversationId'));
    expect(turn).toMatchObject({
      ...{ turn: 1, state: 'completed', stop: 'answered', model: 'openai-compatible/script', agentVersion: '1' },
      ...{ message: 'Revenue', text: 'Revenue: 500 EUR', usage: { inputTokens: 200, outputTokens: 20 } },
      steps: [
        { kind: 'model' },
        { kind: 'tool', tool: 'load-data', isError: false },
        { kind: 'model' },
        { kind: 'grounding', outcome: 'verified', figures: [{ text: '500', cells: [{ row: 1, column: 'REVENUE' }] }] },
      ],
    });
  });

  it('streams the same answer', async () => {
    const response = await post({ message: 'Revenue' }, { Accept: 'text/event-stream' });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = eventsIn(await response.text());
    expect(endpoint.requests.slice(-2).map(({ request }) => request.stream)).toEqual([true, true]);
    const texts = events.filter(({ name }) => name === 'text').map(({ data }) => textOf(data, 'text'));
    expect(texts.join('')).toBe('Revenue: 500 EUR');
    expect(texts.length).toBeGreaterThan(1);
    const others = events.filter(({ name }) => name !== 'text');
    expect(others.map(({ name }) => name)).toEqual(['turn', 'tool-call', 'tool-result', 'grounding', 'response']);
    const conversationId = textOf(others[0]?.data, 'conversationId');
    expect(others.at(-1)?.data).toEqual({ conversationId, text: 'Revenue: 500 EUR' });
    expect(await readTurns(conversationId)).toMatchObject([{ state: 'completed', text: 'Revenue: 500 EUR' }]);
  });

  it('answers one message at a time over all replicas', async () => {
    const { conversationId } = Object(parseJson(await (await post({ message: 'Begin' })).text()));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => post({ message: `Question ${index}`, conversationId })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(9).fill(409)]);
    const busy = answers.find(({ status }) => status === 409);
    expect(busy?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(parseJson((await busy?.text()) ?? '')).toMatchObject({ code: 'AGENT_CONVERSATION_BUSY' });
    expect(await readTurns(String(conversationId))).toHaveLength(2);
  });

  it('answers 503 with Retry-After when its model refuses the request, and stores the message', async () => {
    endpoint.script = () => ({ status: 400, body: '{"error": {"message": "a word that nobody may read"}}' });
    const response = await post({ message: 'Lost?' });
    endpoint.script = script;
    const text = await response.text();
    expect([response.status, response.headers.get('retry-after') !== null]).toEqual([503, true]);
    expect(parseJson(text)).toMatchObject({ code: 'AGENT_MODEL_UNAVAILABLE' });
    expect(text).not.toContain('nobody may read');
    const list = await fetch(address(), { headers: { AppKey: key } });
    const newest = memberOf(parseJson(await list.text()), 'conversations', 0);
    expect(newest).toMatchObject({ firstMessage: 'Lost?', state: 'failed', turnCount: 1 });
    const again = await post({ message: 'Revenue', conversationId: textOf(newest, 'conversationId') });
    expect(parseJson(await again.text())).toMatchObject({ text: 'Revenue: 500 EUR' });
  });
});

describe('the OpenAPI document of its tools', () => {
  it.each(['3.0', '3.1'])('works with a generated client (OpenAPI %s)', async (version) => {
    const tools = `${product.gateways[0] ?? ''}${agentsPrefix}/${agent.id}/tools`;
    const answer = await fetch(`${tools}/spec?version=${version}`, { headers: { AppKey: key } });
    const folder = await mkdtemp(join(testRunFolder(), 'tools-client-'));
    const specification = join(folder, 'specification.json');
    await writeFile(specification, await answer.text());
    const [loaded, refused] = await callGeneratedClient({
      ...{ specification, folder: join(folder, 'client'), credential: { header: 'AppKey', value: key } },
      calls: [
        { operation: 'loadData', options: { body: { columns: ['CUSTOMER.NAME', 'REVENUE'], order_by: 'REVENUE' } } },
        { operation: 'loadData', options: { body: { columns: ['REVENEU'] } } },
      ],
    });
    expect(loaded).toMatchObject({
      status: 200,
      data: { total: 2, data_frame_content: { data: [{ REVENUE: 100 }, { REVENUE: 400 }] } },
    });
    expect(refused).toMatchObject({ status: 400, error: { code: 'AGENT_ARGUMENTS_INVALID' } });
    expect(JSON.stringify(refused)).toContain('did you mean');
  });
});

describe('killing one of two replicas', () => {
  type Client = {
    readonly sent: string[];
    readonly answered: string[];
    conversationId: string;
    refusals: number;
  };

  /** Sends a message until it is answered, always under the same key. */
  const converse = async (client: Client, message: string): Promise<void> => {
    const idempotencyKey = randomUUID();
    client.sent.push(message);
    for (;;) {
      const { conversationId } = client;
      const response = await post(
        { message, ...(conversationId !== '' && { conversationId }) },
        { 'Idempotency-Key': idempotencyKey },
      );
      const document = parseJson(await response.text());
      if (response.status === 200) {
        client.conversationId = textOf(document, 'conversationId');
        client.answered.push(textOf(document, 'text'));
        return;
      }
      if (response.status !== 503 && response.status !== 409) throw new Error(JSON.stringify(document));
      client.refusals += 1;
      await sleep(200);
    }
  };

  it('loses no message and answers none twice', async () => {
    const clients = Array.from({ length: 12 }, (): Client => ({
      ...{ sent: [], answered: [] },
      ...{ conversationId: '', refusals: 0 },
    }));
    let isRunning = true;
    const all = clients.map(async (client, name) => {
      for (let turn = 0; isRunning; turn++) await converse(client, `message ${name}-${turn}`);
    });
    const count = (): readonly number[] => clients.map(({ answered }) => answered.length);
    const more = async (): Promise<void> => {
      const before = count();
      while (!count().every((now, index) => now >= (before[index] ?? 0) + 2)) await sleep(20);
    };
    await Promise.race([more(), ...all]);
    const [first = 0] = (await product.pids())['agents'] ?? [];
    process.kill(first, 'SIGKILL');
    await Promise.race([more(), ...all]);
    isRunning = false;
    await Promise.all(all);

    expect(clients.reduce((sum, { refusals }) => sum + refusals, 0)).toBeGreaterThan(0);
    for (const { conversationId, sent, answered } of clients) {
      const turns = await readTurns(conversationId);
      expect(answered).toEqual(sent.map((message) => `${message}: 500 EUR`));
      expect(turns.map((turn) => textOf(turn, 'message'))).toEqual(sent);
      expect(turns.map((turn) => textOf(turn, 'text'))).toEqual(answered);
      expect(turns.map((turn) => textOf(turn, 'state'))).toEqual(sent.map(() => 'completed'));
    }
  }, 120_000);
});

describe('a turn during failures of services', () => {
  const message = 'What is the revenue?';
  const sendMessage = async (idempotencyKey: string, headers = {}): Promise<{ status: number; text: string }> => {
    const response = await post({ message }, { 'Idempotency-Key': idempotencyKey, ...headers }, planner.id);
    return { status: response.status, text: await response.text() };
  };

  it.each(['knowledge-models', 'tool-gateway', 'postgres', 'nats-server'])(
    '%s: never returns the failure as the answer, and answers the same request afterwards',
    async (name) => {
      expect(parseJson((await sendMessage(randomUUID())).text)).toMatchObject({ text: expect.stringContaining('500') });
      const keys: string[] = [];
      const refused: unknown[] = [];
      // As often as needed: the launcher starts it again at once.
      await waitForCondition(product, async () => {
        for (const pid of await pidsOf(product, name).catch(() => [])) kill(pid);
        const key = randomUUID();
        keys.push(key);
        const { status, text } = await sendMessage(key);
        if (status === 200) expect(text).toContain('500');
        else refused.push([status, textOf(parseJson(text), 'code')]);
        return refused.length > 2;
      });
      expect(refused).toEqual(refused.map(() => [503, 'SERVICE_UNAVAILABLE']));
      for (const key of keys) {
        const answers: { status: number; text: string }[] = [];
        await waitForCondition(
          product,
          async () => answers.push(await sendMessage(key)) > 0 && answers.at(-1)?.status === 200,
        );
        expect(answers.filter(({ status }) => ![200, 409, 503].includes(status))).toEqual([]);
        const document = parseJson(answers.at(-1)?.text ?? '');
        expect(textOf(document, 'text')).toContain('500');
        const turns = await readTurns(textOf(document, 'conversationId'), planner.id);
        expect(turns).toMatchObject([{ message, state: 'completed' }]);
      }
    },
    120_000,
  );

  it('ends its stream with an error when its replica is killed, and answers the repeated request', async () => {
    const idempotencyKey = randomUUID();
    const headers = { 'Idempotency-Key': idempotencyKey, Accept: 'text/event-stream' };
    endpoint.script = () => ({ delayMs: 60_000, text: 'Never.' });
    const response = await post({ message: 'Revenue' }, headers);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader?.read();
    expect(first?.value).toMatch(/^event: turn\n/);
    for (const pid of await pidsOf(product, 'agents')) kill(pid);
    let rest = '';
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) rest += piece.value;
    expect(eventsIn(rest)).toMatchObject([{ name: 'error', data: { code: 'SERVICE_UNAVAILABLE', retryAfter: 5 } }]);
    endpoint.script = script;
    let events: ReturnType<typeof eventsIn> = [];
    await waitForCondition(product, async () => {
      events = eventsIn(await (await post({ message: 'Revenue' }, headers)).text());
      return events.at(-1)?.name === 'response';
    });
    const conversationId = textOf(eventsIn(first?.value ?? '')[0]?.data, 'conversationId');
    expect(events.at(-1)?.data).toEqual({ conversationId, text: 'Revenue: 500 EUR' });
    expect(await readTurns(conversationId)).toMatchObject([{ turn: 1, state: 'completed' }]);
  }, 120_000);
});

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was not started again yet.
  }
};
