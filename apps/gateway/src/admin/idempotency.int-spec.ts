/** POSTs of the gateway itself that are sent again, over HTTP, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKey, listKeys } from '@tessera/contracts/gateway';
import { runInTenantTransaction, type Pool } from '@tessera/persistence';
import { randomUUID } from 'node:crypto';
import { sendRawRequest } from '../testing/raw-request.js';
import { openTestPool } from '../testing/test-gateway.js';
import { openTestStack, contentRestPath, type Answer, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
let pool: Pool;
beforeAll(async () => {
  stack = await openTestStack();
  pool = openTestPool(stack.database);
});
afterAll(async () => {
  await pool?.end();
  await stack?.stop();
});

const wanted = { team: 'northgate', name: 'nightly export', scopes: ['content:read'] };

const create = (idempotencyKey: string, body: object = wanted, key = stack.keys.operator): Promise<Answer> =>
  stack.request('/admin/keys', { method: 'POST', body, key, headers: { 'Idempotency-Key': idempotencyKey } });

const queryAsTeam = <Row extends object>(text: string) =>
  runInTenantTransaction(pool, wanted.team, async (client) => (await client.query<Row>(text)).rows);

const keysNamed = async (team: string, name: string): Promise<number> => {
  const { body } = await stack.request(`/admin/keys?team=${team}`, { key: stack.keys.operator });
  return listKeys.reply.parse(body).keys.filter((key) => key.name === name).length;
};

const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed');

describe('issuing a key under an Idempotency-Key', () => {
  it('repeats the same answer and issues only one key', async () => {
    const name = randomUUID();
    const [first, second] = [await create(name, { ...wanted, name }), await create(name, { ...wanted, name })];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect([replayed(first), replayed(second)]).toEqual([null, 'true']);
    expect(await keysNamed('northgate', name)).toBe(1);
    const { key } = createKey.reply.parse(second.body);
    expect((await stack.request(contentRestPath('/facets'), { key })).headers.get('x-ratelimit-limit')).toBe('6000');
  });

  it('issues one key for twenty simultaneous requests', async () => {
    const name = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(name, { ...wanted, name })));
    const good = answers.filter(({ status }) => status === 200);
    for (const { status, headers, body } of answers.filter((answer) => !good.includes(answer))) {
      expect([status, headers.get('retry-after')]).toEqual([409, '1']);
      expect(body).toMatchObject({ code: 'GENERAL_IDEMPOTENCY_RUNNING', title: 'Call still running' });
    }
    expect(new Set(good.map(({ text }) => text)).size).toBe(1);
    expect(await keysNamed('northgate', name)).toBe(1);
  });

  it('refuses another request under the same key', async () => {
    const key = randomUUID();
    await create(key);
    const { status, headers, body } = await create(key, { ...wanted, name: 'another' });
    expect(status).toBe(422);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(body).toMatchObject({ code: 'GENERAL_IDEMPOTENCY_MISMATCH', status: 422 });
    expect(await keysNamed('northgate', 'another')).toBe(0);
  });

  it('keeps the keys of different teams apart', async () => {
    const key = randomUUID();
    const [ours, theirs] = [await create(key), await create(key, { ...wanted, team: 'meridian' })];
    expect([ours.status, theirs.status, replayed(theirs)]).toEqual([200, 200, null]);
    expect(theirs.text).not.toBe(ours.text);
    const stranger = await create(key, wanted, stack.keys.meridianAdmin);
    expect([stranger.status, replayed(stranger)]).toEqual([404, null]);
  });

  it('does not give the key of the operators to the team, which could not have issued it', async () => {
    const key = randomUUID();
    const beyond = { ...wanted, team: 'meridian', furtherScopes: ['finance:read'] };
    expect((await create(key, beyond)).status).toBe(200);
    const { status, text } = await create(key, beyond, stack.keys.meridianAdmin);
    expect([status, text]).toEqual([422, expect.not.stringContaining('"key"')]);
  });

  it('does not store failures', async () => {
    const key = randomUUID();
    expect((await create(key, { ...wanted, expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(400);
    expect((await create(key)).status).toBe(200);
  });

  it('repeats the stored answer even when the same request would now be refused', async () => {
    const key = randomUUID();
    /** A key that was still good when it was asked for, however slow the machine is. */
    const createInTime = async (
      lifeMs: number,
    ): Promise<{
      readonly soon: typeof wanted & { readonly expiresAt: string };
      readonly first: Awaited<ReturnType<typeof create>>;
    }> => {
      const soon = { ...wanted, expiresAt: new Date(Date.now() + lifeMs).toISOString() };
      const first = await create(key, soon);
      return first.status === 400 ? createInTime(lifeMs * 2) : { soon, first };
    };
    const { soon, first } = await createInTime(300);
    expect(first.status).toBe(200);
    while (Date.parse(soon.expiresAt) >= Date.now()) await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await create(key, soon)).text).toBe(first.text);
  });

  it('stores neither the API key nor the idempotency key in clear text', async () => {
    const idempotencyKey = randomUUID();
    const { key } = createKey.reply.parse((await create(idempotencyKey)).body);
    const rows = await queryAsTeam<{ row: string }>('select kept::text as row from gateway.idempotency kept');
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows)
      for (const secret of [key, idempotencyKey])
        for (const form of ['utf8', 'hex', 'base64'] as const)
          expect(row).not.toContain(Buffer.from(secret).toString(form).slice(0, 20));
  });

  it('forgets the answer after 24 hours', async () => {
    const key = randomUUID();
    const first = await create(key);
    await queryAsTeam(`update gateway.idempotency set created_at = now() - interval '24 hours 1 second'`);
    const second = await create(key);
    expect([second.status, replayed(second)]).toEqual([200, null]);
    expect(second.text).not.toBe(first.text);
  });
});

