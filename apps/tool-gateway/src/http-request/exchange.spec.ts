import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exchange, type OutgoingRequest } from './exchange.js';
import type { Target } from './find-target.js';
import { type ForeignSystem, portOf, startForeignSystem } from './testing/foreign-system.js';

let system: ForeignSystem;
let others: Server[];
beforeEach(async () => {
  others = [];
  system = await startForeignSystem();
});
afterEach(async () => {
  for (const server of others) server.close();
  await system.stop();
});

const targetOf = (port: number, more: Partial<Target> = {}): Target => ({
  ...{ host: 'erp.example', hostName: 'erp.example', isTls: false, port },
  addresses: [{ address: '127.0.0.1', family: 4 }],
  ...more,
});
const get: OutgoingRequest = { method: 'GET', path: '/orders?page=1', headers: { accept: 'application/json' } };
const never = new AbortController().signal;

/** A server that does with each connection what `onConnection` says. */
const listen = async (onConnection: (socket: Socket) => void): Promise<number> => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  others.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return portOf(server);
};

describe('an exchange', () => {
  it('connects to the address that was checked, and names the host', async () => {
    const answer = await exchange(targetOf(system.port), get, never);
    expect(answer).toMatchObject({ kind: 'answer', status: 200, contentType: 'application/json' });
    expect(system.asked).toMatchObject([
      { method: 'GET', url: '/orders?page=1', headers: { host: 'erp.example', 'accept-encoding': 'identity' } },
    ]);
    expect(system.asked[0]?.headers['connection']).toBe('close');
  });

  it('sends a body as it is', async () => {
    const body = '{"note":"größer"}';
    const headers = { 'content-length': String(Buffer.byteLength(body)) };
    await exchange(targetOf(system.port), { method: 'POST', path: '/', headers, body }, never);
    expect(system.asked[0]?.body).toBe(body);
  });

  it('takes the next of the addresses that were checked when one is not there', async () => {
    const addresses = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ];
    expect(await exchange(targetOf(system.port, { addresses }), get, never)).toMatchObject({ status: 200 });
  });

  it('does not follow a redirect', async () => {
    system.answer = (response) => void response.writeHead(302, { location: `${system.address}/secret` }).end();
    expect(await exchange(targetOf(system.port), get, never)).toMatchObject({ kind: 'answer', status: 302 });
    expect(system.asked).toHaveLength(1);
  });

  it('asks for the certificate of the host, not of the address', async () => {
    const hello = Promise.withResolvers<string>();
    const port = await listen((socket) =>
      socket.once('data', (bytes: Buffer) => {
        hello.resolve(bytes.toString('latin1'));
        socket.end('this is no TLS');
      }),
    );
    const answer = await exchange(targetOf(port, { isTls: true }), get, never);
    expect(await hello.promise).toContain('erp.example');
    expect(answer).toEqual({ kind: 'failed', why: 'could not be reached over TLS' });
  });

  it('says that nobody listens', async () => {
    await system.stop();
    expect(await exchange(targetOf(system.port), get, never)).toEqual({ kind: 'failed', why: 'could not be reached' });
    system = await startForeignSystem();
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['nothing', ''],
    ['too many headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`],
  ])('says that the connection broke when it gets %s', async (_, text) => {
    const port = await listen((socket) => socket.once('data', () => socket.end(text)));
    expect(await exchange(targetOf(port), get, never)).toEqual({
      kind: 'failed',
      why: 'broke the connection off, or does not speak HTTP',
    });
  });

  it('says that an answer broke off', async () => {
    const port = await listen((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":')),
    );
    expect(await exchange(targetOf(port), get, never)).toEqual({ kind: 'failed', why: 'broke its answer off' });
  });

  it('stops reading what is larger than 1 MiB, however much comes', async () => {
    const closed = Promise.withResolvers<void>();
    system.answer = (response) => {
      response.once('close', () => closed.resolve());
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', write);
      };
      write();
    };
    expect(await exchange(targetOf(system.port), get, never)).toEqual({
      kind: 'failed',
      why: 'answered more than 1 MiB',
    });
    await closed.promise;
  });

  it('takes 1 MiB', async () => {
    system.answer = (response) => void response.end(Buffer.alloc(1024 * 1024, 'x'));
    const answer = await exchange(targetOf(system.port), get, never);
    expect(answer.kind === 'answer' && answer.body.length).toBe(1024 * 1024);
  });

  it('takes nothing that is compressed', async () => {
    system.answer = (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    expect(await exchange(targetOf(system.port), get, never)).toEqual({
      kind: 'failed',
      why: 'answered in an encoding that was not asked for',
    });
  });

  it.each([
    ['says nothing', () => undefined],
    ['stops in the middle', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{')],
  ])('ends when it is told to while the system %s', async (_, onConnection) => {
    const connected = Promise.withResolvers<void>();
    const port = await listen((socket) => {
      onConnection(socket);
      connected.resolve();
    });
    const ending = new AbortController();
    const answer = exchange(targetOf(port), get, ending.signal);
    await connected.promise;
    ending.abort();
    expect(await answer).toEqual({ kind: 'failed', why: 'did not answer in time' });
  });

  it.each([
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\n\r\n',
  ])('ends with %j, which is no answer', async (words) => {
    const port = await listen((socket) => void socket.once('data', () => socket.end(words)));
    expect(await exchange(targetOf(port), get, never)).toMatchObject({
      kind: 'failed',
      why: 'broke the connection off, or does not speak HTTP',
    });
  });
});
