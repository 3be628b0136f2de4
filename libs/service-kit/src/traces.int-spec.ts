/** @own-modules It registers a provider of traces. */
import { describe, expect, it } from '@jest/globals';
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTraces, withOutageLog, type TracesOptions } from './traces.js';

const lines: string[] = [];
const log: TracesOptions['log'] = {
  warn: (_fields: unknown, message?: string) => void lines.push(message ?? ''),
  info: (_fields: unknown, message?: string) => void lines.push(message ?? ''),
};

describe('an outage of the collector', () => {
  it('is logged once when it begins and once when it ends', () => {
    const codes = [0, 1, 1, 0, 0];
    const exporter = withOutageLog(
      {
        export: (_spans, told) => told({ code: codes.shift() ?? 0, error: new Error('secret') }),
        shutdown: () => Promise.resolve(),
      },
      log,
    );
    const outcomes: number[] = [];
    while (codes.length > 0) exporter.export([], ({ code }) => outcomes.push(code));
    expect(outcomes).toEqual([0, 1, 1, 0, 0]);
    expect(lines.splice(0)).toEqual(['traces cannot be sent; they are dropped', 'traces are sent again']);
  });
});

describe('traces', () => {
  it('are sent to the configured collector with the name and version of the service', async () => {
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
    const traces = await startTraces({
      ...{ service: 'agents', endpoint: `http://127.0.0.1:${port}/`, sampledShare: 0, log },
    });
    trace.getTracer('spec').startSpan('agents.unasked').end();
    const asked = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1, isRemote: true };
    trace.getTracer('spec').startSpan('agents.trial', {}, trace.setSpanContext(ROOT_CONTEXT, asked)).end();
    await traces.stop();
    expect(received.map(({ path }) => path)).toEqual(['/v1/traces']);
    expect(received[0]?.body).toContain('tessera-agents');
    expect(received[0]?.body).toContain('service.version');
    expect(received[0]?.body).toContain('agents.trial');
    // With a share of 0 only who asks for a trace has one.
    expect(received[0]?.body).not.toContain('agents.unasked');
    expect(lines).toEqual([]);
    collector.closeAllConnections();
    await new Promise((resolve) => collector.close(resolve));
  });
});
