import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@tessera/testing';
import { echoHandlerCounts, pieceBytes, waitUntilNothingIsProduced } from '../testing/echo-service.js';
import { openTestStack, contentRestPath, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());
beforeEach(() => {
  Object.assign(echoHandlerCounts, { left: 0, produced: 0 });
});

const report = (facet: string): string => contentRestPath(`/facets/${facet}/reporting`);

const open = (facet: string, url = stack.gateway.url): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(`${url}${report(facet)}`, { headers: { AppKey: stack.keys.meridian }, agent: false }, resolve).on(
      'error',
      reject,
    );
  });

describe('a streamed reply', () => {
  it('of 20 MB arrives completely', async () => {
    const { status, headers, text } = await stack.request(report('320'));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(text.length).toBe(320 * pieceBytes);
  });

  it('that breaks off never looks complete', async () => {
    await expect(stack.request(report('broken-40'))).rejects.toThrow();
    const message = await open('broken-40');
    const ended = await new Promise<string>((resolve) => {
      message
        .on('end', () => resolve('whole'))
        .on('error', () => resolve('cut'))
        .resume();
    });
    expect(ended).toBe('cut');
    expect(stack.gateway.logged.join('')).not.toContain('content_repo');
  });

  it('waits for a client that does not read and is cancelled when it leaves', async () => {
    const message = await open('10000');
    message.pause();
    await waitUntilNothingIsProduced();
    // What fits into the buffers on the way and into the share of its team: far from the whole, however long the wait was.
    const mostPieces = Math.ceil((64 * 1024 * 1024) / pieceBytes);
    expect(echoHandlerCounts.produced).toBeLessThan(mostPieces);
    message.destroy();
    await waitUntil(() => echoHandlerCounts.left === 1);
    expect(echoHandlerCounts.produced).toBeLessThan(mostPieces);
  });

  it('goes on when a slow client reads again', async () => {
    const message = await open('100');
    message.pause();
    await waitUntilNothingIsProduced();
    let received = 0;
    message.on('data', (bytes: Buffer) => (received += bytes.length));
    await new Promise((resolve) => message.on('end', resolve).resume());
    expect(received).toBe(100 * pieceBytes);
  });

  it('is produced to its end for a client that does not read, and closed after it stalls too long', async () => {
    const gateway = await stack.startGateway({ READER_TIMEOUT_MS: '1000' });
    const message = await open('320', gateway.url);
    message.pause();
    const closed = new Promise((resolve) => message.on('error', () => undefined).on('close', resolve));
    await waitUntil(() => echoHandlerCounts.produced === 320);
    // What has left already is in the buffers of the connection; its client may read it to its end.
    await sleep(6000);
    let received = 0;
    message.on('data', (bytes: Buffer) => (received += bytes.length)).resume();
    await closed;
    expect(received).toBeLessThan(320 * pieceBytes);
    expect(message.complete).toBe(false);
  });
});

describe('stalled connections', () => {
  const neverReading = (port: number, text: string): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port }).pause().on('error', reject);
      socket.write(text, () => resolve(socket));
    });

  it('are closed, also without a credential, and others are not', async () => {
    const gateway = await stack.startGateway({ READER_TIMEOUT_MS: '1000' });
    const port = Number(new URL(gateway.url).port);
    const request = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';
    // So much that it does not fit into the buffers of the connection.
    const stalled = await Promise.all([1, 2, 3].map(() => neverReading(port, request.repeat(40))));
    // What it sends between requests is no reading.
    const chatting = await neverReading(port, request.repeat(40));
    const chat = setInterval(() => chatting.write('\r\n'), 200);
    const idle = await neverReading(port, '');
    const isOpen = async (socket: Socket): Promise<boolean> => {
      if (socket.destroyed) return false;
      const ended = new Promise((resolve) => socket.on('close', () => resolve(false)).resume());
      return (await Promise.race([ended, sleep(1000).then(() => true)])) === true;
    };
    await sleep(4500);
    expect(await isOpen(idle)).toBe(true);
    clearInterval(chat);
    for (const socket of [...stalled, chatting]) expect(await isOpen(socket)).toBe(false);
    idle.destroy();
    expect((await stack.request('/openapi.json', { gateway })).status).toBe(200);
  });

  it('are kept while their answer is pending', async () => {
    const gateway = await stack.startGateway({ READER_TIMEOUT_MS: '1000' });
    const { status } = await stack.request(report('slow-3000'), { gateway });
    expect(status).toBe(200);
  });
});
