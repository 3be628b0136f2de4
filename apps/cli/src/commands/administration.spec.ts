import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKey, listKeys, listTeams } from '@tessera/contracts/gateway';
import { readPlatformStatus } from '@tessera/contracts/gateway';
import { nonEmptyLines, runTessera, testKey } from '../testing/run-tessera.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';

let gateway: FakeGateway;
beforeAll(async () => void (gateway = await startFakeGateway(testKey)));
afterAll(() => gateway.stop());

const tessera = (...words: readonly string[]) => runTessera(words, { gatewayUrl: gateway.url });

describe('keys create', () => {
  const create = (...more: readonly string[]) =>
    tessera('keys', 'create', '--team', 'meridian', '--name', 'nightly', '--scopes', 'content:read', ...more);

  it('prints the key alone on its line', async () => {
    expect(await create('--limit', '50', '--expires', '2099-01-31')).toEqual({
      exitCode: 0,
      out: 'tsk_0123456789ab_new_key\n',
      err: 'Key 0123456789ab of meridian; it is shown this once:\n',
    });
    expect(JSON.parse((await create('--json')).out)).toEqual({
      keyId: '0123456789ab',
      key: 'tsk_0123456789ab_new_key',
    });
  });

  it('sends attributes for data policies', async () => {
    const output = [
      '--further-scopes',
      'finance:read',
      '--attribute',
      'codes=1=a',
      'codes=2',
      '--attribute',
      'region=EMEA',
    ];
    await create(...output);
    expect(gateway.requests.at(-1)).toMatchObject({
      key: { furtherScopes: ['finance:read'], attributes: { codes: ['1=a', '2'], region: ['EMEA'] } },
    });
  });

  it.each([
    [['--scopes', 'content:raed'], '--scopes: unknown scope "content:raed"; did you mean "content:read"?'],
    [['--scopes', 'everything'], '--scopes: unknown scope "everything"; expected some of content:read,'],
    [['--limit', 'many'], '--limit: '],
    [['--limit', '0'], '--limit: '],
    [['--expires', 'tomorrow'], '--expires (a day such as 2027-01-31, or a UTC date-time): '],
    [['--team', 'Meridian'], '--team: expected a team id'],
  ])('rejects %j without a request', async (words, message) => {
    const before = gateway.calls.length;
    const { exitCode, err } = await create(...words);
    expect(exitCode).toBe(2);
    expect(err).toContain(`error: ${message}`);
    expect(gateway.calls).toHaveLength(before);
  });

  it('is not retried after a lost response, so that no second key is created', async () => {
    gateway.script(createKey, ['break', undefined]);
    await tessera('status');
    const before = gateway.calls.length;
    expect((await create()).exitCode).toBe(3);
    expect(gateway.calls).toHaveLength(before + 1);
  });
});

describe('keys list and revoke', () => {
  it('print the keys as a table without secrets', async () => {
    const { out } = await tessera('keys', 'list', '--team', 'meridian');
    expect(nonEmptyLines(out)).toEqual([
      'KEY           NAME  SCOPES        LIMIT  CREATED           LAST USED  STATE',
      '0123456789ab  demo  content:read  5      2026-06-30 09:15  -          revoked 2026-07-01 00:00',
    ]);
    expect(JSON.parse((await tessera('keys', 'list', '--team', 'meridian', '--json')).out)).toMatchObject({
      team: 'meridian',
    });
  });

  it('show which keys are valid, expiring and expired', async () => {
    const row = {
      keyId: '0123456789ab',
      name: 'x',
      scopes: ['admin'],
      furtherScopes: [],
      attributes: {},
      hourlyLimit: 1,
      createdAt: '2026-06-30T09:15:00Z',
      madeBy: 'team',
    };
    const keys = [row, { ...row, expiresAt: '2099-01-01T00:00:00Z' }, { ...row, expiresAt: '2020-01-01T00:00:00Z' }];
    gateway.script(listKeys, [
      { team: 'meridian', keys: keys.slice(0, 2), next: '0123456789ab' },
      { team: 'meridian', keys: keys.slice(2) },
    ]);
    const { out } = await tessera('keys', 'list', '--team', 'meridian');
    expect(nonEmptyLines(out).map((line) => line.slice(line.lastIndexOf('-  ') + 3).trim())).toEqual([
      expect.any(String),
      'valid',
      'valid until 2099-01-01 00:00',
      'expired 2020-01-01 00:00',
    ]);
  });

  it('revoke a key by its id', async () => {
    expect((await tessera('keys', 'revoke', '0123456789ab')).out).toBe('Key 0123456789ab of meridian is revoked.\n');
    expect((await tessera('keys', 'revoke', 'abc')).err).toContain('expected the id of a key');
  });
});

