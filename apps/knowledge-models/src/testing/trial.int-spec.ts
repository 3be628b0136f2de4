import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTrial, type Trial, type TrialTable } from './trial.js';

const table: TrialTable = {
  schema: 's',
  name: 'thing',
  columns: 'id bigint primary key, name text',
  rows: [{ id: '9007199254740993', name: 'a' }],
};

describe('the trial of specs', () => {
  let trial: Trial;
  beforeAll(async () => {
    trial = await openTrial();
  });
  afterAll(() => trial.end());

  it('has models and tables that the catalogue shows at once', async () => {
    await trial.publish('one', {
      kind: 'KnowledgeModel',
      id: 'm',
      source: { schema: 's' },
      records: [
        { id: 'THING', table: 'thing', identifier: ['ID'], attributes: [{ id: 'ID', column: 'id', type: 'integer' }] },
      ],
    });
    await trial.load('one', table);
    await trial.load('one', { ...table, rows: `select g, 'x' from generate_series(1, 12) g` });
    const catalog = await trial.catalogs.of('one');
    expect(catalog.models.get('m')?.checked.model.records).toHaveLength(1);
    expect(catalog.tables.get('s.thing')).toEqual({ dataVersion: '2', rows: 12 });
    expect(catalog.schemas.get('s')).toEqual({ physical: 'one.s', role: 'tessera.one' });
  });
});
