import { describe, expect, it } from '@jest/globals';
import { makeMetrics } from './metrics.js';

describe('the metrics of a process', () => {
  it('read the current value of a counter when they are collected', async () => {
    const metrics = makeMetrics('knowledge-models');
    let hits = 3;
    metrics.total('tessera_hits_total', 'Hits.', () => hits);
    expect(await metrics.registry.metrics()).toContain('tessera_hits_total{service="knowledge-models"} 3\n');
    hits = 10;
    expect(await metrics.registry.metrics()).toContain('tessera_hits_total{service="knowledge-models"} 10\n');
  });

  it('measure durations', async () => {
    const metrics = makeMetrics('knowledge-models');
    const took = metrics.durations('tessera_query_duration_seconds', 'Queries.');
    took(0.003);
    took(0.3);
    const text = await metrics.registry.metrics();
    expect(text).toContain('tessera_query_duration_seconds_count{service="knowledge-models"} 2\n');
    expect(text).toContain('tessera_query_duration_seconds_bucket{le="0.005",service="knowledge-models"} 1\n');
  });

  it('separate durations by their labels', async () => {
    const metrics = makeMetrics('tool-gateway');
    const took = metrics.durations('tessera_tool_duration_seconds', 'Calls.', ['kind', 'outcome']);
    took(0.003, 'load-data', 'ok');
    took(0.003, 'load-data', 'ok');
    took(0.3, 'load-data', 'TOOL_FAILED');
    const text = await metrics.registry.metrics();
    const count = (outcome: string) =>
      `tessera_tool_duration_seconds_count{service="tool-gateway",kind="load-data",outcome="${outcome}"}`;
    expect(text).toContain(`${count('ok')} 2\n`);
    expect(text).toContain(`${count('TOOL_FAILED')} 1\n`);
  });

  it('sum amounts and sort sizes into buckets by their labels', async () => {
    const metrics = makeMetrics('agents');
    const tokens = metrics.counts('tessera_tokens_total', 'Tokens.', ['direction']);
    tokens(40, 'input');
    tokens(2, 'input');
    const steps = metrics.sizes('tessera_steps', 'Steps.', [1, 8], ['agent']);
    steps(3, 'meridian/analyst');
    const text = await metrics.registry.metrics();
    expect(text).toContain('tessera_tokens_total{direction="input",service="agents"} 42\n');
    expect(text).toContain('tessera_steps_bucket{le="1",service="agents",agent="meridian/analyst"} 0\n');
    expect(text).toContain('tessera_steps_bucket{le="8",service="agents",agent="meridian/analyst"} 1\n');
  });
});
