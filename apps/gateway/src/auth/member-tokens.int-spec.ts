/** Tokens of the operator's issuer that name no team, over HTTP: worth what the member is that their subject is. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tessera/testing';
import { openTestStack, type TestStack } from '../testing/test-stack.js';
import {
  testAudience,
  createValidClaims,
  testIssuer,
  sharedSecret,
  signWithSharedSecret,
} from '../testing/token-issuer.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack({ JWT_SECRET: sharedSecret, JWT_ISSUER: testIssuer, JWT_AUDIENCE: testAudience });
});
afterAll(() => stack?.stop());

const save = (subject: string, more: object = {}, team = 'meridian', iss = testIssuer) =>
  stack.request(`/admin/teams/${team}/members/${subject}`, {
    ...{ method: 'PUT', key: stack.keys.operator },
    body: { displayName: 'Anna Weber', roles: ['analyst'], identity: { issuer: iss, subject }, ...more },
  });
const send = (claims: object, path = '/me', more: object = {}) => {
  const { team: _team, scope: _scope, ...rest } = createValidClaims();
  const Authorization = `Bearer ${signWithSharedSecret({ ...rest, ...claims })}`;
  return stack.request(path, { key: undefined, headers: { Authorization }, ...more });
};
const scopesOf = async (claims: object) => (await send(claims)).body?.['scopes'];
const reasons = () => stack.gateway.logged.filter((line) => line.includes('a credential was refused')).join('');

describe('a token without a team', () => {
  it('is worth what the roles of its member give', async () => {
    await save('sub-1');
    const { status, body } = await send({ sub: 'sub-1', scope: 'openid profile email' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ kind: 'token', subject: 'member:sub-1', displayName: 'Anna Weber', team: 'meridian' },
      scopes: ['content:read', 'tools:execute', 'agents:converse', 'agents:execute', 'knowledge-models:read'],
    });
    expect((await send({ sub: 'sub-1' }, '/admin/keys?team=meridian')).status).toBe(403);
  });

  it('is worth less where it names scopes of the platform, and never more', async () => {
    await save('sub-2');
    expect(await scopesOf({ sub: 'sub-2', scope: 'openid content:read content:write' })).toEqual(['content:read']);
    expect(await scopesOf({ sub: 'sub-2', scope: 'mcp-asset.tools:execute' })).toEqual(['tools:execute']);
    expect(await scopesOf({ sub: 'sub-2', scope: 'admin' })).toEqual([]);
  });

  it('is for one MCP server where its audience is that address', async () => {
    await save('sub-3');
    const at = (asset: string) =>
      `http://localhost:${stack.gateway.port}/studio-copilot/api/v1/mcp-servers/mcp/${asset}`;
    const call = (asset: string) =>
      send({ sub: 'sub-3', aud: at('some-asset') }, new URL(at(asset)).pathname, {
        ...{ method: 'POST', body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
      });
    expect((await call('other-asset')).status).toBe(401);
    expect((await call('some-asset')).status).not.toBe(401);
    expect((await send({ sub: 'sub-3', aud: at('some-asset') })).status).toBe(401);
  });

  it('counts in the hour of its member', async () => {
    await save('sub-4');
    const left = async () => Number((await send({ sub: 'sub-4' })).headers.get('x-ratelimit-remaining'));
    const first = await left();
    expect(await left()).toBe(first - 1);
  });

  it('is refused for who is no member, or one of several teams', async () => {
    expect((await send({ sub: 'sub-nobody' })).status).toBe(401);
    expect(reasons()).toContain('its subject is no member');
    await save('sub-5');
    await save('sub-5', {}, 'northgate');
    expect((await send({ sub: 'sub-5' })).status).toBe(401);
    // The operators see who took the person into a further team.
    expect(reasons()).toContain('a member of several (meridian, northgate)');
    // The token can say which.
    expect((await send({ sub: 'sub-5', team: 'northgate', scope: 'content:read' })).body).toMatchObject({
      ...{ team: 'northgate', subject: 'sub-5', scopes: ['content:read'] },
    });
    await save('sub-5', { disabled: true }, 'northgate');
    expect((await send({ sub: 'sub-5' })).body).toMatchObject({ team: 'meridian' });
  });

  it('is refused for a member of another issuer, and where the team is none', async () => {
    await save('sub-6', {}, 'meridian', 'https://other.example');
    expect((await send({ sub: 'sub-6' })).status).toBe(401);
    await save('sub-7');
    expect((await send({ sub: 'sub-7', team: '' })).status).toBe(401);
    expect((await send({ sub: 'sub-7', team: null })).status).toBe(401);
    expect((await send({ sub: 'sub-7', aud: 'else' })).status).toBe(401);
  });

  it('follows what the member may do, and ends with it', async () => {
    await save('sub-8');
    expect((await send({ sub: 'sub-8' })).status).toBe(200);
    await save('sub-8', { roles: ['viewer'] });
    const viewer = JSON.stringify(['content:read', 'knowledge-models:read']);
    await waitUntil(async () => JSON.stringify(await scopesOf({ sub: 'sub-8' })) === viewer);
    await save('sub-8', { disabled: true });
    await waitUntil(async () => (await send({ sub: 'sub-8' })).status === 401);
  });
});

describe('administration by a token without a team', () => {
  it('needs the team among those of JWT_ADMIN_TEAMS, that of the operators as well', async () => {
    await save('sub-9', { roles: ['admin', 'viewer'] });
    await save('sub-10', { roles: ['admin'] }, 'operators');
    expect(await scopesOf({ sub: 'sub-9' })).toEqual(['content:read', 'knowledge-models:read']);
    expect((await send({ sub: 'sub-10' })).status).toBe(401);
    const gateway = await stack.startGateway({ JWT_ADMIN_TEAMS: 'meridian,operators' });
    expect((await send({ sub: 'sub-9' }, '/admin/keys?team=meridian', { gateway })).status).toBe(200);
    expect((await send({ sub: 'sub-10' }, '/admin/keys?team=northgate', { gateway })).status).toBe(200);
  });
});
