import { existsSync } from 'node:fs';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@tessera/persistence';
import { openDataSource } from '@tessera/persistence/data-source';
import { createTeam, gatewayEntities } from '@tessera/persistence/gateway';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import { runTessera } from '../testing/run-tessera.js';

let source: TestDatabase;
let target: TestDatabase;
let folder: string;
beforeAll(async () => {
  [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  folder = await mkdtemp(join(tmpdir(), 'tessera-backup-'));
  const pool = createPool({
    url: source.urlFor('gateway'),
    applicationName: 'spec',
    connectionsMax: 1,
    statementTimeoutMs: 60_000,
  });
  const teams = openDataSource(pool, gatewayEntities);
  for (const team of ['one', 'two']) await createTeam(teams, team, `Team ${team}`);
  await pool.end();
});
afterAll(async () => {
  await Promise.all([source.drop(), target.drop()]);
  await rm(folder, { recursive: true });
});

const at = (name: string): string => join(folder, name);
const inSource = (...words: readonly string[]) => runTessera(words, { environment: { DATABASE_URL: source.adminUrl } });
const inTarget = (...words: readonly string[]) => runTessera(words, { environment: { DATABASE_URL: target.adminUrl } });

describe('tessera backup and tessera restore', () => {
  it('copy a team to another database and print a summary', async () => {
    expect(await inSource('backup', 'team', 'one', '--to', at('one.tar.gz'))).toEqual({
      exitCode: 0,
      out: expect.stringMatching(/^backed up the team one: 1 row, 0\.0 MB in .*one\.tar\.gz, \d+\.\d s\n$/),
      err: '',
    });
    const restored = await inTarget('restore', at('one.tar.gz'));
    expect(restored).toEqual({
      exitCode: 0,
      out: expect.stringMatching(/^restored the team one: 1 row, \d+\.\d s\n$/),
      err: expect.stringMatching(/^restoring the team one: 1 row; made 20\S+ by version \d+\.\d+\.\d+\n$/),
    });
    expect(await inTarget('restore', at('one.tar.gz'))).toMatchObject({
      exitCode: 1,
      out: '',
      err: expect.stringContaining('error: the database has the team one already; restore it into'),
    });
  });

  it('copy all teams and print the summary as JSON', async () => {
    const { exitCode, out } = await inSource('backup', 'all', '--to', at('all.tar.gz'), '--json');
    expect({ exitCode, told: JSON.parse(out) }).toEqual({
      exitCode: 0,
      told: {
        file: at('all.tar.gz'),
        teams: ['one', 'two'],
        rows: 2,
        rowBytes: expect.any(Number),
        fileBytes: expect.any(Number),
      },
    });
    const empty = await createTestDatabase();
    const environment = { DATABASE_URL: empty.adminUrl };
    const restored = await runTessera(['restore', at('all.tar.gz'), '--json'], { environment });
    await empty.drop();
    expect({ exitCode: restored.exitCode, told: JSON.parse(restored.out) }).toMatchObject({
      exitCode: 0,
      told: { scope: 'all', teams: ['one', 'two'], rows: 2 },
    });
  });
});

describe('tessera restore --check', () => {
  it('reads a file without a database', async () => {
    await inSource('backup', 'all', '--to', at('checked.tar.gz'));
    expect(await runTessera(['restore', at('checked.tar.gz'), '--check'])).toEqual({
      exitCode: 0,
      out: expect.stringMatching(/^whole: 2 teams \(one, two\): 2 rows; made 20/),
      err: '',
    });
    await truncate(at('checked.tar.gz'), 300);
    expect(await runTessera(['restore', at('checked.tar.gz'), '--check'])).toEqual({
      exitCode: 1,
      out: '',
      err: 'error: the archive is cut off.\n',
    });
  });
});

describe('a failed backup or restore', () => {
  it.each([
    ['no address', {}, 'error: DATABASE_URL is missing; expected an address such as postgres://', 2],
    ['a word for an address', { DATABASE_URL: 'db' }, 'error: DATABASE_URL is malformed; expected', 2],
  ])('is reported in one line: %s', async (_what, environment, line, exitCode) => {
    for (const words of [
      ['backup', 'all', '--to', at('never')],
      ['restore', at('never')],
    ])
      expect(await runTessera(words, { environment })).toEqual({
        exitCode,
        out: '',
        err: expect.stringContaining(line),
      });
    expect(existsSync(at('never'))).toBe(false);
  });

  it('is reported in one line for an unknown team, a missing file or a wrong password', async () => {
    expect(await inSource('backup', 'team', 'nobody', '--to', at('never'))).toEqual({
      exitCode: 1,
      out: '',
      err: 'error: the database has no team "nobody"; it has one, two.\n',
    });
    expect(await inSource('restore', at('never'))).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^error: ENOENT/),
    });
    const wrong = new URL(source.adminUrl);
    wrong.password = 'secret-that-is-wrong';
    const refused = await runTessera(['backup', 'all', '--to', at('never')], {
      environment: { DATABASE_URL: wrong.href },
    });
    expect(refused).toMatchObject({
      exitCode: 3,
      err: expect.stringMatching(/^PostgreSQL at .* refuses the user or the password/),
    });
    expect(refused.err).not.toContain('secret-that-is-wrong');
  });

  it('is reported as interrupted when the user stops it', async () => {
    await inSource('backup', 'team', 'two', '--to', at('two.tar.gz'));
    const options = { environment: { DATABASE_URL: target.adminUrl }, stopping: AbortSignal.abort() };
    for (const words of [
      ['backup', 'all', '--to', at('never')],
      ['restore', at('two.tar.gz')],
    ])
      expect(await runTessera(words, options)).toMatchObject({ exitCode: 130, err: 'Interrupted.\n' });
    expect(existsSync(at('never'))).toBe(false);
  });
});
