/** Members and roles of a team, and the log of changes to them, over HTTP, on a real PostgreSQL. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAccessChanges, listMembers, listRoles, type TeamGrants } from '@tessera/contracts/gateway';
import { openTestStack, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => void (stack = await openTestStack()));
afterAll(() => stack?.stop());

const team = '/admin/teams/meridian';
const annaWeber = { displayName: 'Anna Weber', roles: ['viewer'] };
const send = (method: string, path: string, body?: unknown, key = stack.keys.meridianAdmin) =>
  stack.request(path, { method, key, ...(body !== undefined && { body }) });
const get = (path: string, key?: string) => send('GET', path, undefined, key);
const grant = (grants: TeamGrants) => send('PUT', team, { name: 'Meridian', grants }, stack.keys.operator);
const write = (memberId: string, more: object = {}, key?: string) =>
  send('PUT', `${team}/members/${memberId}`, { ...annaWeber, samePerson: true, ...more }, key);
/** As above, without a word about who had the id. */
const claim = (memberId: string, more: object = {}) =>
  send('PUT', `${team}/members/${memberId}`, { ...annaWeber, ...more });
const define = (role: string, body: object, key?: string) => send('PUT', `${team}/roles/${role}`, body, key);
const remove = (path: string, key?: string) => send('DELETE', `${team}/${path}`, undefined, key);
const changes = async (query = '') =>
  listAccessChanges.reply.parse((await get(`${team}/access-changes${query}`)).body).changes;
const idsOf = async (query = '') => {
  const { members, next } = listMembers.reply.parse((await get(`${team}/members${query}`)).body);
  return [members.map(({ memberId }) => memberId), next] as const;
};
const pathsOf = (body: unknown): readonly string[] =>
  [...JSON.stringify(body).matchAll(/"path":"([^"]*)"/g)].map(([, path = '']) => path);

const identity = { issuer: 'https://login.example.com', subject: 'auth0|4711' };

beforeEach(async () => {
  for (const memberId of (await idsOf())[0]) await remove(`members/${memberId}`);
  await grant({ furtherScopes: ['finance:read'], attributes: { codes: ['1', '2'] } });
});

