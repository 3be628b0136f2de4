/** A database of the version before keeps what it holds, and every step can be taken back. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { migrationClassesOf } from '../migration-classes.js';

let database: TestDatabase;
let client: pg.Client;
let source: DataSource;

const schema = 'content_repo';
const migrations = migrationClassesOf('content-repo');
const storageId = '0199e2a0-0000-7000-8000-000000000001';
const elementId = '0199e2a0-0000-7000-8000-000000000002';
const versionId = '0199e2a0-0000-7000-8000-000000000003';

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  source = new DataSource({
    type: 'postgres',
    url: database.adminUrl,
    schema,
    migrations: [...migrations],
    migrationsTableName: 'migration',
    poolSize: 1,
  });
  await source.initialize();
});
afterAll(async () => {
  await source.destroy();
  await client.end();
  await database.drop();
});

describe('an upgrade from the first version', () => {
  it('can be reverted step by step', async () => {
    for (let step = 1; step < migrations.length; step++) await source.undoLastMigration({ transaction: 'each' });
    const { rows } = await client.query('select name from content_repo.migration');
    expect(rows).toEqual([{ name: 'Content1763600000001' }]);
  });

  it('keeps elements, and gives their history the number 0', async () => {
    const key = [`acme`, storageId, elementId, versionId];
    await client.query(`
      insert into content_repo.storage (tenant, storage_id, collection_name, storage_name, definition)
      values ('acme', '${storageId}', 'acme', 'main', '{}')`);
    await client.query(`
      insert into content_repo.element (tenant, storage_id, element_id, facet, type, stereotype, creation_id, position, tree_path)
      values ('acme', '${storageId}', '${elementId}', 'processes', 'process', 'core', '${elementId}', 0, '00000000')`);
    await client.query(`
      insert into content_repo.element_version (tenant, storage_id, version_id, element_id, major, minor, state, attributes, created_at, changed_at)
      values ('acme', '${storageId}', '${versionId}', '${elementId}', 2, 1, 'inProcess', '{}', now(), now())`);
    await client.query(`
      insert into content_repo.rendition (tenant, storage_id, version_id, element_id, facet, type, tree_path, identity,
        display_names, attributes, related, content)
      values ('acme', '${storageId}', '${versionId}', '${elementId}', 'processes', 'process', '00000000', '{', '', '', '', '')`);
    await source.runMigrations({ transaction: 'each' });
    const { rows } = await client.query(
      `select r.major, r.minor, r.state, r.stereotype, r.revision::int, r.from_sequence::int, s.change_sequence::int, e.revision::int as element
       from content_repo.rendition r
       join content_repo.storage s using (tenant, storage_id)
       join content_repo.element e using (tenant, storage_id, element_id)
       where tenant = $1 and storage_id = $2 and element_id = $3 and version_id = $4`,
      key,
    );
    expect(rows).toEqual([
      {
        major: 2,
        minor: 1,
        state: 'inProcess',
        stereotype: 'core',
        revision: 0,
        from_sequence: 0,
        change_sequence: 0,
        element: 0,
      },
    ]);
    const { rows: changes } = await client.query('select sequence::int, subject from content_repo.change');
    expect(changes).toEqual([{ sequence: 0, subject: 'system' }]);
  });

  it('rejects a rendition without a change', async () => {
    await expect(
      client.query(`update content_repo.rendition set identity = '{"' where version_id = $1`, [versionId]),
    ).rejects.toThrow('app.change');
  });
});
