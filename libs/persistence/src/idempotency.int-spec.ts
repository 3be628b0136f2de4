import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fail, succeed, type Result } from '@tessera/failures';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import {
  runIdempotently,
  findStoredAnswer,
  createIdempotentCall,
  storeAnswer,
  maxStoredBodyBytes,
  type IdempotentCall,
  type StoredAnswer,
} from './idempotency.js';
import { createPool } from './pool.js';
import { attemptInTenantTransaction, runInTenantTransaction, openTenantTransaction } from './tenant-transaction.js';

let database: TestDatabase;
let admin: pg.Client;
const pools: Partial<Record<IdempotentCall['schema'], pg.Pool>> = {};

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  // What the calls of this file do, so that effects can be counted.
  for (const schema of ['content_repo', 'gateway'] as const)
    await admin.query(`create table ${schema}.effect (tenant text, what text);
      grant select, insert on ${schema}.effect to tessera_${schema}`);
  for (const service of ['content-repo', 'gateway'] as const)
    pools[service === 'gateway' ? 'gateway' : 'content_repo'] = createPool({
      url: database.urlFor(service),
      applicationName: 'spec',
      connectionsMax: 20,
      statementTimeoutMs: 10_000,
    });
});
afterAll(async () => {
  await Promise.all(Object.values(pools).map((pool) => pool.end()));
  await admin.end();
  await database.drop();
});

const poolOf = ({ schema }: Pick<IdempotentCall, 'schema'>): pg.Pool => {
  const pool = pools[schema];
  if (!pool) throw new Error(`There is no pool of ${schema}.`);
  return pool;
};

const callOf = (more: Partial<IdempotentCall> = {}): IdempotentCall => ({
  schema: 'content_repo',
  tenant: 'meridian',
  route: 'content.things.make',
  key: randomUUID(),
  request: { name: 'a', members: [1, 2] },
  ...more,
});

const answer = (body: string): StoredAnswer => ({ contentType: 'application/json', headers: { etag: '"7"' }, body });

/** A call as a service makes it: the effect is a row, the answer tells it. */
const perform = (call: IdempotentCall, what: string = randomUUID()): Promise<Result<StoredAnswer>> =>
  attemptInTenantTransaction(poolOf(call), call.tenant, async (client) => {
    const found = await findStoredAnswer(client, call);
    if (!found.ok) return found;
    if (found.value) return succeed(found.value);
    await client.query(`insert into ${call.schema}.effect values ($1, $2)`, [call.tenant, what]);
    await storeAnswer(client, call, answer(what));
    return succeed(answer(what));
  });

const find = (call: IdempotentCall) =>
  runInTenantTransaction(poolOf(call), call.tenant, (client) => findStoredAnswer(client, call));
const keep = (call: IdempotentCall, body: string) =>
  runInTenantTransaction(poolOf(call), call.tenant, (client) => storeAnswer(client, call, answer(body)));

const effectsOf = async (schema: string, bodies: readonly string[]): Promise<number> => {
  const { rowCount } = await admin.query(`select from ${schema}.effect where what = any($1)`, [bodies]);
  return rowCount ?? 0;
};

const age = (tenant: string, interval: string) =>
  admin.query(`update content_repo.idempotency set created_at = now() - $2::interval where tenant = $1`, [
    tenant,
    interval,
  ]);
const keptBy = async (tenant: string): Promise<number> =>
  (await admin.query('select from content_repo.idempotency where tenant = $1', [tenant])).rowCount ?? 0;

const mismatch = { ok: false, failure: { code: 'GENERAL_IDEMPOTENCY_MISMATCH' } };
const running = { ok: false, failure: { code: 'GENERAL_IDEMPOTENCY_RUNNING', retryAfterSeconds: 1 } };

describe.each(['content_repo', 'gateway'] as const)('a call with an Idempotency-Key in the schema %s', (schema) => {
  it('runs once and returns the same response again', async () => {
    const call = callOf({ schema });
    const first = await perform(call, `first ${schema}`);
    expect(first).toEqual({ ok: true, value: answer(`first ${schema}`) });
    expect(await perform(call)).toEqual(first);
    expect(await perform({ ...call })).toEqual(first);
  });

  it('is rejected when the request differs', async () => {
    const call = callOf({ schema });
    await perform(call);
    expect(await perform({ ...call, request: { name: 'b', members: [1, 2] } })).toMatchObject(mismatch);
    expect(await perform({ ...call, request: { name: 'a', members: [2, 1] } })).toMatchObject(mismatch);
  });

  it('takes effect once when sent twenty times at once', async () => {
    const call = callOf({ schema });
    const bodies = Array.from({ length: 20 }, (_, index) => `${call.key} ${index}`);
    const results = await Promise.all(bodies.map((body) => perform({ ...call }, body)));
    const answered = results.flatMap((result) => (result.ok ? [result.value.body] : []));
    expect(new Set(answered).size).toBe(1);
    for (const result of results) if (!result.ok) expect(result).toMatchObject(running);
    expect(await effectsOf(schema, bodies)).toBe(1);
    expect(await perform(call)).toMatchObject({ ok: true, value: { body: answered[0] } });
  });
});