describe('members', () => {
  it('are added, read with their effective rights, changed and removed', async () => {
    const given = { identity, furtherScopes: ['finance:read'], attributes: { codes: ['1'] } };
    const added = await write('anna.weber@example.com', given);
    expect(added.status).toBe(200);
    const rest = { displayName: 'Anna Weber', roles: ['viewer'], ...given, createdAt: expect.any(String) };
    expect(added.body).toEqual({
      memberId: 'anna.weber@example.com',
      ...rest,
      grants: {
        scopes: ['content:read', 'knowledge-models:read'],
        furtherScopes: ['finance:read'],
        attributes: { codes: ['1'] },
      },
    });
    expect((await get(`${team}/members/anna.weber%40example.com`)).body).toEqual(added.body);
    const changed = await write('anna.weber@example.com', { roles: ['admin', 'author', 'admin'] });
    expect(changed.body).toMatchObject({
      roles: ['admin', 'author'],
      furtherScopes: [],
      createdAt: added.body?.['createdAt'],
      grants: { scopes: ['admin', 'content:read', 'content:write', 'knowledge-models:read'], attributes: {} },
    });
    expect(changed.body).not.toHaveProperty('identity');
    expect((await remove('members/anna.weber@example.com')).body).toEqual({ deleted: 'anna.weber@example.com' });
    expect((await get(`${team}/members/anna.weber@example.com`)).status).toBe(404);
    expect((await remove('members/anna.weber@example.com')).status).toBe(404);
  });

  it('stay members and may do nothing while they are disabled', async () => {
    const { body } = await write('anna', { disabled: true });
    expect(body).toMatchObject({ roles: ['viewer'], disabledAt: expect.any(String) });
    expect(body?.['grants']).toEqual({ scopes: [], furtherScopes: [], attributes: {} });
    // Since when does not change until they are enabled again.
    expect((await write('anna', { disabled: true, roles: [] })).body?.['disabledAt']).toBe(body?.['disabledAt']);
    expect((await write('anna')).body).not.toHaveProperty('disabledAt');
  });

  it('are listed by their ids, page by page', async () => {
    for (const memberId of ['cem', 'anna', 'bo']) await write(memberId);
    expect(await idsOf('?pageSize=2')).toEqual([['anna', 'bo'], 'bo']);
    expect(await idsOf('?pageSize=2&after=bo')).toEqual([['cem'], undefined]);
  });

  it('cannot be added twice for the same identity of an issuer', async () => {
    await write('anna', { identity });
    const second = await write('other', { identity });
    expect([second.status, second.body]).toMatchObject([
      409,
      { detail: 'The person is the member anna of the team already.' },
    ]);
    expect((await write('anna', { identity, displayName: 'A.' })).status).toBe(200);
    expect((await write('other', { identity: { ...identity, issuer: 'https://other.example.com' } })).status).toBe(200);
  });

  it.each([
    ['another person of the issuer', { identity: { ...identity, subject: 'auth0|4712' } }],
    ['a person of another issuer', { identity: { ...identity, issuer: 'https://other.example.com' } }],
    ['somebody without identity', {}],
  ])('keep their ids from %s, also after they were removed', async (_, other) => {
    await write('anna', { identity });
    const refuse = async () => {
      const { status, body } = await claim('anna', other);
      expect([status, body?.['detail']]).toEqual([409, expect.stringMatching(/auth0\|4711 of https:.*samePerson/)]);
      expect(pathsOf(body)).toEqual(['samePerson']);
    };
    await refuse();
    await remove('members/anna');
    await refuse();
    expect((await claim('anna', { identity })).status).toBe(200);
    await remove('members/anna');
    expect((await write('anna', other)).status).toBe(200);
    expect((await changes('?pageSize=1'))[0]).toMatchObject({ action: 'member.added', after: { samePerson: true } });
    await remove('members/anna');
    expect((await claim('anna', { identity })).status).toBe(409);
  });

  it('without identity may be given one; their ids come back by the word of an administrator alone', async () => {
    expect((await write('berta')).status).toBe(200);
    expect((await claim('berta', { identity })).status).toBe(200);
    expect((await claim('berta')).status).toBe(409);
    await write('cem');
    expect((await claim('cem', { displayName: 'Cem' })).status).toBe(200);
    expect((await changes('?pageSize=1'))[0]?.after).not.toHaveProperty('samePerson');
    await remove('members/cem');
    for (const more of [{}, { identity: { ...identity, subject: 'cem' } }]) {
      const { status, body } = await claim('cem', more);
      expect([status, body?.['detail']]).toEqual([409, expect.stringContaining('samePerson')]);
    }
    expect((await write('cem')).status).toBe(200);
    const northgate = '/admin/teams/northgate/members/cem';
    expect((await send('PUT', northgate, annaWeber, stack.keys.operator)).status).toBe(200);
  });

  it('are refused with unknown roles or rights beyond the grants of the team', async () => {
    const { status, body } = await write('anna', {
      roles: ['analist', 'viewer', 'x'],
      furtherScopes: ['finance:read', 'hr:read'],
      attributes: { codes: ['1', '3'], region: 'EMEA' },
    });
    expect(status).toBe(400);
    expect(pathsOf(body)).toEqual(['roles.0', 'roles.2', 'furtherScopes.1', 'attributes.codes', 'attributes.region']);
    expect(JSON.stringify(body)).toMatch(/did you mean \\"analyst\\"/);
    // The operators grant to the team, not to a member.
    expect((await write('anna', { furtherScopes: ['hr:read'] }, stack.keys.operator)).status).toBe(400);
  });

  it('lose the rights that the team loses, and regain them with the team', async () => {
    await write('anna', { roles: ['analyst'], furtherScopes: ['finance:read'], attributes: { codes: ['1', '2'] } });
    await grant({ scopes: ['content:read'], attributes: { codes: ['2'] } });
    const read = async () => (await get(`${team}/members/anna`)).body;
    expect(await read()).toMatchObject({
      furtherScopes: ['finance:read'],
      grants: { scopes: ['content:read'], furtherScopes: [], attributes: { codes: ['2'] } },
    });
    await grant({ furtherScopes: ['finance:read'], attributes: { codes: true } });
    expect(await read()).toMatchObject({
      grants: { furtherScopes: ['finance:read'], attributes: { codes: ['1', '2'] } },
    });
  });

  it.each([
    ['an id', 'Anna', {}],
    ['an id', '..', {}],
    ['a name', 'anna', { displayName: '' }],
    ['a name', 'anna', { displayName: 'a\u0000' }],
    ['a subject', 'anna', { identity: { ...identity, subject: 'key:abc' } }],
    ['a subject', 'anna', { identity: { ...identity, subject: 'a\u0007' } }],
    ['an issuer', 'anna', { identity: { ...identity, issuer: '' } }],
    ['a member', 'anna', { role: 'viewer' }],
  ])('are refused with an invalid value for %s: %s %j', async (_, memberId, more) => {
    const { status } = await write(encodeURIComponent(memberId), more);
    expect([400, 404]).toContain(status);
    expect(await idsOf()).toEqual([[], undefined]);
  });
});