describe('tessera teams', () => {
  it('lists the scopes and attributes that each team may grant to its keys', async () => {
    const meridian = { team: 'meridian', name: 'Meridian', grants: { ...standard, furtherScopes: ['finance:read'] } };
    const attributes = { companyCodes: ['1000', '2000'], region: true };
    const northgate = { team: 'northgate', name: 'Northgate', grants: { ...standard, scopes: [], attributes } };
    gateway.script(listTeams, [{ teams: [meridian], next: 'meridian' }, { teams: [northgate] }]);
    const { out } = await tessera('teams', 'list');
    expect(nonEmptyLines(out)).toEqual([
      'TEAM       NAME       SCOPES        FURTHER SCOPES  ATTRIBUTES                       LIMIT OF A KEY',
      'meridian   Meridian   content:read  finance:read    -                                6000',
      'northgate  Northgate  -             -               companyCodes=1000|2000 region=*  6000',
    ]);
    expect(gateway.requests.at(-1)).toMatchObject({ after: 'meridian' });
  });

  it('shows one team', async () => {
    expect(JSON.parse((await tessera('teams', 'show', 'meridian', '--json')).out)).toMatchObject({
      team: 'meridian',
      grants: standard,
    });
  });

  const grant = (...words: readonly string[]) => tessera('teams', 'grant', 'meridian', ...words);
  const standard = { scopes: ['content:read'], furtherScopes: [], attributes: {}, hourlyLimit: 6_000 };

  it('changes the given grants and keeps the others', async () => {
    expect(
      (await grant('--limit', '50000', '--attribute', 'codes=1', 'codes=2', '--any-attribute', 'region')).exitCode,
    ).toBe(0);
    expect(gateway.requests.at(-1)).toMatchObject({
      properties: { grants: { ...standard, hourlyLimit: 50_000, attributes: { codes: ['1', '2'], region: true } } },
    });
    await grant('--standard', '--further-scopes', 'finance:read');
    expect(gateway.requests.at(-1)).toMatchObject({ properties: { grants: { furtherScopes: ['finance:read'] } } });
    expect(JSON.stringify(gateway.requests.at(-1))).not.toContain('hourlyLimit');
    await grant('--scopes', '');
    expect(gateway.requests.at(-1)).toMatchObject({ properties: { grants: { scopes: [] } } });
  });

  it.each([
    [[], 'nothing to grant'],
    [['--scopes', 'content:raed'], '--scopes: '],
    [['--limit', 'many'], '--limit: '],
    [['--attribute', '=1'], '--attribute: '],
  ])('rejects %j without a request', async (words, message) => {
    const before = gateway.calls.length;
    const { exitCode, err } = await grant(...words);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(`error: ${message}`)]);
    expect(gateway.calls).toHaveLength(before);
  });
});

describe('tessera status', () => {
  it('prints what is up', async () => {
    const { exitCode, out } = await tessera('status');
    expect(exitCode).toBe(0);
    expect(nonEmptyLines(out)).toEqual([
      'NAME          STATE',
      `gateway       up     version 0.1.0, for 1 min, ${gateway.url}`,
      'nats          up     needed by the gateway',
      'content-repo  up     service',
    ]);
  });

  it('fails when something is down', async () => {
    const answer = {
      version: '0.1.0',
      uptimeSeconds: 90_000,
      dependencies: { nats: 'up' },
      services: { agents: 'down' },
    };
    gateway.script(readPlatformStatus, [answer]);
    const { exitCode, out } = await tessera('status', '--json');
    expect([exitCode, JSON.parse(out)]).toEqual([1, answer]);
    expect((await tessera('status')).out).toContain('for 1 d 1 h');
    gateway.script(readPlatformStatus, [{ ...answer, services: {}, uptimeSeconds: 3_700 }]);
    expect((await tessera('status')).out).toContain('for 1 h 1 min');
  });
});

describe('an unreachable gateway', () => {
  it('is reported with the setting to change', async () => {
    const port = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
      });
    });
    const { exitCode, err } = await runTessera(['status'], { gatewayUrl: `http://127.0.0.1:${port}` });
    expect(exitCode).toBe(3);
    expect(nonEmptyLines(err)).toEqual([
      `The gateway at http://127.0.0.1:${port} (GATEWAY_URL of the spec) cannot be reached: nothing listens there.`,
      'Start it with "npm start", or set GATEWAY_URL to where it is.',
    ]);
  });

  it('is reported when no address is set', async () => {
    const { exitCode, err } = await runTessera(['status']);
    expect(exitCode).toBe(3);
    expect(nonEmptyLines(err)[0]).toBe('GATEWAY_URL is not set, and nowhere/env does not hold it.');
    expect((await runTessera(['status'], { gatewayUrl: 'localhost:8080' })).err).toContain('it is no http address');
  });

  it('is distinguished from another server that answers at the address', async () => {
    gateway.script(readPlatformStatus, [{ hello: 'world' }]);
    const { exitCode, err } = await tessera('status');
    expect(exitCode).toBe(3);
    expect(err).toContain('is it a Tessera gateway of the same version?');
  });
});

describe('a refused credential', () => {
  it('is reported by its setting name and never printed', async () => {
    const adminKey = 'tsk_abcdefghijkl_topsecret_sum';
    const { exitCode, err } = await runTessera(['status'], { gatewayUrl: gateway.url, adminKey });
    expect(exitCode).toBe(3);
    expect(nonEmptyLines(err)).toEqual([
      'Unauthorized: The key is not known.',
      'Send a valid API key.',
      'Request id: request-1',
      'The credential was ADMIN_KEY of the spec (key abcdefghijkl).',
    ]);
    const other = await runTessera(['status'], { gatewayUrl: gateway.url, adminKey: 'topsecret' });
    expect(other.err).toContain('The credential was ADMIN_KEY of the spec.');
    expect(err + other.err).not.toContain('topsecret');
  });

  it('is reported by its setting name when it lacks the scope', async () => {
    gateway.script(readPlatformStatus, [
      { status: 403, title: 'Forbidden', detail: 'The credential lacks the scope admin.' },
    ]);
    expect((await tessera('status')).err).toContain('The credential was ADMIN_KEY');
  });
});