describe('an Idempotency-Key', () => {
  it('applies to one tenant, route and schema', async () => {
    const call = callOf();
    const others = [
      call,
      callOf({ key: call.key, tenant: 'northgate' }),
      callOf({ key: call.key, route: 'content.things.drop' }),
      callOf({ key: call.key, schema: 'gateway' }),
    ];
    const answers = await Promise.all(others.map((other, index) => perform(other, `own ${index}`)));
    expect(answers.map((result) => result.ok && result.value.body)).toEqual(['own 0', 'own 1', 'own 2', 'own 3']);
  });

  it('is stored only as a digest, and so is its request', async () => {
    const call = callOf({ key: 'key-that-nobody-stores', request: { text: 'text-that-nobody-stores' } });
    await perform(call);
    const { rows } = await admin.query<{ row: string }>('select kept::text as row from content_repo.idempotency kept');
    expect(rows.length).toBeGreaterThan(0);
    const stored = rows.map(({ row }) => row).join();
    expect(stored).not.toContain('nobody-stores');
    expect(stored).not.toContain(Buffer.from('nobody-stores').toString('hex'));
  });

  it('is reported as running during its call, and is free again after a rollback', async () => {
    const call = callOf();
    const transaction = await openTenantTransaction(poolOf(call), call.tenant);
    expect(await findStoredAnswer(transaction.client, call)).toEqual(succeed(undefined));
    expect(await perform(call)).toMatchObject(running);
    expect(await perform({ ...call, request: 'another' })).toMatchObject(running);
    await transaction.client.query('insert into content_repo.effect values ($1, $2)', [call.tenant, 'undone']);
    await storeAnswer(transaction.client, call, answer('undone'));
    await transaction.rollback();
    expect(await perform(call, 'done')).toMatchObject({ ok: true, value: { body: 'done' } });
    expect(await effectsOf('content_repo', ['undone'])).toBe(0);
  });

  it('is free again after the connection of its call breaks', async () => {
    const call = callOf();
    const transaction = await openTenantTransaction(poolOf(call), call.tenant);
    await findStoredAnswer(transaction.client, call);
    await storeAnswer(transaction.client, call, answer('lost'));
    const { rows } = await transaction.client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await admin.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
    await transaction.rollback().catch(() => undefined);
    expect(await perform(call, 'after')).toMatchObject({ ok: true, value: { body: 'after' } });
  });

  it('finds the response of another call that ended after its transaction began', async () => {
    const call = callOf();
    const waiting = await openTenantTransaction(poolOf(call), call.tenant);
    await waiting.client.query('select from content_repo.effect limit 1');
    await perform(call, 'meanwhile');
    expect(await findStoredAnswer(waiting.client, call)).toMatchObject({ ok: true, value: { body: 'meanwhile' } });
    await waiting.rollback();
  });
});

describe('the comparison of two requests with the same key', () => {
  it('ignores the order of members', async () => {
    const call = callOf({ request: { b: [{ y: 1, x: 2 }], a: 'é', gone: undefined } });
    const first = await perform(call);
    expect(await perform({ ...call, request: { a: 'é', b: [{ x: 2, y: 1 }] } })).toEqual(first);
  });

  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: [] }, { a: {} }],
    [{ a: null }, {}],
    [{ a: { b: 1 } }, { a: 1, b: 1 }],
    [{ a: 'x","b":"y' }, { a: 'x', b: 'y' }],
    [JSON.parse('{"__proto__": 1}'), {}],
    [undefined, {}],
  ])('distinguishes %j from %j', async (request, other) => {
    const call = callOf({ request });
    await perform(call);
    expect(await perform({ ...call, request: other })).toMatchObject(mismatch);
  });
});

