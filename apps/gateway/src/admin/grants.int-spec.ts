/** What a team may give to its keys, over HTTP, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKey, listTeams, type TeamGrants } from '@tessera/contracts/gateway';
import { scopes } from '@tessera/contracts';
import type { TestGateway } from '../testing/test-gateway.js';
import { openTestStack, contentRestPath, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => void (stack = await openTestStack()));
afterAll(() => stack?.stop());

const grant = (grants: TeamGrants | undefined, key = stack.keys.operator) =>
  stack.request('/admin/teams/meridian', { method: 'PUT', key, body: { name: 'Meridian', ...(grants && { grants }) } });
const wanted = { team: 'meridian', name: 'trial', scopes: ['content:read'] };
const make = (more: object = {}, key = stack.keys.meridianAdmin) =>
  stack.request('/admin/keys', { method: 'POST', key, body: { ...wanted, ...more } });
const pathsOf = (body: unknown): readonly string[] =>
  [...JSON.stringify(body).matchAll(/"path":"([^"]*)"/g)].map(([, path = '']) => path);

/** What a key is worth: of its caller, and its limit. A gateway that has not seen it looks it up. */
const worthOf = async (key: string, gateway?: TestGateway) => {
  const { body, headers, status } = await stack.request(contentRestPath('/facets'), {
    key,
    ...(gateway && { gateway }),
  });
  return { status, ...Object(Object(body?.['frame'])['caller']), limit: headers.get('x-ratelimit-limit') };
};

describe('a team without grants', () => {
  it('may give its keys every platform scope and at most the standard limit, but no policy scopes or attributes', async () => {
    const { body } = await stack.request('/admin/teams/meridian', { key: stack.keys.meridianAdmin });
    const standard = { scopes: [...scopes], furtherScopes: [], attributes: {}, hourlyLimit: 6_000 };
    expect(body).toEqual({ team: 'meridian', name: 'meridian', grants: standard });
    expect((await make({ scopes: [...scopes], hourlyLimit: 6_000 })).status).toBe(200);
    const beyond = await make({
      furtherScopes: ['finance:read'],
      attributes: { companyCodes: ['1000'] },
      hourlyLimit: 6_001,
    });
    expect(beyond.status).toBe(400);
    expect(pathsOf(beyond.body)).toEqual(['furtherScopes.0', 'attributes.companyCodes', 'hourlyLimit']);
  });

  it('is limited only in the keys that it creates itself, not in those from the operators', async () => {
    const more = { furtherScopes: ['finance:read'], attributes: { region: 'EMEA' }, hourlyLimit: 1_000_000 };
    const { key } = createKey.reply.parse((await make(more, stack.keys.operator)).body);
    const worth = { furtherScopes: ['finance:read'], attributes: { region: 'EMEA' }, limit: '1000000' };
    expect(await worthOf(key)).toMatchObject(worth);
    await grant({ scopes: [] });
    expect(await worthOf(key, await stack.startGateway())).toMatchObject({ ...worth, scopes: ['content:read'] });
    await grant({});
  });
});

describe('grants', () => {
  it('are set only by the operators', async () => {
    const own = await grant({ hourlyLimit: 1_000_000 }, stack.keys.meridianAdmin);
    expect([own.status, own.body]).toMatchObject([403, { code: 'ADMIN_ACCESS_ERROR' }]);
    expect((await grant(undefined, stack.keys.meridianAdmin)).status).toBe(200);
    const { body } = await stack.request('/admin/teams/meridian', { key: stack.keys.operator });
    expect(body).toMatchObject({ grants: { hourlyLimit: 6_000 } });
  });

  it('limit every right of a key that the team creates and report each excess', async () => {
    const attributes = { companyCodes: ['1000', '2000'], region: true as const };
    await grant({ scopes: ['content:read', 'admin'], furtherScopes: ['finance:read'], attributes, hourlyLimit: 100 });
    const within = { furtherScopes: ['finance:read'], attributes: { companyCodes: ['2000'], region: 'any' } };
    expect((await make({ ...within, hourlyLimit: 100 })).status).toBe(200);
    const beyond = await make({
      scopes: ['content:read', 'content:write'],
      furtherScopes: ['finance:read', 'finance:write'],
      attributes: { companyCodes: ['1000', '3000'], constructor: 'x', toString: 'y' },
      hourlyLimit: 101,
    });
    expect(beyond.status).toBe(400);
    expect(pathsOf(beyond.body)).toEqual([
      ...['scopes.1', 'furtherScopes.1', 'attributes.companyCodes', 'attributes.constructor', 'attributes.toString'],
      'hourlyLimit',
    ]);
    // Without a limit a key gets what the team was granted, where that is less than the standard.
    const { key } = createKey.reply.parse((await make()).body);
    expect(await worthOf(key)).toMatchObject({ status: 200, limit: '100' });
  });

  it('reduce the keys that the team created when lowered, and restore them when raised', async () => {
    await grant({ furtherScopes: ['a:b', 'c:d'], attributes: { codes: ['1', '2'], region: true }, hourlyLimit: 9_000 });
    const asked = {
      scopes: ['content:read', 'content:write'],
      furtherScopes: ['a:b', 'c:d'],
      attributes: { codes: ['1', '2'], region: 'EMEA' },
      hourlyLimit: 9_000,
    };
    const { key } = createKey.reply.parse((await make(asked)).body);
    const { hourlyLimit: _, ...all } = asked;
    expect(await worthOf(key)).toMatchObject({ ...all, limit: '9000' });
    await grant({ scopes: ['content:read'], furtherScopes: ['c:d'], attributes: { codes: ['2'] } });
    const shrunk = await worthOf(key, await stack.startGateway());
    expect(shrunk).toMatchObject({
      scopes: ['content:read'],
      furtherScopes: ['c:d'],
      attributes: { codes: ['2'] },
      limit: '6000',
    });
    await grant({ scopes: [] });
    expect(await worthOf(key, await stack.startGateway())).toMatchObject({ status: 403 });
    await grant({ furtherScopes: ['a:b', 'c:d'], attributes: { codes: ['1', '2'], region: true }, hourlyLimit: 9_000 });
    expect(await worthOf(key, await stack.startGateway())).toMatchObject({ ...all, limit: '9000' });
  });

  it('do not change when a team is renamed', async () => {
    await grant({ hourlyLimit: 7 });
    expect((await grant(undefined)).body).toMatchObject({ name: 'Meridian', grants: { hourlyLimit: 7 } });
    await grant({});
  });
});

describe('the list of teams', () => {
  const list = async (query: string, key = stack.keys.operator) => {
    const { teams, next } = listTeams.reply.parse((await stack.request(`/admin/teams${query}`, { key })).body);
    return [teams.map(({ team }) => team), next] as const;
  };

  it("is paged for the operators and holds only the caller's own team for everybody else", async () => {
    expect(await list('')).toEqual([['meridian', 'northgate', 'operators', 'tinyco'], undefined]);
    expect(await list('?pageSize=3')).toEqual([['meridian', 'northgate', 'operators'], 'operators']);
    expect(await list('?pageSize=3&after=operators')).toEqual([['tinyco'], undefined]);
    expect(await list('', stack.keys.meridianAdmin)).toEqual([['meridian'], undefined]);
  });
});
