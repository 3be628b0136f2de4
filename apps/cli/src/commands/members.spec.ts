import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccessChanges, listMembers, readMember } from '@tessera/contracts/gateway';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';
import { nonEmptyLines, runTessera, testKey } from '../testing/run-tessera.js';

let gateway: FakeGateway;
beforeAll(async () => void (gateway = await startFakeGateway(testKey)));
afterAll(() => gateway.stop());

const tessera = (...words: readonly string[]) => runTessera(words, { gatewayUrl: gateway.url });
const members = (command: string, ...words: readonly string[]) =>
  tessera('members', command, ...words, '--team', 'meridian');
const roles = (command: string, ...words: readonly string[]) =>
  tessera('roles', command, ...words, '--team', 'meridian');

const known = ['--issuer', 'https://login.example.com', '--subject', 'auth0|1'];

describe('tessera members', () => {
  it('adds, lists, changes and removes members', async () => {
    const added = await members('add', 'anna', '--name', 'Anna', '--roles', 'analyst,buyer', ...known);
    expect(added.exitCode).toBe(0);
    const properties = { displayName: 'Anna', roles: ['analyst', 'buyer'] };
    const identity = { issuer: 'https://login.example.com', subject: 'auth0|1' };
    expect(gateway.requests.at(-1)).toEqual({
      team: 'meridian',
      memberId: 'anna',
      properties: { ...properties, identity },
    });
    expect(nonEmptyLines((await members('list')).out)).toEqual([
      'MEMBER  NAME  ROLES          MAY           KNOWN AS                              STATE',
      'anna    Anna  analyst,buyer  content:read  auth0|1 of https://login.example.com  active',
    ]);
    const attribute = ['--attribute', 'codes=1', 'codes=2', '--further-scopes', 'finance:read'];
    await members('change', 'anna', '--disable', ...attribute);
    const changed = { disabled: true, attributes: { codes: ['1', '2'] }, furtherScopes: ['finance:read'] };
    expect(gateway.requests.at(-1)).toMatchObject({ properties: { ...properties, identity, ...changed } });
    expect((await members('list')).out).toContain('disabled 2026-07-01 00:00');
    await members('change', 'anna', '--name', 'A.');
    expect(gateway.requests.at(-1)).toMatchObject({ properties: { ...changed, displayName: 'A.' } });
    await members('change', 'anna', '--enable', '--roles', '');
    expect(gateway.requests.at(-1)).toMatchObject({ properties: { disabled: false, roles: [] } });
    await members('change', 'anna', ...known, '--same-person');
    expect(gateway.requests.at(-1)).toMatchObject({ properties: { samePerson: true } });
    expect((await members('sign-out', 'anna')).out).toBe(
      'anna is signed out: 2 sessions and 1 grants of clients ended.\n',
    );
    expect((await members('remove', 'anna')).out).toBe('anna is no member of meridian any more.\n');
    expect((await members('remove', 'anna')).exitCode).toBe(3);
  });

  it('sets a password read from standard input without printing it', async () => {
    await members('add', 'berta', '--name', 'Berta');
    const set = (input: string, memberId = 'berta', ...more: readonly string[]) =>
      runTessera(['members', 'password', memberId, '--team', 'meridian', ...more], { gatewayUrl: gateway.url, input });
    const done = await set('correct horse battery\r\nmore\n');
    expect([done.exitCode, done.out]).toEqual([0, 'The password of berta is set; its sessions have ended.\n']);
    expect(gateway.requests.at(-1)).toEqual({
      ...{ team: 'meridian', memberId: 'berta' },
      password: { password: 'correct horse battery' },
    });
    expect(JSON.parse((await set('correct horse battery', 'berta', '--json')).out)).toEqual({ memberId: 'berta' });
    expect((await set('correct horse battery', 'nobody')).exitCode).toBe(3);
    const short = await set('short\n');
    expect([short.exitCode, short.err]).toEqual([2, expect.stringContaining('standard input: ')]);
    expect(short.err).not.toContain('"short"');
    await members('remove', 'berta');
  });

  it('prints JSON with --json', async () => {
    const added = JSON.parse((await members('add', 'json', '--name', 'J', '--json')).out);
    expect(added).toMatchObject({ memberId: 'json', roles: [] });
    expect(JSON.parse((await members('list', '--json')).out)).toEqual({ team: 'meridian', members: [added] });
    expect(JSON.parse((await members('change', 'json', '--name', 'K', '--json')).out)).toMatchObject({
      displayName: 'K',
    });
    expect(JSON.parse((await members('remove', 'json', '--json')).out)).toEqual({ deleted: 'json' });
  });

  it('lists every page', async () => {
    const member = (memberId: string) => ({
      ...{ memberId, displayName: memberId, roles: [], furtherScopes: [], attributes: {} },
      createdAt: '2026-06-30T09:15:00Z',
      grants: { scopes: [], furtherScopes: [], attributes: {} },
    });
    gateway.script(listMembers, [{ members: [member('a')], next: 'a' }, { members: [member('b')] }]);
    expect(nonEmptyLines((await members('list')).out)).toHaveLength(3);
    expect(gateway.requests.at(-1)).toMatchObject({ after: 'a' });
  });

  it('does not overwrite an existing member on add', async () => {
    await members('add', 'bo', '--name', 'Bo');
    const { exitCode, err } = await members('add', 'bo', '--name', 'Other');
    expect([exitCode, err]).toEqual([2, 'error: bo is a member already; use "members change"\n']);
  });

  it('adds no member when reading the existing one fails', async () => {
    gateway.script(readMember, [{ status: 403, title: 'Forbidden' }, undefined]);
    const before = gateway.calls.length;
    expect((await members('add', 'cem', '--name', 'Cem')).exitCode).toBe(3);
    expect(gateway.calls.slice(before)).toEqual(['gateway.members.read']);
  });

  it.each([
    [['add', 'Anna', '--name', 'A'], '<id>: expected the id of a member'],
    [['add', 'anna', '--name', ''], '--name: '],
    [['add', 'anna', '--name', 'A', '--roles', 'Viewer'], '--roles: expected a role'],
    [['add', 'anna', '--name', 'A', '--issuer', 'https://a'], '--subject: '],
    [['add', 'anna', '--name', 'A', '--subject', 'a'], '--issuer: '],
    [['add', 'anna', '--name', 'A', '--further-scopes', 'a b'], '--further-scopes: '],
    [['change', 'anna'], 'nothing to change'],
    [['changes', '--limit', 'many'], '--limit: '],
  ])('rejects %j without a request', async ([command = '', ...words], message) => {
    const before = gateway.calls.length;
    const { exitCode, err } = await members(command, ...words);
    expect(exitCode).toBe(2);
    expect(err).toContain(`error: ${message}`);
    expect(gateway.calls).toHaveLength(before);
  });
});

