import { describe, expect, it } from '@jest/globals';
import { mintApiKey } from '@tessera/persistence';
import { readDatabaseUrl, readMigrationVariables } from './database-variables.js';

const complete = {
  DATABASE_URL: 'postgresql://owner:secret@db.example:5432/tessera?sslmode=require',
  DATABASE_PASSWORD_GATEWAY: 'abcdefghijklmnop-1',
  DATABASE_PASSWORD_CONTENT_REPO: 'abcdefghijklmnop_2',
  DATABASE_PASSWORD_TOOL_GATEWAY: 'abcdefghijklmnop.3',
  DATABASE_PASSWORD_AGENTS: 'abcdefghijklmnop~4',
  DATABASE_PASSWORD_KNOWLEDGE_MODELS: 'abcdefghijklmnop5',
};

describe('the variables of a migration', () => {
  it('are a database URL, a password for each service and an optional admin key', () => {
    expect(readMigrationVariables({ ...complete, ADMIN_KEY: '' })).toEqual({
      ok: true,
      value: {
        url: complete.DATABASE_URL,
        passwords: {
          gateway: 'abcdefghijklmnop-1',
          'content-repo': 'abcdefghijklmnop_2',
          'tool-gateway': 'abcdefghijklmnop.3',
          agents: 'abcdefghijklmnop~4',
          'knowledge-models': 'abcdefghijklmnop5',
        },
        adminKey: undefined,
      },
    });
    const minted = mintApiKey();
    expect(readMigrationVariables({ ...complete, ADMIN_KEY: minted.key })).toMatchObject({
      value: { adminKey: minted },
    });
  });

  it.each([
    ['DATABASE_PASSWORD_AGENTS', undefined, 'missing'],
    ['DATABASE_PASSWORD_AGENTS', '', 'missing'],
    ['DATABASE_PASSWORD_AGENTS', 'tooshort', 'malformed'],
    ['DATABASE_PASSWORD_AGENTS', 'long enough but with / and @', 'malformed'],
    ['ADMIN_KEY', 'tsk_0123456789ab_secret_sum', 'malformed'],
    ['ADMIN_KEY', `${mintApiKey().key}x`, 'malformed'],
  ])('reject %s with the value %j without printing the value', (name, text, fault) => {
    const read = readMigrationVariables({ ...complete, [name]: text });
    expect(read).toEqual({ ok: false, faults: [expect.stringMatching(`^${name} is ${fault}; expected `)] });
    if (text) expect(JSON.stringify(read)).not.toContain(text);
  });

  it.each([undefined, 'db.example', 'mysql://a@b/c', 'postgres://db/tessera', 'postgres://a@db', 'postgres://a@/c'])(
    'reject the database URL %j',
    (url) => {
      expect(readDatabaseUrl({ DATABASE_URL: url })).toMatchObject({
        ok: false,
        faults: [expect.stringContaining('expected an address such as postgres://')],
      });
    },
  );

  it('report all faults at once', () => {
    expect(readMigrationVariables({})).toMatchObject({ ok: false, faults: { length: 6 } });
  });
});
