import { describe, expect, it } from '@jest/globals';
import { normaliseModel } from './knowledge-model.js';

const least = { kind: 'KnowledgeModel', id: 'm' } as const;

describe('normaliseModel', () => {
  it('turns the smallest definition into an empty model', () => {
    expect(normaliseModel(least)).toEqual({
      id: 'm',
      name: 'm',
      description: '',
      source: { schema: '' },
      records: [],
      recordById: new Map(),
      relationships: [],
      kpis: [],
      kpiById: new Map(),
      filters: [],
      policies: [],
      rollups: [],
    });
  });

  it('keeps declared members and leaves out missing units and formats', () => {
    const { kpis } = normaliseModel({
      ...least,
      kpis: [
        { id: 'A', expression: 'x' },
        {
          id: 'B',
          name: 'b',
          synonyms: ['bee'],
          expression: 'y',
          unit: 'EUR',
          format: '%',
          direction: 'Down',
          target: '1',
          exact: true,
        },
      ],
    });
    expect(kpis).toEqual([
      {
        id: 'A',
        name: 'A',
        description: '',
        synonyms: [],
        expression: 'x',
        direction: 'None',
        exact: false,
        parameters: [],
      },
      {
        id: 'B',
        name: 'b',
        description: '',
        synonyms: ['bee'],
        expression: 'y',
        unit: 'EUR',
        format: '%',
        direction: 'Down',
        target: '1',
        exact: true,
        parameters: [],
      },
    ]);
  });

  it('keeps the synonyms of records, fields of every kind, KPIs and filters', () => {
    const synonyms = ['Bestellung', 'purchase'];
    const { records, kpis, filters } = normaliseModel({
      ...least,
      records: [
        {
          id: 'A',
          synonyms,
          attributes: [{ id: 'B', synonyms }],
          augmentedAttributes: [{ id: 'C', synonyms }],
          flags: [{ id: 'D', synonyms }],
        },
      ],
      kpis: [{ id: 'K', synonyms }],
      filters: [{ id: 'F', synonyms }],
    });
    const named = [...records, ...records.flatMap(({ fields }) => fields), ...kpis, ...filters];
    expect(named.map((entry) => [entry.id, entry.synonyms])).toEqual(
      ['A', 'B', 'C', 'D', 'K', 'F'].map((id) => [id, synonyms]),
    );
  });

  it('uses the name of a record as its short name by default', () => {
    const { records } = normaliseModel({
      ...least,
      records: [{ id: 'A' }, { id: 'B', name: 'Bee' }, { id: 'C', name: 'Sea', shortDisplayName: 'C.' }],
    });
    const names = records.map(({ shortDisplayName }) => shortDisplayName);
    expect(names).toEqual(['A', 'Bee', 'C.']);
  });

  it('makes identifiers not nullable, and other columns as declared', () => {
    const [record] = normaliseModel({
      ...least,
      records: [
        {
          id: 'A',
          identifier: ['ID'],
          attributes: [
            { id: 'ID', column: 'id' },
            { id: 'X', column: 'x', nullable: false, filterable: false },
            { id: 'Y', column: 'y', sortable: false, exact: true, type: 'integer' },
          ],
        },
      ],
    }).records;
    expect(record?.fields.map(({ id, origin }) => [id, 'nullable' in origin && origin.nullable])).toEqual([
      ['ID', false],
      ['X', false],
      ['Y', true],
    ]);
    expect(record?.fieldById.get('X')).toMatchObject({ filterable: false, sortable: true, exact: false });
    expect(record?.fieldById.get('Y')).toMatchObject({ filterable: true, sortable: false, exact: true });
  });

  it('keeps the first of two entries with the same id, at its position', () => {
    const { filters } = normaliseModel({
      ...least,
      filters: [
        { id: 'B', expression: '1' },
        { id: 'A', expression: '2' },
        { id: 'B', expression: '3' },
      ],
    });
    expect(filters.map(({ id, expression }) => [id, expression])).toEqual([
      ['B', '1'],
      ['A', '2'],
    ]);
  });
});
