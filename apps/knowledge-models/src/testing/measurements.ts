/** A table of as many rows and columns as a spec wants, and the model of it. */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import type { TestTable } from './fixture.js';

const columns = Array.from({ length: 20 }, (_, index) => `c${index}`);

export const measurementFields: readonly string[] = ['ID', ...columns.map((name) => name.toUpperCase())].slice(0, 20);

export const measurementModel: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'measurements',
  source: { schema: 'm' },
  records: [
    {
      id: 'MEASUREMENT',
      table: 'measurement',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'GENERATION', column: 'generation', type: 'integer', nullable: false },
        ...columns.map((column) => ({ id: column.toUpperCase(), column })),
      ],
    },
  ],
  kpis: [
    { id: 'ROWS', expression: 'count(MEASUREMENT.*)' },
    { id: 'NEWEST', expression: 'max(MEASUREMENT.GENERATION)' },
  ],
};

/** `generation` stands in every row. */
export const createMeasurementTable = (rows: number, generation = 1): TestTable => ({
  schema: 'm',
  name: 'measurement',
  columns: `id bigint primary key, generation bigint not null, ${columns.map((name) => `${name} text`).join(', ')}`,
  rows: `select g, ${generation}, ${columns.map((_, index) => `'value ${index} of row ' || g`).join(', ')}
    from generate_series(1, ${rows}) g`,
});
