/** @own-modules It registers a provider of traces. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { waitUntil, startTestNats, type TestNats } from '@tessera/testing';
import { getCurrentRequestScope, runInRequestScope, activateTracing, startOperationSpan } from './tracing.js';
import { throwingOperation, echoOperation } from './testing/operations.js';
import {
  createCallFrame,
  handlerRecord,
  startTestClient,
  startTestService,
  type TestService,
} from './testing/test-service.js';

const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('traces', () => {
  let nats: TestNats;
  let service: TestService;
  let caller: Awaited<ReturnType<typeof startTestClient>>;
  const exporter = new InMemorySpanExporter();
  beforeAll(async () => {
    nats = await startTestNats();
    service = await startTestService(nats.urlFor('content-repo'));
    caller = await startTestClient(nats.urlFor('gateway'));
  });
  afterAll(async () => {
    await caller.stop();
    await service.stop();
    await nats.stop();
  });

  it('pass the context through unchanged when tracing is off', () => {
    expect(startOperationSpan('a', 'client', parent).traceparent).toBe(parent);
    expect(startOperationSpan('a', 'client', undefined).traceparent).toBeUndefined();
  });

  it('connect the span of the caller, the client span and the server span', async () => {
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
    activateTracing();
    await caller.client.call(echoOperation, { word: 'a', count: 1 }, createCallFrame({ traceparent: parent }));
    await caller.client.call(throwingOperation, { word: 'a', count: 1 }, createCallFrame({ traceparent: parent }));
    // Theirs end a moment after ours, when the answer is on its way.
    await waitUntil(() => exporter.getFinishedSpans().length >= 4);
    const spans = exporter.getFinishedSpans();
    expect(spans).toHaveLength(4);
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set(['a'.repeat(32)]));
    const served = spans.find(
      (span) => span.name === echoOperation.name && span.attributes['tessera.outcome'] === 'ok',
    );
    expect(served).toBeDefined();
    expect(handlerRecord.contexts.at(-1)?.traceparent).toMatch(/^00-a{32}-[0-9a-f]{16}-01$/);
    expect(handlerRecord.contexts.at(-1)?.traceparent).not.toBe(parent);
    const failed = spans.filter((span) => span.name === throwingOperation.name);
    expect(failed.map((span) => span.status.code)).toEqual([2, 2]);
    expect(served?.attributes).toMatchObject({ 'rpc.system.name': 'nats', 'rpc.method': echoOperation.name });
  });

  it('keep the span of the running request active across awaits', async () => {
    const traceparent = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`;
    const active = await runInRequestScope({ requestId: 'r-1', traceparent }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return trace.getActiveSpan()?.spanContext();
    });
    expect(active).toMatchObject({ traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), traceFlags: 1 });
    expect(getCurrentRequestScope()).toBeUndefined();
    expect(trace.getActiveSpan()).toBeUndefined();
  });
});
