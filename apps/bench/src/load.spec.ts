import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { sendLoad } from './load.js';

const servers: Server[] = [];
const listen = (answer: RequestListener): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer(answer);
    servers.push(server);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
    });
  });
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const durationMs = 60_000;
const paths = ['/a', '/b', '/c', '/d', '/e'];

describe('a load', () => {
  it('goes round in its paths over kept connections and tells its own processor time', async () => {
    const asked: string[] = [];
    const sockets = new Set<unknown>();
    const origin = await listen((request, response) => {
      asked.push(`${request.url} ${String(request.headers['appkey'])}`);
      sockets.add(request.socket);
      response.end('12345');
    });
    const order = { origin, requests: ['/a', '/b'], headers: { AppKey: 'k' }, clients: 2, durationMs, once: false };
    const result = await sendLoad({ ...order, requestsMax: 10 });
    expect(asked.filter((text) => text === '/a k')).toHaveLength(5);
    expect(asked).toHaveLength(10);
    expect(sockets.size).toBe(2);
    expect(result.requests).toBe(10);
    expect(result.bytes).toBeGreaterThan(50);
    expect(result.ownCpuMs).toBeGreaterThan(0);
    expect(result.worstMs).toBeGreaterThanOrEqual(result.p99Ms);
    expect(result.p99Ms).toBeGreaterThanOrEqual(result.p50Ms);
  });

  it('sends each request once, whichever connection is free, with its body', async () => {
    const asked: string[] = [];
    const origin = await listen((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        asked.push(`${request.method} ${request.url} ${request.headers['content-type'] ?? ''} ${body}`);
        response.end('ok');
      });
    });
    const bodies = paths.map((path) => ({ method: 'POST', path, body: '{"n":"ü"}' }) as const);
    const requests = [...bodies, { method: 'POST', path: '/f' } as const];
    const result = await sendLoad({ origin, requests, once: true, headers: {}, clients: 4, durationMs });
    expect(asked.toSorted()).toEqual([...paths.map((path) => `POST ${path} application/json {"n":"ü"}`), 'POST /f  ']);
    expect(result.requests).toBe(6);
  });

  it('waits for what is under way when its time has passed', async () => {
    const origin = await listen((_request, response) => void setTimeout(() => response.end('ok'), 200));
    const order = { origin, requests: paths, once: false, headers: {}, clients: 3, durationMs: 1 };
    expect((await sendLoad(order)).requests).toBe(3);
  });

  it('fails for another status and for a broken connection', async () => {
    const origin = await listen((request, response) => {
      if (request.url === '/gone') request.socket.resetAndDestroy();
      else response.writeHead(request.url === '/a' ? 404 : 200).end();
    });
    const order = { origin, once: true, headers: {}, clients: 1, durationMs };
    await expect(sendLoad({ ...order, requests: ['/b', '/a', '/b'] })).rejects.toThrow('[["200",2],["404",1]]');
    expect((await sendLoad({ ...order, requests: ['/b', '/a'], expected: [200, 404] })).requests).toBe(2);
    await expect(sendLoad({ ...order, requests: ['/b', '/gone', '/b'] })).rejects.toThrow('broke');
  });
});
