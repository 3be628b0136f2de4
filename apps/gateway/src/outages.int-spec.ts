import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tessera/testing';
import pg from 'pg';
import { openTestStack, contentRestPath, type TestStack } from './testing/test-stack.js';
import { startStubContentRepo } from './testing/stub-content.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());

const facets = contentRestPath('/facets');

const until = (path: string, status: number): Promise<void> =>
  waitUntil(async () => (await stack.request(path)).status === status);

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
  it('makes the gateway answer 503 and report not ready, and recover without a restart', async () => {
    const content = await startStubContentRepo(stack.nats.urlFor('content-repo'));
    await until(facets, 200);
    await stack.nats.kill();
    await until(facets, 503);
    await until('/health/ready', 503);
    const { status, body } = await stack.request('/health/ready');
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: 'not ready', checks: { nats: 'down', database: 'up' } });
    expect((await stack.request('/health/live')).status).toBe(200);
    await stack.nats.restart();
    await until(facets, 200);
    await until('/health/ready', 200);
    await content.stop();
  });
});

describe('PostgreSQL down', () => {
  it('keeps cached keys working, answers 503 to others and names what is missing', async () => {
    const gateway = await stack.startGateway({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:9/none' });
    const { status, body } = await stack.request(facets, { gateway });
    expect(status).toBe(503);
    expect(body).toMatchObject({ data: { error: 'SERVICE_UNAVAILABLE' } });
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONN/);
    const ready = await stack.request('/health/ready', { gateway });
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({ checks: { database: 'down' } });
    expect((await stack.request(facets, { gateway, key: `${stack.keys.meridian}x` })).status).toBe(401);
  });
});

describe('PostgreSQL that is read-only', () => {
  it('makes the gateway not ready and answers writes with 503', async () => {
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
