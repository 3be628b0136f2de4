import { describe, expect, it } from '@jest/globals';
import { createFixedClock } from '@tessera/testing';
import { Health } from './health.js';
import { startManagementServer } from './management.js';
import { makeMetrics } from './metrics.js';

const startedHealth = (clock?: () => number): Health => {
  const health = new Health(clock);
  health.started();
  return health;
};

describe('health', () => {
  it('is starting until the process is set up, then ready when every check is up', async () => {
    const health = new Health();
    health.register('nats', () => true);
    health.register('database', async () => true);
    expect(await health.readiness()).toEqual({ status: 'starting', checks: { nats: 'up', database: 'up' } });
    health.started();
    expect(await health.readiness()).toEqual({ status: 'ready', checks: { nats: 'up', database: 'up' } });
  });

  it('names a check that is down, throws or never answers', async () => {
    const health = startedHealth();
    health.register('fine', () => true);
    health.register('down', () => false);
    health.register('throwing', () => Promise.reject(new Error('connect ECONNREFUSED db.internal')));
    health.register('hanging', () => new Promise(() => {}));
    const readiness = await health.readiness();
    expect(readiness).toEqual({
      status: 'not ready',
      checks: { fine: 'up', down: 'down', throwing: 'down', hanging: 'down' },
    });
  });

  it('checks a dependency once for concurrent requests, and again later', async () => {
    const clock = createFixedClock();
    const health = startedHealth(clock.nowMs);
    let asked = 0;
    health.register('database', () => {
      asked += 1;
      return true;
    });
    await Promise.all([health.readiness(), health.readiness(), health.readiness()]);
    expect(asked).toBe(1);
    clock.advance(300);
    await health.readiness();
    expect(asked).toBe(2);
  });

  it('stays ready without what it needs first only, once everything has been there', async () => {
    const clock = createFixedClock();
    const health = startedHealth(clock.nowMs);
    const up = { inbox: false, database: true };
    health.register('inbox', () => up.inbox);
    health.register('database', () => up.database, 'first');
    const after = (inbox: boolean, database: boolean) => {
      Object.assign(up, { inbox, database });
      clock.advance(300);
      return health.readiness();
    };
    expect(await after(true, false)).toMatchObject({ status: 'not ready', checks: { database: 'down' } });
    expect(await after(true, true)).toMatchObject({ status: 'ready' });
    expect(await after(true, false)).toEqual({ status: 'ready', checks: { inbox: 'up', database: 'down' } });
    expect(await after(false, true)).toEqual({ status: 'not ready', checks: { inbox: 'down', database: 'up' } });
    expect(await after(true, false)).toMatchObject({ status: 'ready' });
  });

  it('is stopping as soon as stop is called, whatever the checks say', async () => {
    const health = startedHealth();
    health.register('nats', () => true);
    await health.readiness();
    health.stop();
    expect(await health.readiness()).toEqual({ status: 'stopping', checks: {} });
  });
});

describe('the management server', () => {
  it('answers health and metrics, and nothing else', async () => {
    const health = startedHealth();
    health.register('database', () => false);
    const metrics = makeMetrics('agents');
    metrics.observer.served('content.facets.list', 'ok', 12);
    metrics.observer.called('content.facets.list', 'SERVICE_UNAVAILABLE', 3);
    metrics.gauge('tessera_outbox_events', 'Events that wait.', () => Promise.resolve(3));
    metrics.gauge('tessera_lost', 'What cannot be read.', () => Promise.reject(new Error('away')));
    const server = await startManagementServer({ health, metrics }, '127.0.0.1', 0);
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
      return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
    };
    expect(await get('/health/live')).toMatchObject({ status: 200, text: '{"status":"live"}' });
    expect(await get('/health/ready?verbose')).toMatchObject({
      status: 503,
      type: 'application/json; charset=utf-8',
      text: '{"status":"not ready","checks":{"database":"down"}}',
    });
    const { text, type } = await get('/metrics');
    expect(type).toContain('text/plain');
    expect(text).toContain(
      'tessera_operation_duration_seconds_count{service="agents",side="server",operation="content.facets.list",outcome="ok"} 1',
    );
    expect(text).toContain('side="client",operation="content.facets.list",outcome="SERVICE_UNAVAILABLE"} 1');
    expect(text).toContain('nodejs_eventloop_lag_max_seconds');
    expect(text).toContain('tessera_outbox_events{service="agents"} 3');
    expect(text).toContain('tessera_lost{service="agents"} Nan');
    expect(await get('/secrets')).toMatchObject({ status: 404 });
    await server.close();
  });
});
