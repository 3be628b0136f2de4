import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWire, waitUntil, type Wire } from '@tessera/testing';
import pg from 'pg';
import { openTestStack, contentRestPath, type RequestOptions, type TestStack } from './testing/test-stack.js';
import { startStubContentRepo } from './testing/stub-content.js';

let stack: TestStack;
let wire: Wire | undefined;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(async () => {
  await stack?.stop();
  wire?.end();
});

const facets = contentRestPath('/facets');

const until = (path: string, status: number): Promise<void> =>
  waitUntil(async () => (await stack.request(path)).status === status);

const untilCheck = (name: string, state: 'up' | 'down', gateway = stack.gateway): Promise<void> =>
  waitUntil(async () => (await stack.request('/health/ready', { gateway })).text.includes(`"${name}":"${state}"`));

describe('a service that is down', () => {
  it('leads to 503 at once, and to 200 when it is back', async () => {
    await until(facets, 200);
    await stack.content.stop();
    const { status, headers, body } = await stack.request(facets);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(body).toMatchObject({ type: 'Critical', data: { error: 'SERVICE_UNAVAILABLE' } });
    // What NATS says at once; who waits for an answer in vain is told of a silence or a deadline.
    expect(body?.['message']).toContain('is not running');
    const { body: told } = await stack.request('/admin/status', { key: stack.keys.operator });
    expect(told).toMatchObject({
      services: { 'content-repo': 'down', 'knowledge-models': 'up', 'tool-gateway': 'up', agents: 'up' },
      dependencies: { nats: 'up', database: 'up', writes: 'up' },
    });
    const back = await startStubContentRepo(stack.nats.urlFor('content-repo'));
    await until(facets, 200);
    await back.stop();
  });
});

describe('NATS down', () => {
  it('makes the gateway answer 503 with Retry-After while it stays ready, and recover without a restart', async () => {
    const content = await startStubContentRepo(stack.nats.urlFor('content-repo'));
    await until(facets, 200);
    await stack.nats.kill();
    await until(facets, 503);
    expect((await stack.request(facets)).headers.get('retry-after')).toBe('1');
    await untilCheck('nats', 'down');
    const { status, body } = await stack.request('/health/ready');
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'ready', checks: { nats: 'down', inbox: 'up', database: 'up', writes: 'up' } });
    expect((await stack.request('/health/live')).status).toBe(200);
    await stack.nats.restart();
    await until(facets, 200);
    await untilCheck('nats', 'up');
    await content.stop();
  });
});

describe('a permission of NATS that is lost', () => {
  const mendedWithinMs = 10_000;

  it.each([
    ['the inbox of the gateway', 'gateway', { subscribe: ['_INBOX.gateway.>'] }, 503, 'may not receive'],
    ['calling the service', 'gateway', { publish: ['op.content-repo.>'] }, 200, 'may not send'],
    ['the operations of the service', 'content-repo', { subscribe: ['op.content-repo.>'] }, 200, 'is not running'],
  ] as const)('%s: 503 that says so, and all is well within ten seconds', async (_what, user, denied, ready, words) => {
    const content = await startStubContentRepo(stack.nats.urlFor('content-repo'));
    await until(facets, 200);
    await stack.nats.deny(user, denied);
    await until('/health/ready', ready);
    const { status, headers, body } = await stack.request(facets);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(body?.['message']).toContain(words);

    await stack.nats.deny(user, {});
    const mendedAtMs = performance.now();
    await until(facets, 200);
    await until('/health/ready', 200);
    expect(performance.now() - mendedAtMs).toBeLessThan(mendedWithinMs);
    await content.stop();
  });
});

describe('PostgreSQL down', () => {
  it('is told with 503 and Retry-After by a gateway that stays ready, and recovers without a restart', async () => {
    wire = await openWire(stack.database.urlFor('gateway'));
    const content = await startStubContentRepo(stack.nats.urlFor('content-repo'));
    const gateway = await stack.startGateway({ DATABASE_URL: wire.url });
    await waitUntil(async () => (await stack.request(facets, { gateway })).status === 200);
    wire.cut();
    await untilCheck('database', 'down', gateway);
    expect((await stack.request('/health/ready', { gateway })).status).toBe(200);
    // The gateway has verified this key before.
    expect((await stack.request(facets, { gateway })).status).toBe(200);
    const { reader } = stack.keys;
    const tokenRequest = {
      method: 'POST',
      key: undefined,
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Authorization: `Basic ${Buffer.from(`any:${reader}`).toString('base64')}`,
      },
      body: 'grant_type=client_credentials',
    };
    for (const [path, options] of [
      [facets, { key: stack.keys.northgate }],
      ['/intelligence/api/knowledge-models', { key: reader }],
      ['/intelligence/api/odata/any.svc/', { key: reader }],
      ['/studio-copilot/api/v1/mcp-servers/mcp', { key: reader }],
      ['/intelligence/api/ai/agents/any/v1/models', { key: reader }],
      ['/admin/status', { key: stack.keys.operator }],
      ['/oauth2/token', tokenRequest],
    ] satisfies readonly (readonly [string, RequestOptions])[]) {
      const { status, headers, text } = await stack.request(path, { gateway, ...options });
      expect({ path, status, wait: headers.get('retry-after') }).toEqual({ path, status: 503, wait: '1' });
      expect(text).not.toMatch(/127\.0\.0\.1|ECONN/);
    }
    wire.join();
    await untilCheck('database', 'up', gateway);
    await waitUntil(
      async () => (await stack.request('/admin/status', { gateway, key: stack.keys.operator })).status === 200,
    );
    await content.stop();
  });

  it('keeps a gateway that has not had it yet from being ready, which names it', async () => {
    const gateway = await stack.startGateway({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:9/none' });
    const { status, body } = await stack.request(facets, { gateway });
    expect(status).toBe(503);
    expect(body).toMatchObject({ data: { error: 'SERVICE_UNAVAILABLE' } });
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONN/);
    const ready = await stack.request('/health/ready', { gateway });
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({ status: 'not ready', checks: { database: 'down' } });
    expect((await stack.request(facets, { gateway, key: `${stack.keys.meridian}x` })).status).toBe(401);
  });
});

describe('PostgreSQL that is read-only', () => {
  it('keeps a gateway from becoming ready, and writes are 503', async () => {
    const { pathname } = new URL(stack.database.adminUrl);
    const admin = new pg.Client({ connectionString: stack.database.adminUrl });
    await admin.connect();
    await admin.query(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`);
    // Of a database it counts for connections that come.
    const gateway = await stack.startGateway();
    const ready = await stack.request('/health/ready', { gateway });
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({ status: 'not ready', checks: { nats: 'up', database: 'up', writes: 'down' } });
    const made = await stack.request('/admin/teams/later', {
      ...{ gateway, key: stack.keys.operator, method: 'PUT' },
      body: { name: 'Later' },
    });
    expect(made.status).toBe(503);
    expect(made.headers.get('retry-after')).toBe('1');
    await admin.query(`alter database ${pathname.slice(1)} reset default_transaction_read_only`);
    await admin.end();
  });
});
