import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createEndpointFetch } from './endpoint-fetch.js';
import { toOutage } from './outage.js';

const servers: Server[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve)))));

/** A server that does with connections what a spec wants. */
const listen = async (serve: (socket: Socket) => void): Promise<string> => {
  const server = createServer((socket) => serve(socket.on('error', () => undefined)));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  return `127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`;
};

const url = new URL('https://llm.example/v1');
const post = { method: 'POST', body: '{}', headers: { 'x-empty': '', 'x-team': 'meridian' } };

/** What becomes of a request: the body of its answer, or why there is none. */
const fetched = async (address: string, target: string | URL = 'https://llm.example/v1/chat'): Promise<unknown> => {
  const fetchFrom = createEndpointFetch({ url, address: new URL(address), silenceMs: 60_000 });
  try {
    return await (await fetchFrom(target, post)).text();
  } catch (error) {
    return toOutage(error);
  }
};

const answerBy =
  (text: string) =>
  (socket: Socket): void =>
    void socket.once('data', () => socket.end(text));

describe('a request to the endpoint of a model', () => {
  it('is sent to the address of the model, with the host name in the header', async () => {
    const asked = Promise.withResolvers<string>();
    const place = await listen((socket) =>
      socket.once('data', (bytes: Buffer) => {
        asked.resolve(bytes.toString());
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nOK');
      }),
    );
    expect(await fetched(`http://${place}`, 'https://llm.example/v1/chat?alt=sse')).toBe('OK');
    const [line, ...headers] = (await asked.promise).split('\r\n');
    expect(line).toBe('POST /v1/chat?alt=sse HTTP/1.1');
    expect(headers).toEqual(expect.arrayContaining(['host: llm.example', 'x-team: meridian']));
    expect(headers.join()).not.toMatch(/x-empty/);
  });

  it('verifies the certificate of the host, not of the address', async () => {
    const hello = Promise.withResolvers<string>();
    const place = await listen((socket) =>
      socket.once('data', (bytes: Buffer) => {
        hello.resolve(bytes.toString('latin1'));
        socket.end('this is no TLS');
      }),
    );
    expect(await fetched(`https://${place}`)).toEqual({ kind: 'unreachable' });
    expect(await hello.promise).toContain('llm.example');
  });

  it.each([
    'https://other.example/v1/chat',
    'http://llm.example/v1/chat',
    'https://llm.example:8443/v1/chat',
    'https://me:pass@llm.example/v1/chat',
  ])('is not sent to %s', async (target) => {
    let connections = 0;
    const place = await listen(() => (connections += 1));
    expect(await fetched(`http://${place}`, target)).toEqual({ kind: 'refused' });
    expect(connections).toBe(0);
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', 'unreachable'],
    ['half of an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nOK', 'broken-off'],
    ['more than 8 MiB', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(8 * 1024 * 1024 + 1)}`, 'too-large'],
  ])('fails when it is answered with %s', async (_, text, kind) => {
    const place = await listen(answerBy(text));
    expect(await fetched(`http://${place}`)).toEqual({ kind });
  });
});
