import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import fc from 'fast-check';
import { matchesFilter } from './testing/evaluate-filter.js';
import { printSampleFilter, sampleFilterArbitrary, sampleRowsArbitrary } from './testing/random-filters.js';
import { compileSampleFilter, openSampleTable, type SampleTable } from './testing/sample-table.js';

const casesOfCi = 1_200;

describe('any typed filter on any rows', () => {
  let database: TestDatabase;
  let table: SampleTable;
  beforeAll(async () => {
    database = await createTestDatabase();
    table = await openSampleTable(database.adminUrl);
  });
  afterAll(async () => {
    await table?.end();
    await database?.drop();
  });

  it('matches the same rows in PostgreSQL as in the reference evaluator', async () => {
    const seen = { cases: 0, someRows: 0 };
    await fc.assert(
      fc.asyncProperty(sampleRowsArbitrary, sampleFilterArbitrary, async (rows, filter) => {
        const text = printSampleFilter(filter);
        const compiled = compileSampleFilter(text);
        if (!compiled.ok) throw new Error(`${text}\n${JSON.stringify(compiled.faults)}`);
        await table.fill(rows);
        const found = await table.idsWhere(compiled.sql.text, compiled.sql.values);
        const expected = rows.filter((row) => matchesFilter(filter, row)).map(({ id }) => id);
        expect({ text, ids: found }).toEqual({ text, ids: expected });
        seen.cases++;
        if (found.length > 0 && found.length < rows.length) seen.someRows++;
      }),
      { numRuns: casesOfCi },
    );
    expect(seen.cases).toBe(casesOfCi);
    // Filters that hold everywhere or nowhere prove little.
    expect(seen.someRows).toBeGreaterThan(seen.cases / 3);
  });
});