describe('a stored response', () => {
  it('is valid for 24 hours by the clock of the database and is then replaced', async () => {
    const call = callOf({ tenant: 'aged' });
    await perform(call, 'old');
    await age('aged', '23 hours 59 minutes');
    expect(await perform(call, 'new')).toMatchObject({ ok: true, value: { body: 'old' } });
    await age('aged', '24 hours 1 minute');
    const another = { ...call, request: 'another' };
    expect(await perform(another, 'new')).toMatchObject({ ok: true, value: { body: 'new' } });
    expect(await perform(call)).toMatchObject(mismatch);
    expect(await keptBy('aged')).toBe(1);
  });

  it('is deleted after it expires when its tenant stores others, a few at a time', async () => {
    for (let made = 0; made < 25; made++) await perform(callOf({ tenant: 'tidy' }));
    await perform(callOf({ tenant: 'neighbour' }));
    await age('tidy', '25 hours');
    await age('neighbour', '25 hours');
    const left: number[] = [];
    for (let made = 0; made < 4; made++) {
      await perform(callOf({ tenant: 'tidy' }));
      left.push(await keptBy('tidy'));
    }
    expect(left).toEqual([16, 7, 3, 4]);
    expect(await keptBy('neighbour')).toBe(1);
  });

  it('may have any text of up to 16 mebibytes', async () => {
    const call = callOf();
    const body = `"é\u2028\\u0000${'x'.repeat(maxStoredBodyBytes - 13)}"`;
    expect(Buffer.byteLength(body)).toBe(maxStoredBodyBytes);
    await perform(call, body);
    expect(await find(call)).toEqual(succeed(answer(body)));
    await expect(keep(callOf(), `${body}x`)).rejects.toThrow('too large');
  });

  it('is not replaced while it is valid', async () => {
    const call = callOf();
    await keep(call, 'one');
    await expect(keep(call, 'two')).rejects.toThrow('done twice');
    expect(await find(call)).toMatchObject({ value: { body: 'one' } });
  });

  it('is hidden from other tenants and from transactions without a tenant', async () => {
    const call = callOf();
    await perform(call);
    const foreign = runInTenantTransaction(poolOf(call), 'northgate', (client) => findStoredAnswer(client, call));
    expect(await foreign).toEqual(succeed(undefined));
    expect((await poolOf(call).query('select from content_repo.idempotency')).rowCount).toBe(0);
    const smuggle = runInTenantTransaction(poolOf(call), 'northgate', (client) =>
      storeAnswer(client, callOf(), answer('smuggled')),
    );
    await expect(smuggle).rejects.toThrow(/row-level security/);
  });
});

describe('a stored response with a secret', () => {
  it('is stored encrypted and decrypted only with its key', async () => {
    const call = callOf({ secret: true });
    await perform(call, 'the secret of the answer');
    expect(await find(call)).toEqual(succeed(answer('the secret of the answer')));
    const { rows } = await admin.query<{ body: string }>(
      `select body from content_repo.idempotency order by created_at desc limit 1`,
    );
    expect(Buffer.from(rows[0]?.body ?? '', 'base64').length).toBe(16 + 12 + 16 + 24);
    expect(Buffer.from(rows[0]?.body ?? '', 'base64').toString('latin1')).not.toContain('secret');
  });

  it('is not decrypted after it was changed or moved to another key', async () => {
    const [call, other] = [callOf({ secret: true, tenant: 'moved' }), callOf({ secret: true, tenant: 'moved' })];
    await perform(call, 'one');
    await perform(other, 'two');
    await admin.query(`update content_repo.idempotency set body = (
      select max(body) from content_repo.idempotency where tenant = 'moved') where tenant = 'moved'`);
    const opened = await Promise.allSettled([find(call), find(other)]);
    expect(opened.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('runIdempotently', () => {
  const told = (text: string) => ({ contentType: 'application/json', body: Buffer.from(text) });
  const bytes = (text: string) => succeed(told(text));
  const once = (call: IdempotentCall | undefined, work: () => Promise<Result<{ contentType: string; body: Buffer }>>) =>
    attemptInTenantTransaction(poolOf({ schema: 'content_repo' }), 'meridian', (client) =>
      runIdempotently(client, call, work),
    );

  it('does the work once and marks a replayed response', async () => {
    const call = callOf();
    let done = 0;
    const work = async () => bytes(`{"done":${++done}}`);
    expect(await once(call, work)).toEqual(bytes('{"done":1}'));
    expect(await once(call, work)).toEqual(
      succeed({ ...told('{"done":1}'), headers: { 'idempotency-replayed': 'true' } }),
    );
    expect(await once(undefined, work)).toEqual(bytes('{"done":2}'));
  });

  it('does not store failures', async () => {
    const call = callOf();
    const refused = fail('GENERAL_CONFLICT', 'Not now.');
    expect(await once(call, async () => refused)).toEqual(refused);
    expect(await once({ ...call, request: 'another' }, async () => bytes('done'))).toEqual(bytes('done'));
  });

  it('is skipped for a request without a key, and the key is not part of the compared request', () => {
    const place = { schema: 'gateway', tenant: 'a' } as const;
    expect(createIdempotentCall(place, { name: 'x' }, { idempotencyKey: undefined })).toBeUndefined();
    const request = { idempotencyKey: 'k', name: 'n' };
    expect(createIdempotentCall(place, { name: 'x' }, request)).toEqual({
      ...place,
      route: 'x',
      key: 'k',
      request: { name: 'n' },
      secret: false,
    });
  });
});
