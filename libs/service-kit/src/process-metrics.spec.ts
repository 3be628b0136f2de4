import { describe, expect, it } from '@jest/globals';
import { Health } from './health.js';
import { makeMetrics, registerPoolMetrics, registerProcessMetrics } from './metrics.js';
import { productVersion } from './product-version.js';

describe('the metrics of a process', () => {
  it('include its version, memory and readiness', async () => {
    const metrics = makeMetrics('agents');
    const health = new Health();
    health.register('nats', () => true);
    health.register('database', () => false);
    registerProcessMetrics(metrics, health);
    const text = await metrics.registry.metrics();
    expect(text).toContain(`tessera_version{version="${productVersion}",service="agents"} 1`);
    expect(text).toContain('tessera_dependency_up{dependency="nats",service="agents"} 1');
    expect(text).toContain('tessera_dependency_up{dependency="database",service="agents"} 0');
    expect(text).toContain('tessera_ready{service="agents"} 0');
    expect(text).toMatch(/tessera_memory_limit_bytes\{service="agents"\} [1-9]/);
  });

  it('sum pools of the same name and drop closed ones', async () => {
    const metrics = makeMetrics('knowledge-models');
    const figure = { pool: 'external', max: 5, used: 2, idle: 1, waiting: 4 };
    let figures = [figure, figure, { ...figure, pool: 'queries' }];
    registerPoolMetrics(metrics, () => figures);
    const before = await metrics.registry.metrics();
    expect(before).toContain('tessera_database_connections{pool="external",state="used",service="knowledge-models"} 4');
    expect(before).toContain('tessera_database_connections_max{pool="external",service="knowledge-models"} 10');
    expect(before).toContain('tessera_database_waiting{pool="queries",service="knowledge-models"} 4');
    figures = [figure];
    expect(await metrics.registry.metrics()).not.toContain('queries');
  });
});
