import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { sendRequestLoad } from './send-load.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const listen = async (listener: RequestListener): Promise<string> => {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const address = started.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
};

/** Longer than any spec: what ends is the number of requests. */
const durationMs = 600_000;

describe('sendRequestLoad', () => {
  it('requests every path in turn over persistent connections and counts responses by status', async () => {
    const requests: string[] = [];
    const connections = new Set<unknown>();
    const origin = await listen((request, response) => {
      requests.push(`${request.url} ${String(request.headers['appkey'])}`);
      connections.add(request.socket);
      response.statusCode = request.url === '/a' ? 200 : 404;
      response.end('12345');
    });
    const order = { origin, paths: ['/a', '/b'], headers: { AppKey: 'k' }, connections: 2, durationMs };
    const result = await sendRequestLoad({ ...order, requestsMax: 10 });
    expect(result.statuses).toEqual({ '200': 5, '404': 5 });
    expect(result).toMatchObject({ requests: 10, bytes: 50 });
    expect(requests.filter((text) => text === '/a k')).toHaveLength(5);
    expect(connections.size).toBe(2);
    expect(result.p50Ms).toBeGreaterThan(0);
    expect(result.worstMs).toBeGreaterThanOrEqual(result.p99Ms);
  });

  it('posts to each path once, whichever connection is free', async () => {
    const requests: string[] = [];
    const origin = await listen((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers['content-length']}`);
      response.end('ok');
    });
    const paths = ['/a', '/b', '/c', '/d', '/e'];
    const result = await sendRequestLoad({
      origin,
      paths,
      once: true,
      method: 'POST',
      headers: {},
      connections: 3,
      durationMs,
    });
    expect(requests.toSorted()).toEqual(paths.map((path) => `POST ${path} 0`));
    expect(result).toMatchObject({ requests: 5, statuses: { '200': 5 } });
  });

  it('posts the body of each path', async () => {
    const requests: string[] = [];
    const origin = await listen((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => {
        requests.push(`${request.url} ${request.headers['content-type']} ${text}`);
        response.end('ok');
      });
    });
    const posts = { method: 'POST', paths: ['/a', '/b'], bodies: ['{"n":1}', '{"n":"ü"}'] } as const;
    const result = await sendRequestLoad({ origin, ...posts, once: true, headers: {}, connections: 1, durationMs });
    expect(requests).toEqual(['/a application/json {"n":1}', '/b application/json {"n":"ü"}']);
    expect(result.statuses).toEqual({ '200': 2 });
  });

  it('sends requests at the configured rate', async () => {
    const origin = await listen((_request, response) => response.end('ok'));
    const order = { origin, paths: ['/'], headers: {}, connections: 4, durationMs, requestsMax: 21 };
    expect((await sendRequestLoad({ ...order, requestsPerSecond: 100 })).seconds).toBeGreaterThan(0.19);
  });

  it('reads responses at the configured speed', async () => {
    const origin = await listen((_request, response) => response.end(Buffer.alloc(600_000)));
    const order = { origin, paths: ['/'], headers: {}, connections: 1, durationMs, requestsMax: 1 };
    const result = await sendRequestLoad({ ...order, bytesPerSecond: 2_000_000 });
    expect(result.bytes).toBe(600_000);
    expect(result.seconds).toBeGreaterThan(0.2);
  });

  it('counts a broken connection as status 0 and continues', async () => {
    let requests = 0;
    const origin = await listen((request, response) => {
      if (++requests === 1) request.socket.destroy();
      else response.end('ok');
    });
    const order = { origin, paths: ['/'], headers: {}, connections: 1, durationMs, requestsMax: 4 };
    const result = await sendRequestLoad(order);
    expect(result.statuses['0']).toBe(1);
    expect(result.statuses['200']).toBeGreaterThan(0);
  });
});
