/** Parcels, of which much is null and nothing in the order of its rows; those on shelf B only their keepers see. */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import type { TestTable } from './fixture.js';

export const parcelsModel: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'parcels',
  source: { schema: 'depot' },
  records: [
    {
      id: 'PARCEL',
      table: 'parcel',
      identifier: ['SHELF', 'PLACE'],
      attributes: [
        { id: 'SHELF', column: 'shelf' },
        { id: 'PLACE', column: 'place', type: 'integer' },
        { id: 'WEIGHT', column: 'weight', type: 'float' },
        { id: 'CITY', column: 'city' },
        { id: 'ARRIVED', column: 'arrived', type: 'timestamp' },
        { id: 'GENERATION', column: 'generation', type: 'integer' },
      ],
    },
    {
      id: 'RACK',
      table: 'rack',
      identifier: ['SHELF'],
      attributes: [{ id: 'SHELF', column: 'shelf' }],
    },
  ],
  policies: [{ record: 'PARCEL', rows: "SHELF ne 'B'", unless: { scope: 'depot:keep' } }],
};

export const depotKeeperCaller = { scopes: ['depot:keep'] } as const;

const shelfNames = ['A', 'B', "C'", 'é', '\u{1f4e6}'];

export const parcelCount = 240;

/** The same parcels in every generation, which stands in each of them, but never in the same order. */
export const createParcelsTable = (generation: number): TestTable => ({
  schema: 'depot',
  name: 'parcel',
  columns: `shelf text, place bigint, weight numeric, city text, arrived timestamptz, generation bigint not null,
    primary key (shelf, place)`,
  rows: `select (array[${shelfNames.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ')}])[g % 5 + 1], g / 5,
      case when g % 3 = 0 then null else round((g % 7)::numeric / 3, 10) end,
      case when g % 4 = 0 then null else 'city ' || g % 6 end,
      case when g % 5 = 0 then null else timestamptz '2026-01-01' + g % 11 * interval '1 microsecond' end, ${generation}
    from generate_series(0, ${parcelCount - 1}) g order by md5((g * ${generation + 1})::text)`,
});

export const racksTable: TestTable = {
  schema: 'depot',
  name: 'rack',
  columns: 'shelf text primary key',
  rows: shelfNames.map((shelf) => ({ shelf })),
};
