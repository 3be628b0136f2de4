/** Calls over HTTP, to a server that answers what each test says. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { call, callForText, callWithHead, stream } from './call.js';
import { refusalOf } from './failures.js';
import { sessionEnd } from './session-end.js';

let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => answer(request, response));
const fetchOfNode = globalThis.fetch;
let origin: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // A browser knows its own origin.
  globalThis.fetch = (path, init) => fetchOfNode(typeof path === 'string' ? `${origin}${path}` : path, init);
});
afterEach(() => sessionEnd.goOn());
afterAll(() => {
  globalThis.fetch = fetchOfNode;
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  answer = (_request, response) =>
    void response
      .writeHead(status, { 'x-request-id': 'r1', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
};
const failureIn = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
const unauthorized = { title: 'Unauthorized', status: 401, detail: 'No.', code: 'ACCESS_UNAUTHORIZED' };

describe('a call', () => {
  it('answers the JSON, and what the headers say', async () => {
    reply(200, { subject: 'x' }, { etag: '"7"', 'x-total-count': '12', link: '</me?a=2>; rel="next"' });
    expect(await call('readMe', {})).toEqual({ subject: 'x' });
    expect((await callWithHead('readMe', {})).head).toEqual({
      ...{ etag: '"7"', totalCount: 12, hasNext: true, requestId: 'r1', evidenceId: undefined },
    });
    reply(200, {}, { evidence: '/intelligence/api/evidence/019a-7' });
    expect((await callWithHead('readMe', {})).head).toMatchObject({
      ...{ totalCount: undefined, hasNext: false, evidenceId: '019a-7' },
    });
  });

  it('answers other text as it is', async () => {
    reply(200, 'a;b');
    expect(await callForText('readMe', {})).toBe('a;b');
  });

  it('says in the words of the server why it was refused', async () => {
    reply(403, { title: 'Forbidden', status: 403, detail: 'The scope admin is missing.', code: 'ADMIN_ACCESS_ERROR' });
    const refusal = refusalOf(await failureIn(call('listTeams', {})));
    expect(refusal).toMatchObject({ status: 403, detail: 'The scope admin is missing.', requestId: 'r1' });
  });

  it('is unreadable when something else answers', async () => {
    reply(200, '<html>');
    expect(await failureIn(call('readMe', {}))).toMatchObject({ failure: { kind: 'unreadable', status: 200 } });
    reply(502, '<html>');
    expect(await failureIn(call('readMe', {}))).toMatchObject({ failure: { kind: 'unreadable', status: 502 } });
  });

  it('is unreachable when nothing answers', async () => {
    answer = ({ socket }) => socket.destroy();
    expect(await failureIn(call('readMe', {}))).toMatchObject({ failure: { kind: 'unreachable' } });
  });

  it('throws the reason of its signal when it is aborted', async () => {
    answer = () => undefined;
    const controller = new AbortController();
    const failed = failureIn(call('readMe', {}, { signal: controller.signal }));
    controller.abort(new Error('left'));
    expect(await failed).toMatchObject({ message: 'left' });
  });
});

describe('a call without a session', () => {
  it('waits for the next sign-in and is sent again, body and all', async () => {
    const bodies: string[] = [];
    answer = (request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        bodies.push(body);
        const isFirst = bodies.length === 1;
        response.writeHead(isFirst ? 401 : 200).end(JSON.stringify(isFirst ? unauthorized : { kept: true }));
      });
    };
    const ended = new Promise<void>((resolve) => {
      const stop = sessionEnd.subscribe(() => {
        stop();
        resolve();
      });
    });
    const properties = { scopes: [] };
    const written = call('writeRole', { team: 'meridian', role: 'buyer', properties });
    await ended;
    expect(sessionEnd.isEnded()).toBe(true);
    sessionEnd.goOn();
    expect(await written).toEqual({ kept: true });
    expect(bodies).toEqual([JSON.stringify(properties), JSON.stringify(properties)]);
    expect(sessionEnd.isEnded()).toBe(false);
  });

  it('leaves when it is aborted meanwhile', async () => {
    reply(401, unauthorized);
    const controller = new AbortController();
    const stop = sessionEnd.subscribe(() => controller.abort(new Error('left')));
    expect(await failureIn(call('readMe', {}, { signal: controller.signal }))).toMatchObject({ message: 'left' });
    stop();
  });

  it('fails at once where that is what is asked', async () => {
    reply(401, unauthorized);
    const refusal = refusalOf(await failureIn(call('readMe', {}, { withoutSession: 'fail' })));
    expect(refusal).toMatchObject({ status: 401, detail: 'No.' });
    expect(sessionEnd.isEnded()).toBe(false);
  });
});

describe('a stream', () => {
  const eventType = { 'content-type': 'text/event-stream; charset=utf-8' };
  const input = { agent_id: 'a', message: { content: 'x' }, accept: 'text/event-stream' } as never;
  const read = () => Array.fromAsync(stream('converse', input));

  it('yields its events', async () => {
    reply(200, 'event: text\ndata: {"text":"a"}\n\nevent: response\ndata: {}\n\n', eventType);
    expect(await read()).toEqual([
      { event: 'text', data: { text: 'a' } },
      { event: 'response', data: {} },
    ]);
  });

  it('throws what its last event says', async () => {
    const problem = { title: 'Busy', status: 503, detail: 'The model is away.', code: 'AGENT_MODEL_UNAVAILABLE' };
    reply(200, `event: error\ndata: ${JSON.stringify(problem)}\n\n`, eventType);
    expect(refusalOf(await failureIn(read()))).toMatchObject({ status: 503, detail: 'The model is away.' });
  });

  it('is unreachable when its connection breaks', async () => {
    answer = (_request, response) => {
      response.writeHead(200, eventType).write('event: text\ndata: 1\n\n');
      setImmediate(() => response.destroy());
    };
    expect(await failureIn(read())).toMatchObject({ failure: { kind: 'unreachable' } });
  });

  it('is unreadable when the answer is no event stream', async () => {
    reply(200, {});
    expect(await failureIn(read())).toMatchObject({ failure: { kind: 'unreadable' } });
  });
});
