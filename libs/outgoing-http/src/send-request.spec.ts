import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Target, createTrustedTarget } from './find-target.js';
import { OutgoingError, type OutgoingRequest, type SendOptions, sendRequest } from './send-request.js';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

const listen = async (server: Server): Promise<number> => {
  servers.push(server);
  server.on('connection', (socket) => void sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
};

/** A server that does with each connection what `onConnection` says. */
const listenRaw = (onConnection: (socket: Socket) => void): Promise<number> => listen(createServer(onConnection));

/** Sends the text, whatever it is asked. */
const listenWith = (words: string): Promise<number> =>
  listenRaw((socket) => void socket.once('data', () => socket.end(words)));

/** A web server that keeps what it was asked. */
const listenHttp = async (answer: (response: ServerResponse) => void = (response) => void response.end('OK')) => {
  const asked: { readonly request: IncomingMessage; readonly body: string }[] = [];
  const server = createHttpServer((request, response) => {
    void text(request).then((body) => {
      asked.push({ request, body });
      answer(response);
    });
  });
  return { port: await listen(server), asked };
};

const checked = (port: number, more: Partial<Target> = {}): Target => ({
  ...{ host: 'erp.example', hostName: 'erp.example', isTls: false, port },
  connectTo: [{ address: '127.0.0.1', family: 4 }],
  ...more,
});
const get: OutgoingRequest = { method: 'GET', path: '/orders?page=1', headers: { accept: 'application/json' } };

/** The answer with its body, or its fault. */
const sent = async (target: Target, options: Partial<SendOptions> = {}, request = get): Promise<unknown> => {
  try {
    const answer = await sendRequest(target, request, { bodySizeMax: 1_000, ...options });
    return { status: answer.status, isEncoded: answer.isEncoded, body: await text(answer.body) };
  } catch (error) {
    return error instanceof OutgoingError ? error.fault : error;
  }
};

describe('sendRequest', () => {
  it('connects to the address that was checked and names the host', async () => {
    const { port, asked } = await listenHttp();
    expect(await sent(checked(port))).toEqual({ status: 200, isEncoded: false, body: 'OK' });
    expect(asked).toMatchObject([
      {
        request: {
          ...{ method: 'GET', url: '/orders?page=1' },
          headers: { host: 'erp.example', 'accept-encoding': 'identity', accept: 'application/json' },
        },
      },
    ]);
  });

  it('sends a body unchanged', async () => {
    const { port, asked } = await listenHttp();
    const body = '{"note":"größer"}';
    const headers = { 'content-length': String(Buffer.byteLength(body)) };
    await sent(checked(port), {}, { method: 'POST', path: '/', headers, body });
    expect(asked).toMatchObject([{ body }]);
  });

  it('connects to the next of the checked addresses when one does not answer', async () => {
    const { port } = await listenHttp();
    const connectTo = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ];
    expect(await sent(checked(port, { connectTo }))).toMatchObject({ status: 200 });
  });

  it('keeps connections open only to hosts that the operator has listed', async () => {
    const { port, asked } = await listenHttp();
    const trusted = createTrustedTarget(new URL('https://llm.example/v1'), new URL(`http://127.0.0.1:${port}`));
    for (const target of [trusted, trusted, checked(port)])
      expect(await sent(target)).toMatchObject({ status: 200, body: 'OK' });
    expect(asked.map(({ request }) => request.headers.connection)).toEqual(['keep-alive', 'keep-alive', 'close']);
    expect(new Set(asked.map(({ request }) => request.socket)).size).toBe(2);
  });

  it('does not follow a redirect', async () => {
    const { port, asked } = await listenHttp(
      (response) => void response.writeHead(302, { location: '/secret' }).end('moved'),
    );
    expect(await sent(checked(port))).toMatchObject({ status: 302 });
    expect(asked).toHaveLength(1);
  });

  it('verifies the certificate of the host, not of the address', async () => {
    const hello = Promise.withResolvers<string>();
    const port = await listenRaw((socket) =>
      socket.once('data', (bytes: Buffer) => {
        hello.resolve(bytes.toString('latin1'));
        socket.end('this is no TLS');
      }),
    );
    expect(await sent(checked(port, { isTls: true }))).toBe('unreachable-by-tls');
    expect(await hello.promise).toContain('erp.example');
  });

  it('fails when the connection is refused', async () => {
    const { port } = await listenHttp();
    await new Promise((resolve) => servers.splice(0)[0]?.close(resolve));
    expect(await sent(checked(port))).toBe('unreachable');
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', 'no-http'],
    ['nothing', '', 'no-http'],
    ['too many headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 'no-http'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', 'no-http'],
    ['early hints alone', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'no-http'],
    ['half of an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nOK', 'broken-off'],
    ['half of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nOK', 'broken-off'],
  ])('fails when it is answered with %s', async (_, words, fault) => {
    expect(await sent(checked(await listenWith(words)))).toBe(fault);
  });

  it('stops reading a body at the maximum size', async () => {
    const closed = Promise.withResolvers<void>();
    const { port } = await listenHttp((response) => {
      response.once('close', () => closed.resolve());
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', write);
      };
      write();
    });
    expect(await sent(checked(port), { bodySizeMax: 1024 * 1024 })).toBe('too-large');
    await closed.promise;
  });

  it('reads a body of exactly the maximum size', async () => {
    const { port } = await listenHttp((response) => void response.end('x'.repeat(1_000)));
    expect(await sent(checked(port))).toMatchObject({ body: 'x'.repeat(1_000) });
    expect(await sent(checked(port), { bodySizeMax: 999 })).toBe('too-large');
  });

  it('reports that a body is compressed, and can discard it', async () => {
    const closed = Promise.withResolvers<void>();
    const { port } = await listenHttp((response) => {
      response.once('close', () => closed.resolve());
      response.writeHead(200, { 'content-encoding': 'gzip' }).write('x');
    });
    const answer = await sendRequest(checked(port), get, { bodySizeMax: 1_000 });
    expect(answer.isEncoded).toBe(true);
    answer.discard();
    await closed.promise;
  });

  it.each([
    ['sends nothing', ''],
    ['stops in the middle', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'],
  ])('fails when it is aborted or the idle timeout passes, while the system %s', async (_, words) => {
    const connected = Promise.withResolvers<void>();
    const port = await listenRaw((socket) => {
      socket.write(words);
      connected.resolve();
    });
    const leaving = new AbortController();
    const answer = sent(checked(port), { signal: leaving.signal });
    await connected.promise;
    leaving.abort();
    expect(await answer).toBe('aborted');
    expect(await sent(checked(port), { signal: AbortSignal.abort() })).toBe('aborted');
    expect(await sent(checked(port), { silenceMs: 50 })).toBe('silent');
  });
});
