import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openFixture, type Fixture, type TestTable } from './fixture.js';

const table: TestTable = {
  schema: 's',
  name: 'thing',
  columns: 'id bigint primary key, name text',
  rows: [{ id: '9007199254740993', name: 'a' }],
};

describe('the fixture of specs', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await openFixture();
  });
  afterAll(() => fixture.end());

  it('has models and tables that the catalogue shows at once', async () => {
    await fixture.publish('one', {
      kind: 'KnowledgeModel',
      id: 'm',
      source: { schema: 's' },
      records: [
        { id: 'THING', table: 'thing', identifier: ['ID'], attributes: [{ id: 'ID', column: 'id', type: 'integer' }] },
      ],
    });
    await fixture.load('one', table);
    await fixture.load('one', { ...table, rows: `select g, 'x' from generate_series(1, 12) g` });
    const catalog = await fixture.catalogs.of('one');
    expect(catalog.models.get('m')?.checked.model.records).toHaveLength(1);
    expect(catalog.tables.get('s.thing')).toEqual({ dataVersion: '2', rows: 12 });
    expect(catalog.schemas.get('s')).toEqual({ physical: 'one.s', role: 'tessera.one' });
  });
});
