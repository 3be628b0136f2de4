import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from '@jest/globals';
import { makeStoppable } from './stop-serving.js';

/** A client with a thread of its own: it keeps its connection, and sends a second request while the server's thread stands still. */
const client = `
const { parentPort, workerData } = require('node:worker_threads');
const request = 'GET / HTTP/1.1\\r\\nHost: trial\\r\\n\\r\\n';
const socket = require('node:net').connect(workerData.port, '127.0.0.1', () => socket.write(request));
socket.on('error', (error) => parentPort.postMessage(String(error)));
socket.on('data', (bytes) => parentPort.postMessage(bytes.toString().split('\\r\\n')[0]));
socket.on('close', () => parentPort.postMessage('closed'));
parentPort.once('message', () => socket.write(request, () => {
  Atomics.store(workerData.sent, 0, 1);
  Atomics.notify(workerData.sent, 0);
}));
`;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

it('a stopping server answers a request that arrived on a kept-alive connection while the process was busy', async () => {
  const server = createServer((_, response) => response.end('answered'));
  const stop = makeStoppable(server);
  const port = await listening(server);
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(client, { eval: true, workerData: { port, sent } });
  ends.push(() => worker.terminate());
  const told: unknown[] = [];
  worker.on('message', (message) => told.push(message));
  await once(worker, 'message');
  worker.postMessage('once more');
  Atomics.wait(sent, 0, 0);
  const close = () => new Promise((resolve) => server.close(resolve));
  await stop({ patienceMs: 60_000, giveUp: () => Promise.resolve(), close });
  while (!told.includes('closed')) await once(worker, 'message');
  expect(told).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK', 'closed']);
});