describe('revoking a key under an Idempotency-Key', () => {
  it('repeats the answer, also when the request no longer names the team', async () => {
    const { keyId } = createKey.reply.parse((await create(randomUUID())).body);
    const key = randomUUID();
    const revoke = (query = '') =>
      stack.request(`/admin/keys/${keyId}/revoke${query}`, {
        method: 'POST',
        key: stack.keys.operator,
        headers: { 'Idempotency-Key': key },
      });
    const [first, second, other] = [await revoke(), await revoke(), await revoke('?team=northgate')];
    expect([first.status, second.status, other.status]).toEqual([200, 200, 422]);
    expect(second.text).toBe(first.text);
    expect([replayed(first), replayed(second)]).toEqual([null, 'true']);
  });
});

describe('an Idempotency-Key', () => {
  it.each([
    ['is empty', ''],
    ['is longer than 255 characters', 'x'.repeat(256)],
    ['has other characters than printable ASCII', 'k\u00e9y'],
    ['has a tab inside', 'a\tb'],
  ])('that %s is refused, naming the header', async (_what, key) => {
    const { status, body } = await create(key);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'GENERAL_PARAMETER_ILLEGAL',
      faults: [{ in: 'header', path: 'idempotency-key', message: 'expected 1 to 255 printable ASCII characters.' }],
    });
  });

  it.each([
    ['one character', '!'],
    ['255 characters', `${'~'.repeat(250)} "a"`],
  ])('may have %s', async (_what, key) => {
    expect((await create(key)).status).toBe(200);
    expect(replayed(await create(key))).toBe('true');
  });

  it('that is sent twice is refused', async () => {
    const answer = await sendRawRequest(
      stack.gateway.port,
      `POST /admin/keys HTTP/1.1\r\nHost: a\r\nAppKey: ${stack.keys.operator}\r\n` +
        `Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('idempotency-key is there twice');
  });

  it('is no parameter of the query, and ignored on a read', async () => {
    const name = randomUUID();
    const body = { ...wanted, name };
    const twice = () =>
      stack.request(`/admin/keys?idempotencyKey=${name}`, { method: 'POST', body, key: stack.keys.operator });
    expect([replayed(await twice()), replayed(await twice())]).toEqual([null, null]);
    expect((await twice()).body).toMatchObject({ status: 400, faults: [{ in: 'query', path: 'idempotencyKey' }] });
    expect(await keysNamed('northgate', name)).toBe(0);
    expect((await stack.request(contentRestPath('/facets'), { headers: { 'Idempotency-Key': '' } })).status).toBe(200);
  });
});
