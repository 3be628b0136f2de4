import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { printPostgres, quoteIdentifier } from '@tessera/sql';
import { checkModel } from '../check-model.js';
import { parseKnowledgeModel } from '../parse-definitions.js';
import { hostileTexts } from '../testing/hostile-texts.js';
import { openSampleDatabase, type SampleDatabase } from '../testing/sample-database.js';
import {
  checkSampleFormula,
  resolveSampleColumn,
  sampleDefinition,
  typeCheckSampleFormula,
} from '../testing/sample-model.js';
import { compileFormula } from './compile-formula.js';

const storable = hostileTexts.filter((text) => text.isWellFormed() && !text.includes('\0'));
const systemColumns = ['ctid', 'xmin', 'tableoid'];
const written = (text: string): string => `'${text.replaceAll("'", "''")}'`;

describe('a hostile text', () => {
  let trial: SampleDatabase;
  beforeAll(async () => {
    trial = await openSampleDatabase();
  });
  afterAll(() => trial?.end());

  const valueOf = async (formula: string): Promise<string | null> => {
    const { text, values } = printPostgres(
      compileFormula(typeCheckSampleFormula(formula, 'ITEM'), resolveSampleColumn),
    );
    const { rows } = await trial.client.query<{ value: string | null }>(
      `select (${text})::text as value from item where id = 1`,
      [...values],
    );
    return rows[0]?.value ?? null;
  };

  it.each(hostileTexts)('is rejected as a formula: %j', (text) => {
    for (const record of ['ITEM', undefined]) {
      const checked = checkSampleFormula(text, record);
      expect(checked.ok).toBe(false);
      if (checked.ok) continue;
      expect(checked.faults.length).toBeGreaterThan(0);
      for (const { position = -1, message } of checked.faults) {
        expect(position).toBeGreaterThanOrEqual(0);
        expect(position).toBeLessThanOrEqual(text.length);
        expect(message.length).toBeLessThan(400);
      }
    }
  });

  it('is returned unchanged as a value', async () => {
    for (const text of storable) {
      expect(await valueOf(written(text))).toBe(text);
      expect(await valueOf(`replace('<>', '<', ${written(text)})`)).toBe(`${text}>`);
      expect(await valueOf(`case when NAME in (${written(text)}) then 1 else 0 end`)).toBe('0');
      if (!text.endsWith('\\')) expect(await valueOf(`NAME like ${written(text)}`)).toMatch(/^(?:true|false)$/);
    }
    expect((await trial.client.query('select id from item')).rowCount).toBe(4);
  });

  it('casts to null', async () => {
    for (const text of storable)
      for (const type of ['integer', 'float', 'date', 'time', 'datetime', 'timestamp']) {
        const read = await valueOf(`cast(${written(text)} as ${type})`);
        // These are numbers to PostgreSQL.
        if (!/^(?:[.\d_]+|0x1F|1e999)$/.test(text)) expect([text, type, read]).toEqual([text, type, null]);
      }
  });

  it('can be the name of a column', async () => {
    for (const text of storable.filter((name) => Buffer.byteLength(name) <= 63 && !systemColumns.includes(name))) {
      await trial.client.query(`create table named (id bigint, ${quoteIdentifier(text)} text)`);
      await trial.client.query("insert into named values (1, 'found')");
      const record = { id: 'NAMED', table: 'named', identifier: ['A'], attributes: [{ id: 'A', column: text }] };
      const definition = {
        ...sampleDefinition,
        records: [record],
        relationships: [],
        kpis: [{ id: 'K', expression: 'max(NAMED.A)' }],
      };
      const checked = checkModel(definition, new Map());
      const formula = checked.ok ? checked.formulas.kpis.get('K')?.formula : undefined;
      if (!formula) throw new Error(text);
      const { text: sql } = printPostgres(compileFormula(formula, resolveSampleColumn));
      const { rows } = await trial.client.query<{ value: string }>(`select ${sql} as value from named`);
      expect(rows).toEqual([{ value: 'found' }]);
      await trial.client.query('drop table named');
    }
  });

  it('is rejected as a column when it names a system column of PostgreSQL', () => {
    for (const column of systemColumns) {
      const records = [{ id: 'A', table: 'a', identifier: ['ID'], attributes: [{ id: 'ID', column }] }];
      expect(parseKnowledgeModel({ ...sampleDefinition, records })).toMatchObject({
        faults: [{ path: 'records.0.attributes.0.column', message: "expected a column that is not PostgreSQL's own" }],
      });
    }
  });
});
