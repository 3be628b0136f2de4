import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { waitUntil } from '@tessera/testing';
import type { TestGateway } from './testing/test-gateway.js';
import { sendRawRequest } from './testing/raw-request.js';
import { echoHandlerCounts } from './testing/echo-service.js';
import { stubTurnState } from './testing/stub-agents.js';
import { openTestStack, contentRestPath, type TestStack } from './testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());

type Reply = { readonly status: number; readonly connection: string | undefined };

const request = (gateway: TestGateway, agent: Agent): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const options = { agent, headers: { AppKey: stack.keys.meridian } };
    get(`${gateway.url}${contentRestPath('/facets')}`, options, (message) => {
      message
        .resume()
        .on('end', () => resolve({ status: message.statusCode ?? 0, connection: message.headers.connection }));
    }).on('error', reject);
  });

it('one of two gateways stops under load without a failed request', async () => {
  const [leaving, staying] = [await stack.startGateway(), stack.gateway];
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const outcomes = new Map<string, number>();
  let isLeaving = false;
  let isDone = false;
  let atLeaving = 0;
  let answered = 0;
  // What a balancer does: half to each while both are ready.
  const work = async (): Promise<void> => {
    for (let turn = 0; !isDone; turn++) {
      const gateway = !isLeaving && turn % 2 === 0 ? leaving : staying;
      if (gateway === leaving) atLeaving++;
      const outcome = await request(gateway, agent).then(
        ({ status }) => String(status),
        (error: unknown) => String(error),
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (gateway === leaving) atLeaving--;
      answered++;
    }
  };
  const workers = Array.from({ length: 8 }, work);
  const moreAnswers = (): Promise<void> => {
    const before = answered;
    return waitUntil(() => answered >= before + 50);
  };
  await moreAnswers();
  leaving.startDraining();
  await moreAnswers();
  isLeaving = true;
  // The delay of a real stop is longer than what is on its way to a gateway that was ready a moment ago.
  await waitUntil(() => atLeaving === 0);
  await leaving.stopServing();
  await moreAnswers();
  isDone = true;
  await Promise.all(workers);
  agent.destroy();
  expect([...outcomes.keys()]).toEqual(['200']);
});

it('a draining gateway asks clients to close their connections and answers running requests', async () => {
  const gateway = await stack.startGateway({ STOP_TIMEOUT_MS: '300000' });
  const agent = new Agent({ keepAlive: true });
  expect(await request(gateway, agent)).toEqual({ status: 200, connection: 'keep-alive' });
  gateway.startDraining();
  expect(await request(gateway, agent)).toEqual({ status: 200, connection: 'close' });
  const { produced } = echoHandlerCounts;
  const slow = stack.request(contentRestPath('/facets/320/reporting'), { gateway });
  await waitUntil(() => echoHandlerCounts.produced > produced);
  const stopped = gateway.stopServing();
  expect((await slow).status).toBe(200);
  await stopped;
  await expect(request(gateway, agent)).rejects.toThrow(/ECONNREFUSED/);
  agent.destroy();
});

it('a draining gateway does not wait for connections without a request', async () => {
  const gateway = await stack.startGateway({ STOP_TIMEOUT_MS: '300000' });
  const socket = connect({ host: '127.0.0.1', port: gateway.port });
  const closed = new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
  await new Promise((resolve) => socket.on('connect', resolve));
  // The gateway has seen the connection when it has answered on a later one.
  expect(await request(gateway, new Agent())).toMatchObject({ status: 200 });
  await gateway.stopServing();
  await closed;
});

it('a draining gateway does not wait for a client that takes too long to send its request', async () => {
  const gateway = await stack.startGateway({ STOP_TIMEOUT_MS: '100' });
  const answer = sendRawRequest(
    gateway.port,
    `POST /admin/keys HTTP/1.1\r\nHost: a\r\nAppKey: ${stack.keys.operator}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  );
  expect(await request(gateway, new Agent())).toMatchObject({ status: 200 });
  await gateway.stopServing();
  expect(await answer).toBe('');
});

describe('a turn of a conversation', () => {
  const agent = '/intelligence/api/ai/agents/analyst/conversations';
  const converse = (gateway: TestGateway, accept: string) =>
    fetch(`${gateway.url}${agent}`, {
      method: 'POST',
      headers: { AppKey: stack.keys.meridian, 'Content-Type': 'application/json', Accept: accept },
      body: JSON.stringify({ message: 'hold' }),
    });
  const stopping = async (settings: Readonly<Record<string, string>>) => {
    const held = Promise.withResolvers<void>();
    Object.assign(stubTurnState, { next: held.promise, begun: 0 });
    const gateway = await stack.startGateway(settings);
    const whole = converse(gateway, 'application/json');
    const streamed = await converse(gateway, 'text/event-stream');
    await waitUntil(() => stubTurnState.begun === 2);
    gateway.startDraining();
    return { whole, streamed, stopped: gateway.stopServing(), goOn: held.resolve };
  };

  it('that ends while its gateway stops arrives whole, also as events', async () => {
    const { whole, streamed, stopped, goOn } = await stopping({ STOP_TIMEOUT_MS: '300000' });
    goOn();
    const [answer, events] = [await whole, await streamed.text()];
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    expect(await answer.json()).toEqual({ conversationId: 'c-1', text: 'Twelve.' });
    expect(events).toMatch(/^event: turn\n[^]*event: response\ndata: \{"conversationId":"c-1","text":"Twelve."\}\n\n$/);
    await stopped;
  });

  it('that takes longer than the drain is answered as unavailable, also in its events', async () => {
    const { whole, streamed, stopped, goOn } = await stopping({ STOP_TIMEOUT_MS: '100' });
    const answer = await whole;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await streamed.text()).toMatch(
      /^event: turn\n[^]*\n\nevent: error\ndata: \{.*"code":"SERVICE_UNAVAILABLE".*\}\n\n$/,
    );
    await stopped;
    goOn();
  });
});
