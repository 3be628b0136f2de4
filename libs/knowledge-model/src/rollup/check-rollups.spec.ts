import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition, RollupDefinition } from '@tessera/contracts/knowledge-models';
import { checkModel } from '../check-model.js';
import { parseKnowledgeModel } from '../parse-definitions.js';
import { salesModel } from '../testing/columnar/sales.js';

const parent: KnowledgeModelDefinition = {
  ...salesModel,
  kpis: [
    { id: 'REVENUE', expression: 'sum(SALE.AMOUNT)' },
    { id: 'SELLERS', expression: 'count(SELLER.*)' },
  ],
};
const rollup: RollupDefinition = { id: 'BY_PLANT', fields: ['SALE.PLANT', 'SALE.SEEN:month'], kpis: ['REVENUE'] };
const withRollup = (members: Partial<RollupDefinition>): KnowledgeModelDefinition => ({
  ...parent,
  rollups: [{ ...rollup, ...members }],
});
const faultsOf = (definition: KnowledgeModelDefinition, others: readonly KnowledgeModelDefinition[] = []) => {
  const checked = checkModel(definition, new Map(others.map((other) => [other.id, other])));
  return checked.ok ? [] : checked.faults.map(({ path, rule, message }) => `${path} ${rule}: ${message}`);
};

describe('the rollups of a model', () => {
  it('are kept as questions of somebody who sees everything', () => {
    const hidden = { ...withRollup({}), policies: [{ record: 'SALE', hide: ['PLANT'] }] };
    const checked = checkModel(hidden, new Map());
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    expect(checked.rollups.map(({ id, query }) => [id, query.columns.map(({ column }) => column.id)])).toEqual([
      ['BY_PLANT', ['SALE.PLANT', 'SALE.SEEN:month', 'REVENUE']],
    ]);
  });

  it('change member by member where a base has them', () => {
    const child: KnowledgeModelDefinition = {
      kind: 'KnowledgeModel',
      id: 'child',
      extends: parent.id,
      rollups: [{ id: 'BY_PLANT', fields: ['SALE.DAY'] }],
    };
    const checked = checkModel(child, new Map([[parent.id, withRollup({})]]));
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    expect(checked.model.rollups).toEqual([{ ...rollup, fields: ['SALE.DAY'] }]);
  });

  it.each<[string, KnowledgeModelDefinition, string]>([
    [
      'a field that is not there',
      withRollup({ fields: ['SALE.DAY', 'SALE.PLNT'] }),
      'rollups.0.fields.1 unknown: unknown field "SALE.PLNT"; did you mean "SALE.PLANT"?',
    ],
    [
      'a period that is not there',
      withRollup({ fields: ['SALE.DAY:mont'] }),
      'rollups.0.fields.0 grain: There is no grain mont of SALE.DAY. Did you mean SALE.DAY:month?',
    ],
    [
      'a period of what is no date',
      withRollup({ fields: ['SALE.PLANT:month'] }),
      'rollups.0.fields.0 type: SALE.PLANT is a string; only dates have a grain, as in FIELD:month.',
    ],
    [
      'a float to group by',
      withRollup({ fields: ['SALE.AMOUNT'] }),
      'rollups.0.fields.0 type: SALE.AMOUNT is a float, of which equal values may show different digits; expected another type',
    ],
    [
      'a KPI that is not there',
      withRollup({ kpis: ['REVENU'] }),
      'rollups.0.kpis.0 unknown: unknown KPI "REVENU"; did you mean "REVENUE"?',
    ],
    [
      'rows that would be counted in several groups',
      withRollup({ kpis: ['REVENUE', 'SELLERS'] }),
      'rollups.0.fields multiplied: a row of SELLER has many of SALE and would be counted in several groups; use fields that are one row away from the rows of each KPI',
    ],
    [
      'records that are not related',
      { ...withRollup({ kpis: ['SELLERS'] }), relationships: [] },
      'rollups.0.fields relationship: SELLER and SALE are not related.',
    ],
    [
      'a member that is missing',
      { ...parent, rollups: [{ id: 'BY_PLANT', fields: [] }] },
      'rollups.0 missing: kpis of BY_PLANT is missing',
    ],
    [
      'an id that is given twice',
      { ...parent, rollups: [rollup, rollup] },
      'rollups.1.id twice: "BY_PLANT" is defined twice',
    ],
    [
      'tables of an external database',
      { ...withRollup({}), source: { schema: 'sales', database: 'erp' } },
      'rollups database: rollups are made of tables of the platform, but the model reads the database erp',
    ],
  ])('are faults with %s', (_what, definition, expected) => {
    const [fault, ...others] = faultsOf(definition);
    expect(fault?.startsWith(expected) ? expected : fault).toBe(expected);
    expect(others).toEqual([]);
  });

  it('are faults from where on they are too large together', () => {
    const kpis = Array.from({ length: 100 }, (_, at) => ({ id: `K${at}`, expression: `sum(SALE.AMOUNT * ${at} + 1)` }));
    const rollups = Array.from({ length: 50 }, (_, at) => ({
      ...{ id: `R${at}`, fields: ['SALE.PLANT'] },
      kpis: kpis.map(({ id }) => id),
    }));
    const faults = faultsOf({ ...parent, kpis, rollups });
    const message = 'with the formulas of all that they name the rollups of the model are too large together';
    expect(faults[0]).toMatch(new RegExp(`^rollups\\.[1-4]\\d\\.kpis size: ${message}$`));
    expect(faultsOf({ ...parent, kpis, rollups: rollups.slice(0, 10) })).toEqual([]);
  });

  it('are told of the base where only that says what is wrong', () => {
    const child: KnowledgeModelDefinition = {
      kind: 'KnowledgeModel',
      id: 'child',
      extends: parent.id,
      records: [{ id: 'SALE', attributes: [{ id: 'PLANT', type: 'float' }] }],
      policies: [],
    };
    const open = { ...withRollup({}), policies: [] };
    expect(faultsOf(child, [open])).toEqual([expect.stringMatching(/^extends type: SALE\.PLANT is a float/)]);
  });

  it('are read from YAML, with faults at their place', () => {
    const [read] = [parseKnowledgeModel({ ...withRollup({}), rollups: [{ id: 'BY PLANT', field: [] }] })];
    expect(JSON.stringify(read)).toMatch(/rollups\.0\.id/);
  });
});
