/**
 * The gateway as a process of its own: whatever a credential is, and whatever breaks behind each callback of authentication,
 * it goes on to answer.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connectNats, silentLog } from '@tessera/messaging';
import { mintApiKey } from '@tessera/persistence';
import { openDataSource } from '@tessera/persistence/data-source';
import { createApiKey, gatewayEntities } from '@tessera/persistence/gateway';
import { waitUntil } from '@tessera/testing';
import pg from 'pg';
import { createFaultyKeySetListeners, createKeySetListener, startFaultyServer } from '../testing/key-set-faults.js';
import { startGatewayProcess, type GatewayProcess } from '../testing/gateway-process.js';
import { createHostileTokens, createTokensWithOddClaims } from '../testing/hostile-tokens.js';
import {
  testAudience,
  createValidClaims,
  testIssuer,
  createSigningKey,
  sharedSecret,
  signWithSharedSecret,
  signWithKey,
} from '../testing/token-issuer.js';
import { openTestPool } from '../testing/test-gateway.js';
import { openTestStack, contentRestPath, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
let gateway: GatewayProcess;
const settings = (more: Readonly<Record<string, string>>) => ({
  DATABASE_URL: stack.database.urlFor('gateway'),
  NATS_URL: stack.nats.urlFor('gateway'),
  JWT_ISSUER: testIssuer,
  JWT_AUDIENCE: testAudience,
  ...more,
});
const start = async (
  more: Readonly<Record<string, string>>,
  clock: { readonly hasFastClock?: boolean } = {},
): Promise<GatewayProcess> => {
  const started = await startGatewayProcess(settings(more), clock);
  await started.whenReady();
  return started;
};

beforeAll(async () => {
  stack = await openTestStack();
  gateway = await start({ JWT_SECRET: sharedSecret });
});
afterAll(async () => {
  await gateway?.stop();
  await stack?.stop();
});
afterEach(() => expect([gateway.ending(), gateway.output()]).toEqual(['', expect.not.stringContaining('nobody')]));

const path = contentRestPath('/facets');
const ask = async (headers: Readonly<Record<string, string>>, at = gateway) => {
  const response = await fetch(`${at.url}${path}`, { headers, signal: AbortSignal.timeout(60_000) });
  return { status: response.status, text: await response.text() };
};
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const works = async (at = gateway) => expect((await ask({ AppKey: stack.keys.meridian }, at)).status).toBe(200);

const asAdmin = async (...statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: stack.database.adminUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

describe('a credential', () => {
  it('that is a forged token is refused and does not end the process', async () => {
    for (const [name, token] of createHostileTokens()) {
      if (token.length > 60_000) continue;
      const { status, text } = await ask(bearer(token));
      // After 60 of one address it is told to wait instead.
      expect([name, [401, 429].includes(status)]).toEqual([name, true]);
      expect(text).not.toMatch(/TypeError|SyntaxError|at \w+ \(/);
    }
    await works();
  });

  it('with malformed claims has at most the rights of its team', async () => {
    for (const [name, token] of createTokensWithOddClaims())
      expect([name, [200, 403].includes((await ask(bearer(token))).status)]).toEqual([name, true]);
    await works();
  });

  it('of arbitrary bytes and length does not end the process', async () => {
    const { key } = mintApiKey();
    const texts = [
      ' ',
      'x',
      '\u00ff'.repeat(100),
      'tsk_',
      `${key}${key}`,
      key.slice(0, -1),
      'tsk_'.repeat(10_000),
      '__proto__',
    ];
    for (const text of texts)
      for (const headers of [
        { AppKey: text },
        { Authorization: text },
        { Authorization: `Bearer ${text}` },
        { Authorization: `AppKey ${text}` },
      ])
        expect((await ask(headers)).status).toBeLessThan(500);
    await works();
  });

  it('sent hundreds of times by clients that disconnect does not end the process', async () => {
    const attempts = Array.from({ length: 300 }, (_, turn) =>
      fetch(`${gateway.url}${path}`, {
        headers:
          turn % 2 === 0
            ? { AppKey: mintApiKey().key }
            : bearer(signWithSharedSecret({ ...createValidClaims(), jti: String(turn) })),
        signal: AbortSignal.timeout(1 + (turn % 20)),
      }).then(
        (response) => response.text(),
        () => '',
      ),
    );
    await Promise.all(attempts);
    await works();
  });
});

describe('the key set of the issuer', () => {
  it('does not end the process in any faulty state and is used again once it is valid', async () => {
    const [key, good] = [createSigningKey('first'), createSigningKey('good')];
    const server = await startFaultyServer();
    const trial = await start({ JWT_JWKS_URL: server.url }, { hasFastClock: true });
    const claims = { ...createValidClaims(), exp: Math.floor(Date.now() / 1000) + 86_400 };
    try {
      for (const [name, fault] of Object.entries(createFaultyKeySetListeners(key))) {
        const before = server.answered();
        server.answerWith(fault);
        // Fetched anew for a key id that is not known, at most every five seconds of its clock.
        await waitUntil(async () => {
          const asked = [signWithKey({ ...key, kid: name }, claims), 'a.b.c'].map((token) => ask(bearer(token), trial));
          for (const { status } of await Promise.all(asked)) expect([401, 429, 503]).toContain(status);
          return server.answered() > before;
        });
        await works(trial);
      }
      server.answerWith(createKeySetListener(good));
      await waitUntil(async () => (await ask(bearer(signWithKey(good, claims)), trial)).status === 200);
      expect([trial.ending(), trial.output()]).toEqual(['', expect.not.stringContaining('nobody')]);
    } finally {
      await trial.stop();
      await server.stop();
    }
  });
});

describe('a fault of the database', () => {
  const errors = ['P0001', '57014', '53300', '40001', '42501', 'XX000', '22021'];
  const newKey = async (): Promise<string> => {
    const pool = openTestPool(stack.database);
    const grant = { team: 'meridian', name: 'fault', scopes: ['content:read'], hourlyLimit: 1_000 };
    const { key } = await createApiKey(openDataSource(pool, gatewayEntities), grant);
    await pool.end();
    return key;
  };
  /** In place of what the function does; what is answered mends it. */
  const faulty = async (name: string, body: string) => {
    const { rows } = await oneRow(`select pg_get_functiondef('gateway.${name}'::regproc) as text`);
    await asAdmin(
      rows
        .replace('LANGUAGE sql', 'LANGUAGE plpgsql')
        .replace(/AS \$function\$[\s\S]*\$function\$/, () => `AS $function$ begin ${body} end $function$`),
    );
    return () => asAdmin(rows);
  };
  const oneRow = async (statement: string): Promise<{ readonly rows: string }> => {
    const client = new pg.Client({ connectionString: stack.database.adminUrl });
    await client.connect();
    const { rows } = await client.query<{ text: string }>(statement);
    await client.end();
    return { rows: rows[0]?.text ?? '' };
  };

  it.each(errors)('with SQLSTATE %s in the look-up of keys does not end the process', async (state) => {
    const mend = await faulty(
      'find_granted_keys',
      `raise exception 'select * from secrets' using errcode = '${state}';`,
    );
    try {
      const answers = await Promise.all([ask({ AppKey: mintApiKey().key }), ask({ AppKey: mintApiKey().key })]);
      for (const { status, text } of answers) {
        expect([500, 503]).toContain(status);
        expect(text).not.toContain('secrets');
      }
    } finally {
      await mend();
    }
    const key = await newKey();
    await waitUntil(async () => (await ask({ AppKey: key })).status === 200);
  });

  it('in writing the last use of keys does not end the process', async () => {
    const mend = await faulty('mark_api_keys_used', `raise exception 'no';`);
    try {
      await works();
      await waitUntil(() => gateway.output().includes('the last use of keys could not be written'));
      await works();
    } finally {
      await mend();
    }
  });

  it('in the rate limiter does not end the process, which counts locally meanwhile', async () => {
    await asAdmin('alter table gateway.rate_window rename to rate_window_away');
    try {
      await works();
      await waitUntil(() => gateway.output().includes('the store of the rate limit is away'));
      expect((await ask({ AppKey: await newKey() })).status).toBe(200);
    } finally {
      await asAdmin('alter table gateway.rate_window_away rename to rate_window');
    }
    await waitUntil(() => gateway.output().includes('the store of the rate limit is back'));
  });

  it('that repeatedly breaks every connection does not end the process', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const asking = Promise.all(Array.from({ length: 20 }, () => ask({ AppKey: mintApiKey().key })));
      await asAdmin(
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'tessera_gateway' and datname = current_database()`,
      );
      for (const { status } of await asking) expect([401, 429, 503]).toContain(status);
    }
    await waitUntil(async () => (await ask({ AppKey: stack.keys.meridian })).status === 200);
  });
});

describe('messages between gateways', () => {
  it('that hold no valid key id do not end the process', async () => {
    const link = connectNats({ url: stack.nats.urlFor('gateway'), service: 'gateway', log: silentLog });
    await link.whenConnected(60_000);
    const payloads = [
      '',
      'x',
      'null',
      '\u0000'.repeat(12),
      '___________!',
      '['.repeat(100_000),
      new Uint8Array([0xff, 0xfe]),
      mintApiKey().keyId,
    ];
    for (const payload of payloads)
      for (const options of [{}, { reply: 'nowhere' }])
        for (const subject of ['replicas.gateway.key-revoked', 'replicas.gateway.sessions-changed'])
          link.connection?.publish(subject, payload, options);
    await link.connection?.flush();
    await link.close();
    await works();
    const connections = gateway.output().match(/NATS connected/g);
    expect(connections).toHaveLength(1);
  });

  it('do not end the process when their server restarts', async () => {
    await stack.nats.restart();
    await waitUntil(async () => (await ask({ AppKey: stack.keys.meridian })).status === 200);
  });
});
