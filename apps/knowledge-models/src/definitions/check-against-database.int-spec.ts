/** Definitions against the tables that PostgreSQL has. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { valueTypes, type KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { germanyModel, openDefinitionClient, salesModel, type DefinitionClient } from '../testing/definition-client.js';
import { openFixture, type Fixture } from '../testing/fixture.js';

let fixture: Fixture;
let applying: DefinitionClient;
beforeAll(async () => {
  fixture = await openFixture();
  applying = openDefinitionClient(fixture, 'meridian');
  await fixture.load('meridian', {
    schema: 'sales',
    name: 'item',
    columns: 'no text primary key, amount numeric(12, 2), note varchar(10), quantity bigint not null',
    rows: [],
  });
});
afterAll(() => fixture?.end());

type Attribute = NonNullable<NonNullable<KnowledgeModelDefinition['records']>[number]['attributes']>[number];
const withItem = (attributes: readonly Attribute[], table = 'item', identifier = ['NO']): KnowledgeModelDefinition => ({
  ...salesModel,
  kpis: [],
  records: [{ id: 'ITEM', table, identifier, attributes: [...attributes] }],
});
const no: Attribute = { id: 'NO', column: 'no' };
const checked = { mode: 'check', againstDatabase: true } as const;
const faultsOf = async (...definitions: readonly KnowledgeModelDefinition[]) =>
  ((await applying.refused(definitions, checked))?.faults ?? []).map(({ path, message }) => `${path}: ${message}`);

describe('definitions against the database', () => {
  it('pass when every table and column exists and fits', async () => {
    expect(await faultsOf(salesModel, germanyModel)).toEqual([]);
    const attributes: Attribute[] = [no, { id: 'Q', column: 'quantity', type: 'integer', nullable: false }];
    expect(await faultsOf(withItem([...attributes, { id: 'N', column: 'note' }]))).toEqual([]);
  });

  it('name the nearest table and column, only when the comparison is requested', async () => {
    const wrongTable = withItem([no], 'items');
    expect(await faultsOf(wrongTable)).toEqual([
      'definitions.0.records.0.table: unknown table of sales "items"; did you mean "item"?',
    ]);
    expect(await faultsOf(germanyModel, withItem([no, { id: 'AMOUNT', column: 'amout', type: 'float' }]))).toEqual([
      expect.stringMatching(/^definitions\.0\.kpis/),
      'definitions.1.records.0.attributes.1.column: unknown column of item "amout"; did you mean "amount"?',
    ]);
    expect(await applying.refused([wrongTable], { mode: 'check' })).toBeUndefined();
  });

  it('name types that do not fit', async () => {
    const attributes = valueTypes.map((type, index): Attribute => ({ id: `A${index}`, column: 'quantity', type }));
    expect(await faultsOf(withItem([no, ...attributes]))).toEqual(
      valueTypes.flatMap((type, index) =>
        type === 'integer'
          ? []
          : [
              `definitions.0.records.0.attributes.${index + 1}.type: "A${index}" is of type ${type}, but the column quantity of type bigint, which is read as integer`,
            ],
      ),
    );
  });

  it('name nullable columns that the model declares as not nullable', async () => {
    const amount: Attribute = { id: 'AMOUNT', column: 'amount', type: 'float' };
    expect(await faultsOf(withItem([amount], 'item', ['AMOUNT']))).toEqual([
      'definitions.0.records.0.attributes.0: "AMOUNT" always has a value, but the column amount may be without; make it part of the primary key of its table, or `nullable: false` there',
    ]);
    expect(await faultsOf(withItem([no, { ...amount, nullable: false }]))).toEqual([
      'definitions.0.records.0.attributes.1.nullable: "AMOUNT" always has a value, but the column amount may be without; leave `nullable: false` out here, or say it of the column',
    ]);
  });

  it('do not see the tables of another team', async () => {
    const northgate = openDefinitionClient(fixture, 'northgate');
    expect((await northgate.refused([salesModel], checked))?.faults).toEqual([
      { in: 'body', path: 'definitions.0.records.0.table', rule: 'unknown', message: 'unknown table of sales "item"' },
    ]);
  });
});
