/** Archives that are whole and say what they should not, on a real PostgreSQL. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { databaseServiceNames, databaseServices, migrationKindsOf } from '../database-services.js';
import { checkArchive, restoreArchive } from './index.js';
import type { Manifest, ArchivePart } from './manifest.js';
import { writeArchive } from './write-archive.js';

const stopping = new AbortController().signal;
let database: TestDatabase;
let client: pg.Client;
let folder: string;
let lastFile = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  folder = await mkdtemp(join(tmpdir(), 'tessera-hostile-'));
  await client.query(`insert into gateway.team (tenant, name) values ('victim', 'Victim')`);
});
afterAll(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const honest: Manifest = {
  format: 1,
  product: '0.0.1',
  createdAt: '2026-01-01T00:00:00.000Z',
  scope: 'team',
  teams: ['a'],
  migrations: Object.fromEntries(
    databaseServiceNames.map((service) => [databaseServices[service].schema, [...migrationKindsOf(service).keys()]]),
  ),
  tables: [{ schema: 'gateway', name: 'team', columns: ['name'] }],
  schemas: [],
  generations: [],
};
const column = { name: 'id', type: 'bigint', isRequired: false, collation: null, isFinite: false } as const;
const item = (team: string) => ({ team, schema: 'p', table: 'item', shape: { columns: [column], indexes: [] } });

/** Digests and counts of the archive are right, as its maker can make them. */
const restoreWith = async (
  manifest: Partial<Manifest>,
  textOf: (part: ArchivePart) => string = () => 'Name\n',
): Promise<void> => {
  const file = join(folder, `${(lastFile += 1)}.tar.gz`);
  async function* rowsOf(part: ArchivePart): AsyncGenerator<Buffer> {
    yield Buffer.from(textOf(part));
  }
  await writeArchive(file, { manifest: { ...honest, ...manifest }, rowsOf }, () => undefined, stopping);
  const checked = await checkArchive(file, () => undefined, stopping);
  await restoreArchive(checked, { url: database.adminUrl, progress: () => undefined, stopping });
};

it.each<readonly [string, Partial<Manifest>, string]>([
  [
    'a secret of the platform',
    { tables: [{ schema: 'knowledge_models', name: 'token_key', columns: ['key'] }] },
    'has rows of knowledge_models.token_key, which no backup keeps',
  ],
  [
    'a table of the server',
    { tables: [{ schema: 'pg_catalog', name: 'pg_authid', columns: ['rolname'] }] },
    'has rows of pg_catalog.pg_authid',
  ],
  [
    'schemas as rows',
    { tables: [{ schema: 'knowledge_models', name: 'team_schema', columns: ['role_name'] }] },
    'has rows of knowledge_models.team_schema',
  ],
  [
    'the tenant as a column',
    { tables: [{ schema: 'gateway', name: 'team', columns: ['tenant', 'name'] }] },
    'a column tenant of gateway.team',
  ],
  [
    'a schema of another team',
    { schemas: [{ team: 'victim', schema: 'p' }] },
    'has a schema p of the team "victim", of which it is no backup',
  ],
  [
    'a table of another team',
    { schemas: [{ team: 'a', schema: 'p' }], generations: [item('victim')] },
    'has a table p.item of the team "victim" without its schema',
  ],
  ['a table twice', { schemas: [{ team: 'a', schema: 'p' }], generations: [item('a'), item('a')] }, 'is there already'],
])('a restore rejects an archive with %s', async (_what, manifest, message) => {
  await expect(restoreWith(manifest)).rejects.toThrow(message);
});

it.each([
  ['more values in a row', 'Name\tmore\n', 'does not fit'],
  ['an end in the middle', 'Name\n\\.\nMore\n', /does not fit|of which the database read/],
  ['a row twice', 'Name\nName\n', 'do not fit the database'],
])('a restore rejects an archive with %s', async (_what, text, message) => {
  await expect(restoreWith({}, () => text)).rejects.toThrow(message);
});

it('a restore writes rows into the team of the archive, whatever tenant the rows name', async () => {
  await restoreWith({}, () => 'victim\n');
  const { rows } = await client.query('select tenant, name from gateway.team order by tenant');
  expect(rows).toEqual([
    { tenant: 'a', name: 'victim' },
    { tenant: 'victim', name: 'Victim' },
  ]);
});
