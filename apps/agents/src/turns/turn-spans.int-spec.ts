/** @own-modules What a turn does as spans of the trace of the request that began it; it registers a provider of traces. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { activateTracing } from '@tessera/messaging';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import {
  createAgentDefinition,
  applyOrThrow,
  createContext,
  openTestService,
  converseOrThrow,
  type TestService,
} from '../testing/test-service.js';
import { createToolCallAnswer } from '../testing/scripted-model.js';

const exporter = new InMemorySpanExporter();
const team = 'meridian';
let fixture: TestService;
beforeAll(async () => {
  fixture = await openTestService();
  await applyOrThrow(fixture.replicas[0], team, [createAgentDefinition('analyst', { tools: [{ asset: 'p2p' }] })]);
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  activateTracing();
});
afterAll(() => fixture?.end());

it('traces the turn, each model request in it, and its tool calls', async () => {
  fixture.model.follow((_request, callNumber) =>
    callNumber === 1 ? createToolCallAnswer(['load-data', {}]) : { text: 'One.' },
  );
  const traceId = 'c'.repeat(32);
  const context = { ...createContext(team), traceparent: `00-${traceId}-${'d'.repeat(16)}-01` };
  await converseOrThrow(fixture.replicas[0], team, 'How many?', { context });

  const spans = exporter.getFinishedSpans().map((span) => ({
    ...{ name: span.name, trace: span.spanContext().traceId, id: span.spanContext().spanId },
    ...{ parent: span.parentSpanContext?.spanId, outcome: span.attributes['tessera.outcome'] },
  }));
  const turn = spans.find(({ name }) => name === 'agents.turn');
  expect(turn).toMatchObject({ trace: traceId, parent: 'd'.repeat(16), outcome: 'answered' });
  expect(spans.filter(({ name }) => name === 'agents.model')).toMatchObject([
    { trace: traceId, parent: turn?.id, outcome: 'tool-calls' },
    { trace: traceId, parent: turn?.id, outcome: 'stop' },
  ]);
  const called = fixture.services.calls.find(({ operation }) => operation === 'tools.run');
  expect(called?.frame.traceparent).toBe(`00-${traceId}-${turn?.id}-01`);
});