it.each([
  ['member', 'members/anna', { ...annaWeber, samePerson: true }, { displayName: 'A.', roles: [], samePerson: true }],
  ['role', 'roles/buyer', { scopes: ['content:read'] }, { scopes: [] }],
])('a %s that somebody else has changed meanwhile is neither replaced nor removed', async (_, path, some, other) => {
  const conditionally = (method: string, ifMatch: string, body?: object) =>
    stack.request(`${team}/${path}`, {
      ...{ method, key: stack.keys.meridianAdmin, headers: { 'If-Match': ifMatch }, ...(body && { body }) },
    });
  const put = (ifMatch: string, body: object) => conditionally('PUT', ifMatch, body);
  const etag = async () => (await get(`${team}/${path}`)).headers.get('etag') ?? '';
  expect((await put('*', some)).status).toBe(412);
  const create = (ifNoneMatch: string) =>
    stack.request(`${team}/${path}`, {
      ...{ method: 'PUT', key: stack.keys.meridianAdmin, headers: { 'If-None-Match': ifNoneMatch }, body: some },
    });
  expect((await create('*')).status).toBe(200);
  expect(await create('*')).toMatchObject({
    status: 412,
    body: { code: 'CONTENT_CHANGED', detail: expect.stringContaining('is there already') },
  });
  expect((await create('"x"')).body).toMatchObject({
    faults: [{ in: 'header', path: 'if-none-match', values: ['*'] }],
  });
  const read = await etag();
  expect(read).toMatch(/^"[0-9a-f]{64}"$/);
  const answers = await Promise.all([put(read, other), put(read, other), put(read, other)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  expect(answers.find(({ status }) => status === 200)?.headers.get('etag')).toBe(await etag());
  expect(answers.find(({ status }) => status === 412)?.body).toMatchObject({ code: 'CONTENT_CHANGED' });
  expect((await conditionally('DELETE', read)).status).toBe(412);
  expect((await put(`"x", W/${await etag()}`, some)).status).toBe(200);
  expect((await put('*', other)).status).toBe(200);
  expect((await put('none', some)).status).toBe(400);
  expect((await conditionally('DELETE', await etag())).status).toBe(200);
  expect((await get(`${team}/${path}`)).status).toBe(404);
});

describe('roles', () => {
  const buyer = { description: 'Buys', scopes: ['content:read', 'tools:execute'], furtherScopes: ['finance:read'] };

  it('are the built-in ones and those that the team defines', async () => {
    expect((await define('buyer', buyer)).body).toEqual({ name: 'buyer', ...buyer, builtIn: false });
    const { roles } = listRoles.reply.parse((await get(`${team}/roles`)).body);
    expect(roles.map(({ name, builtIn }) => `${name} ${builtIn}`)).toEqual([
      ...['viewer true', 'analyst true', 'author true', 'approver true', 'admin true', 'buyer false'],
    ]);
    const own = await stack.request('/admin/teams/northgate/roles', { key: stack.keys.operator });
    expect(listRoles.reply.parse(own.body).roles).toHaveLength(5);
  });

  it('grant their scopes to their members, and other scopes after they are redefined', async () => {
    await define('buyer', buyer);
    expect((await write('anna', { roles: ['buyer'] })).body).toMatchObject({
      grants: { scopes: buyer.scopes, furtherScopes: ['finance:read'] },
    });
    await define('buyer', { scopes: ['content:read'] });
    const { body } = await get(`${team}/members/anna`);
    expect(body).toMatchObject({ grants: { scopes: ['content:read'], furtherScopes: [] } });
  });

  it('are deleted when no member has them', async () => {
    await define('buyer', buyer);
    await write('anna', { roles: ['buyer'] });
    const held = await remove('roles/buyer');
    expect([held.status, held.body]).toMatchObject([409, { detail: 'The role buyer is held by a member.' }]);
    await write('anna');
    expect((await remove('roles/buyer')).body).toEqual({ deleted: 'buyer' });
    expect((await remove('roles/buyer')).status).toBe(404);
  });

  it('that are built in are neither replaced nor deleted', async () => {
    for (const { status, body } of [await define('viewer', { scopes: ['admin'] }), await remove('roles/viewer')])
      expect([status, body]).toMatchObject([409, { code: 'GENERAL_CONFLICT' }]);
  });

  it('grant no more than the team was granted', async () => {
    await grant({ scopes: ['content:read', 'admin'] });
    const { status, body } = await define('buyer', buyer);
    expect([status, pathsOf(body)]).toEqual([400, ['scopes.1', 'furtherScopes.0']]);
  });

  it('are at most 100 in a team', async () => {
    const define101 = Array.from({ length: 101 }, (_, at) => `many-${at}`);
    const statuses: number[] = [];
    const operator = stack.keys.operator;
    for (const name of define101)
      statuses.push((await send('PUT', `/admin/teams/tinyco/roles/${name}`, { scopes: [] }, operator)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.at(-1)).toBe(409);
  });
});

describe('a role and its member', () => {
  it('are changed one at a time, so that no member keeps a deleted role', async () => {
    for (let round = 0; round < 5; round++) {
      await define('race', { scopes: ['content:read'] });
      const [given, gone] = await Promise.all([write('anna', { roles: ['race'] }), remove('roles/race')]);
      expect([given.status, gone.status].toSorted()).toEqual(given.status === 200 ? [200, 409] : [200, 400]);
      await remove('members/anna');
      await remove('roles/race');
    }
  });
});

describe('the log of changes', () => {
  it('shows who changed what, when and by which request, the newest first', async () => {
    await write('anna');
    await write('anna');
    await write('anna', { disabled: true }, stack.keys.operator);
    await remove('members/anna');
    await define('logged', { scopes: [] });
    await remove('roles/logged');
    const [roleRemoved, roleAdded, removed, changed, added] = await changes();
    const by = { subject: expect.stringMatching(/^key:/), requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    const before = { displayName: 'Anna Weber', roles: ['viewer'], furtherScopes: [], attributes: {} };
    expect(added).toMatchObject({
      ...by,
      subjectTeam: 'meridian',
      action: 'member.added',
      target: 'anna',
      after: before,
    });
    expect(added).not.toHaveProperty('before');
    expect(changed).toMatchObject({
      ...{ subjectTeam: 'operators', action: 'member.changed', before },
      after: { ...before, disabledAt: expect.any(String) },
    });
    expect(removed).toMatchObject({ action: 'member.removed', before: { disabledAt: expect.any(String) } });
    expect(removed).not.toHaveProperty('after');
    expect([roleAdded?.action, roleRemoved?.action]).toEqual(['role.added', 'role.removed']);
    expect(Date.now() - Date.parse(added?.changedAt ?? '')).toBeLessThan(60_000);
  });

  it('is paged', async () => {
    await write('anna');
    await remove('members/anna');
    const first = listAccessChanges.reply.parse((await get(`${team}/access-changes?pageSize=1`)).body);
    expect(first.changes.map(({ action }) => action)).toEqual(['member.removed']);
    expect((await changes(`?pageSize=1&after=${first.next}`)).map(({ action }) => action)).toEqual(['member.added']);
  });

  it('has no entry for refused changes', async () => {
    const [latest] = await changes();
    await write('anna', { roles: ['nobody'] });
    await define('viewer', { scopes: [] });
    expect((await changes())[0]).toEqual(latest);
  });
});

describe('another team', () => {
  it.each([
    ['GET', '/members', undefined],
    ['GET', '/members/anna', undefined],
    ['PUT', '/members/anna', { displayName: 'A', roles: [] }],
    ['DELETE', '/members/anna', undefined],
    ['GET', '/roles', undefined],
    ['PUT', '/roles/buyer', { scopes: [] }],
    ['DELETE', '/roles/buyer', undefined],
    ['GET', '/access-changes', undefined],
  ])('is answered like an unknown team: %s %s', async (method, path, body) => {
    const answers = [
      await send(method, `/admin/teams/northgate${path}`, body),
      await send(method, `/admin/teams/nobody${path}`, body),
      await send(method, `/admin/teams/nobody${path}`, body, stack.keys.operator),
    ];
    for (const { status, body: problem } of answers)
      expect([status, problem]).toMatchObject([404, { detail: expect.stringMatching(/^There is no team /) }]);
    expect((await send(method, `${team}${path}`, body, stack.keys.reader)).status).toBe(403);
  });
});
