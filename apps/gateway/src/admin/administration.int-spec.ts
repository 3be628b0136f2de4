import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKey, listAccessChanges, listKeys, readPlatformStatus } from '@tessera/contracts/gateway';
import { waitUntil } from '@tessera/testing';
import { openTestStack, contentRestPath, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());

const operator = () => ({ key: stack.keys.operator });
const wanted = { team: 'northgate', name: 'nightly export', scopes: ['content:read'], hourlyLimit: 77 };
const post = (body: unknown, key = stack.keys.operator) => stack.request('/admin/keys', { method: 'POST', body, key });

describe('keys', () => {
  it('are issued, have their own rate limit, and are listed without the key itself', async () => {
    const forPolicies = { furtherScopes: ['finance:read'], attributes: { companyCodes: ['1000'], region: 'EMEA' } };
    const { status, body, headers } = await post({ ...wanted, ...forPolicies, expiresAt: '2099-01-01T00:00:00Z' });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, no-store');
    const { key, keyId } = createKey.reply.parse(body);
    const used = await stack.request(contentRestPath('/facets'), { key });
    expect(used.headers.get('x-ratelimit-limit')).toBe('77');
    const listed = await stack.request('/admin/keys?team=northgate', operator());
    expect(listed.text).not.toContain(key);
    const { keys } = listKeys.reply.parse(listed.body);
    expect(keys.find((each) => each.keyId === keyId)).toMatchObject({
      name: 'nightly export',
      scopes: ['content:read'],
      ...forPolicies,
      hourlyLimit: 77,
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
  });

  it('get the standard limit when none is named', async () => {
    const { hourlyLimit: _, ...rest } = wanted;
    const { key } = createKey.reply.parse((await post(rest)).body);
    expect((await stack.request(contentRestPath('/facets'), { key })).headers.get('x-ratelimit-limit')).toBe('6000');
  });

  it('are listed in pages, and are no more than the operator allows a team', async () => {
    const gateway = await stack.startGateway({ TEAM_KEYS_MAX: '3' });
    const ask = (path: string, method = 'GET', body?: object) =>
      stack.request(path, { key: stack.keys.operator, gateway, method, ...(body && { body }) });
    await ask('/admin/teams/crowded', 'PUT', { name: 'Crowded' });
    const make = (name: string, more: object = {}) =>
      ask('/admin/keys', 'POST', { team: 'crowded', name, scopes: ['content:read'], ...more });
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => make(name)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body?.['detail']).toContain('has 3 keys already');
    const page = async (query = '') => listKeys.reply.parse((await ask(`/admin/keys?team=crowded${query}`)).body);
    const { keys } = await page();
    await ask(`/admin/keys/${keys[0]?.keyId}/revoke`, 'POST');
    expect((await make('f')).status).toBe(200);
    expect((await make('g')).status).toBe(409);
    const ids = (await page()).keys.map(({ keyId }) => keyId);
    const first = await page('&pageSize=3');
    expect([first.keys.map(({ keyId }) => keyId), first.next]).toEqual([ids.slice(0, 3), ids[2]]);
    const second = await page(`&pageSize=3&after=${first.next}`);
    expect([second.keys.map(({ keyId }) => keyId), second.next]).toEqual([ids.slice(3), undefined]);
  });

  it('have a line in the log of the team when they are made, and one when they are revoked', async () => {
    const key = { team: 'meridian', name: 'logged', scopes: ['content:read'] };
    const send = (path: string, body: object, idempotencyKey: string) =>
      stack.request(path, {
        ...{ key: stack.keys.meridianAdmin, method: 'POST', body },
        headers: { 'Idempotency-Key': idempotencyKey },
      });
    const made = await send('/admin/keys', key, 'logged-1');
    await send('/admin/keys', key, 'logged-1');
    const { keyId, key: text } = createKey.reply.parse(made.body);
    for (const turn of ['1', '2']) await send(`/admin/keys/${keyId}/revoke`, {}, `revoked-${turn}`);
    const { body } = await stack.request('/admin/teams/meridian/access-changes', { key: stack.keys.meridianAdmin });
    const { changes } = listAccessChanges.reply.parse(body);
    const lines = changes.filter(({ target }) => target === `key:${keyId}`);
    expect(lines.map(({ action }) => action)).toEqual(['key.revoked', 'key.created']);
    expect(lines[1]).toMatchObject({ subjectTeam: 'meridian', after: { name: 'logged', scopes: ['content:read'] } });
    expect(JSON.stringify(changes)).not.toContain(text);
  });

  it('that would already be expired are refused', async () => {
    const { status, body } = await post({ ...wanted, expiresAt: '2020-01-01T00:00:00Z' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ faults: [{ in: 'body', path: 'expiresAt' }] });
  });

  it('are not found for an unknown team or an unknown id', async () => {
    expect((await post({ ...wanted, team: 'nobody' })).body).toMatchObject({ status: 404, code: 'GENERAL_NOTFOUND' });
    expect((await stack.request('/admin/keys?team=nobody', operator())).status).toBe(404);
    const revoke = { method: 'POST', ...operator() };
    expect((await stack.request('/admin/keys/AAAAAAAAAAAA/revoke', revoke)).status).toBe(404);
    expect((await stack.request('/admin/keys/short/revoke', revoke)).status).toBe(400);
  });
});

describe('names', () => {
  const put = (body: unknown) => stack.request('/admin/teams/named', { method: 'PUT', body, ...operator() });

  it.each(['a\u0000b', '\ud800', 'x\udc00', '\u0000', '', 'x'.repeat(201)])(
    'of keys and teams are refused when they are %j',
    async (name) => {
      for (const { status, body } of [await post({ ...wanted, name }), await put({ name })]) {
        expect(status).toBe(400);
        expect(body).toMatchObject({ faults: [{ in: 'body', path: 'name' }] });
      }
    },
  );

  it('of any other characters are stored unchanged', async () => {
    for (const name of ['\u{1f511} Schlüssel', "'; drop table", '%00', '\\u0000', '\u200b\u202e', '__proto__'])
      expect((await put({ name })).body).toMatchObject({ name });
  });

  it('of unknown members are refused with the nearest known one', async () => {
    const unknown = { ...wanted, expires: '2099-01-01T00:00:00Z', color: 'red' };
    const { status, body } = await post(unknown);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(/did you mean \\"expiresAt\\"/);
    expect(JSON.stringify(body)).toContain('color');
    const team = await put({ name: 'x', grants: { hourlyLimits: 5 } });
    expect([team.status, JSON.stringify(team.body)]).toEqual([400, expect.stringContaining('hourlyLimit')]);
    expect((await put({ name: 'x', owner: 'me' })).status).toBe(400);
  });
});

describe('an administrator of one team', () => {
  const asTeam = () => stack.keys.meridianAdmin;

  it('administers that team', async () => {
    expect((await post({ ...wanted, team: 'meridian' }, asTeam())).status).toBe(200);
    expect((await stack.request('/admin/keys?team=meridian', { key: asTeam() })).status).toBe(200);
  });

  it('cannot tell another team from one that does not exist', async () => {
    const bodyFor = async (team: string) => {
      const { status, body } = await stack.request(`/admin/keys?team=${team}`, { key: asTeam() });
      expect(status).toBe(404);
      return JSON.stringify(body).replaceAll(team, '*');
    };
    expect(await bodyFor('northgate')).toBe(await bodyFor('nobody'));
    expect((await post(wanted, asTeam())).status).toBe(404);
  });

  it('cannot revoke the key of another team, whichever team it names', async () => {
    const { keyId } = createKey.reply.parse((await post(wanted)).body);
    const revoke = (query: string) =>
      stack.request(`/admin/keys/${keyId}/revoke${query}`, { method: 'POST', key: asTeam() });
    for (const query of ['', '?team=northgate', '?team=meridian']) expect((await revoke(query)).status).toBe(404);
    const { keys } = listKeys.reply.parse((await stack.request('/admin/keys?team=northgate', operator())).body);
    expect(keys.find((each) => each.keyId === keyId)?.revokedAt).toBeUndefined();
  });

  it('cannot create teams and renames only its own', async () => {
    const put = (team: string) =>
      stack.request(`/admin/teams/${team}`, { method: 'PUT', body: { name: 'New name' }, key: asTeam() });
    expect((await put('brand-new')).status).toBe(404);
    expect((await put('northgate')).status).toBe(404);
    expect((await put('meridian')).body).toMatchObject({ team: 'meridian', name: 'New name' });
  });
});

describe('the administration', () => {
  it('is closed to callers without the scope', async () => {
    for (const path of ['/admin/keys?team=meridian', '/admin/status']) {
      const { status, headers, body } = await stack.request(path);
      expect(status).toBe(403);
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(body).toMatchObject({ status: 403, code: 'ADMIN_ACCESS_ERROR' });
    }
  });

  it('lets the operators create a team', async () => {
    const made = await stack.request('/admin/teams/brand-new', {
      method: 'PUT',
      body: { name: 'Brand new' },
      ...operator(),
    });
    expect(made.body).toMatchObject({ team: 'brand-new', name: 'Brand new' });
    expect((await post({ ...wanted, team: 'brand-new' })).status).toBe(200);
  });

  it('reports the status of the platform', async () => {
    const { status, body } = await stack.request('/admin/status', operator());
    expect(status).toBe(200);
    expect(readPlatformStatus.reply.parse(body).version).toBe('0.1.0');
    // What does not answer within a second is told as down, also when all that was slow is this machine.
    await waitUntil(async () => {
      const { dependencies, services } = readPlatformStatus.reply.parse(
        (await stack.request('/admin/status', operator())).body,
      );
      return [dependencies['nats'], dependencies['database'], services['content-repo']].join() === 'up,up,up';
    });
  });
});