describe('tessera members changes', () => {
  const change = {
    ...{ changeId: '0199e2a0-0000-7000-8000-000000000001', changedAt: '2026-07-01T10:20:30.123Z', requestId: 'r1' },
    ...{ subject: 'key:abc', subjectTeam: 'operators', action: 'member.changed', target: 'anna' },
    before: { displayName: 'Anna', roles: ['viewer'] },
    after: { displayName: 'Anna', roles: ['admin'], disabledAt: 'x' },
  };

  it('prints each access change with its time, author, request and details', async () => {
    gateway.script(listAccessChanges, [{ changes: [change], next: change.changeId }, { changes: [] }]);
    expect(nonEmptyLines((await members('changes')).out)).toEqual([
      'WHEN                 WHO                   REQUEST  ACTION          WHAT  DETAIL',
      '2026-07-01 10:20:30  key:abc of operators  r1       member.changed  anna  roles: ["viewer"] -> ["admin"] disabledAt: - -> "x"',
    ]);
    gateway.script(listAccessChanges, [{ changes: [change] }]);
    const { out } = await members('changes', '--limit', '1', '--json');
    expect(JSON.parse(out)).toEqual({ team: 'meridian', changes: [change] });
  });
});

describe('tessera roles', () => {
  it('lists, defines and removes roles', async () => {
    expect(nonEmptyLines((await roles('list')).out)).toEqual([
      'ROLE   SCOPES        FURTHER SCOPES  DEFINED BY  DESCRIPTION',
      'buyer  content:read  finance:read    the team    Buys',
    ]);
    const words = ['--scopes', 'content:read', '--further-scopes', 'finance:read', '--description', 'Sells'];
    expect((await roles('define', 'seller', ...words)).exitCode).toBe(0);
    expect(gateway.requests.at(-1)).toEqual({
      ...{ team: 'meridian', role: 'seller' },
      properties: { scopes: ['content:read'], furtherScopes: ['finance:read'], description: 'Sells' },
    });
    expect((await roles('remove', 'seller')).out).toBe('meridian has no role seller any more.\n');
    expect(JSON.parse((await roles('list', '--json')).out)).toMatchObject({ team: 'meridian' });
  });

  it('rejects an unknown scope without a request', async () => {
    const before = gateway.calls.length;
    const { exitCode, err } = await roles('define', 'seller', '--scopes', 'content:raed');
    expect([exitCode, gateway.calls.length]).toEqual([2, before]);
    expect(err).toContain('content:read');
  });
});
