import { describe, expect, it } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTraces } from './traces.js';

describe('traces', () => {
  it('go to the collector that is configured, with the name of the service', async () => {
    const received: { readonly path: string; readonly body: string }[] = [];
    const collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString() });
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => collector.once('listening', resolve));
    const { port } = collector.address() as AddressInfo;
    const traces = await startTraces('agents', `http://127.0.0.1:${port}/`);
    trace.getTracer('spec').startSpan('agents.trial').end();
    await traces.stop();
    expect(received.map(({ path }) => path)).toEqual(['/v1/traces']);
    expect(received[0]?.body).toContain('tessera-agents');
    expect(received[0]?.body).toContain('agents.trial');
    collector.closeAllConnections();
    await new Promise((resolve) => collector.close(resolve));
  });
});
