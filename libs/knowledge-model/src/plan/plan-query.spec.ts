import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { checkModel } from '../check-model.js';
import { createCallerView } from '../query/caller-view.js';
import { resolveQuery } from '../query/resolve-query.js';
import { fullAccessCaller, emptyQuery, type QueryMembers } from '../testing/shop-database.js';
import { shopDefinition } from '../testing/shop-model.js';
import { planQuery } from './plan-query.js';
import { type QueryPlan, type RowSource, planWeightOf } from './query-plan.js';

const planned = (question: QueryMembers, definition: KnowledgeModelDefinition = shopDefinition) => {
  const checked = checkModel(definition, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const resolved = resolveQuery(createCallerView(checked, fullAccessCaller), { ...emptyQuery, ...question });
  if (!resolved.ok) throw new Error(resolved.failure.detail);
  return planQuery(resolved.value);
};

const planOf = (question: QueryMembers, definition?: KnowledgeModelDefinition): QueryPlan => {
  const plan = planned(question, definition);
  if (!plan.ok) throw new Error(plan.failure.detail);
  return plan.value;
};

const rowsPlan = (question: QueryMembers, definition?: KnowledgeModelDefinition) => {
  const plan = planOf(question, definition);
  if (plan.kind !== 'rows') throw new Error('These are groups.');
  return plan;
};

const groupsPlan = (question: QueryMembers, definition?: KnowledgeModelDefinition) => {
  const plan = planOf(question, definition);
  if (plan.kind !== 'groups') throw new Error('These are rows.');
  return plan;
};

const shape = ({ root, joins, semiJoins }: RowSource): string =>
  [
    root.alias,
    ...joins.map(({ parent, alias, isToMany }) => `${parent} ${isToMany ? '->>' : '->'} ${alias}`),
    ...semiJoins.map(({ records, conditions }) => {
      const looked = records.map(({ parent, alias, isOptional }) => `${parent}.${alias}${isOptional ? '?' : ''}`);
      return `${conditions.length} of ${looked.join(' ')}`;
    }),
  ].join(', ');

describe('the plan of rows', () => {
  it.each([
    ['joins nothing that is not read', { record: 'ITEM', fields: ['AMOUNT'] }, 'ITEM'],
    [
      'joins what a filter reads',
      { record: 'ITEM', fields: ['AMOUNT'], filterExpressions: ['CUSTOMER.CITY eq null'] },
      'ITEM, ITEM -> ORDER, ORDER -> CUSTOMER',
    ],
    [
      'joins once what two ways share',
      { fields: ['ITEM.AMOUNT', 'CUSTOMER.CITY', 'ORDER.MADE'] },
      'ITEM, ITEM -> ORDER, ORDER -> CUSTOMER',
    ],
    [
      'looks once at the same related rows for several conditions',
      {
        record: 'ORDER',
        fields: ['MADE'],
        filterExpressions: ['ITEM.AMOUNT gt 1 and DELIVERY.QTY gt 1', 'INVOICE.PAID eq true'],
      },
      'ORDER, 2 of ORDER.ITEM ITEM.DELIVERY?, 1 of ORDER.INVOICE',
    ],
    [
      'looks at two records together when one condition reads both',
      {
        record: 'ORDER',
        fields: ['MADE'],
        filterExpressions: ['ITEM.AMOUNT gt 1', 'INVOICE.PAID eq true or ITEM.DUE eq null'],
      },
      'ORDER, 2 of ORDER.ITEM ORDER.INVOICE?',
    ],
    [
      'takes rows without related ones where the conditions hold of them',
      {
        record: 'ORDER',
        fields: ['MADE'],
        filterExpressions: ['ITEM.DUE eq null', 'ITEM.PRODUCT ne null or ITEM.DUE eq null'],
      },
      'ORDER, 2 of ORDER.ITEM?',
    ],
    [
      'looks at what is behind the rows that are joined',
      { fields: ['CUSTOMER.NAME', 'ITEM.AMOUNT', 'INVOICE.TOTAL'], filterExpressions: ['DELIVERY.QTY gt 1'] },
      'CUSTOMER, CUSTOMER ->> ORDER, ORDER ->> ITEM, ORDER ->> INVOICE, 1 of ITEM.DELIVERY',
    ],
  ] as const)('%s', (_, question, expected) => {
    expect(shape(rowsPlan(question).source)).toBe(expected);
  });

  it('counts without joins that do not change the number of rows', () => {
    const { countSource } = rowsPlan({
      fields: ['ITEM.AMOUNT', 'CUSTOMER.NAME'],
      filterExpressions: ['ORDER.FREIGHT gt 1'],
    });
    expect(shape(countSource)).toBe('ITEM, ITEM -> ORDER');
    const { countSource: multiplied } = rowsPlan({
      fields: ['ORDER.MADE', 'ITEM.AMOUNT', 'INVOICE.TOTAL', 'CUSTOMER.NAME'],
    });
    expect(shape(multiplied)).toBe('ORDER, ORDER ->> ITEM, ORDER ->> INVOICE');
    const { countSource: distinct } = rowsPlan({ fields: ['ITEM.AMOUNT', 'CUSTOMER.NAME'], distinct: true });
    expect(shape(distinct)).toBe('ITEM, ITEM -> ORDER, ORDER -> CUSTOMER');
  });

  it('gives a record one alias per path and shortens long aliases', () => {
    const long = 'R'.repeat(64);
    const attributes = ['ID', 'A', 'B'].map((id) => ({ id, column: id, type: 'integer' as const }));
    const record = (id: string) => ({ id, table: 'plain', identifier: ['ID'], attributes });
    const definition: KnowledgeModelDefinition = {
      ...{ kind: 'KnowledgeModel', id: 'ways', source: { schema: 'ways' } },
      records: [record('A'), record(long), record('C'), record(`${long.slice(1)}S`)],
      relationships: [
        { from: 'A', to: long, on: { A: 'ID' }, cardinality: 'one-to-many' },
        { from: 'A', to: 'C', on: { A: 'ID' }, cardinality: 'many-to-one' },
        { from: 'C', to: long, on: { B: 'ID' }, cardinality: 'many-to-one' },
        { from: long, to: `${long.slice(1)}S`, on: { A: 'ID' }, cardinality: 'many-to-one' },
      ],
    };
    const { source } = rowsPlan({ fields: ['A.ID', `${long}.ID`, `${long.slice(1)}S.ID`] }, definition);
    const aliases = source.joins.map(({ alias }) => alias);
    expect(aliases).toEqual(['C', long.slice(1), `${long.slice(6)} 4`]);
    expect(shape(source)).toContain(`C -> ${long.slice(1)}, ${long.slice(1)} -> ${long.slice(6)} 4`);
  });

  it('ends its order with the identifier of each row, in the direction of the last item', () => {
    const orders = (question: QueryMembers) =>
      rowsPlan(question).order.map(({ by, descending, nullable }) => {
        const what = by.kind === 'position' ? `${by.position}` : `${by.alias}.${by.column}`;
        return `${descending ? '-' : '+'}${what}${nullable ? '?' : ''}`;
      });
    expect(orders({ record: 'ITEM', fields: ['ITEM_NO', 'DUE'] })).toEqual(['+ITEM.order_no', '+1']);
    expect(orders({ record: 'ITEM', fields: ['ITEM_NO', 'DUE'], sort: 'ITEM_NO,-DUE' })).toEqual([
      '+1',
      '-2?',
      '-ITEM.order_no',
    ]);
    expect(orders({ fields: ['CUSTOMER.NAME', 'ITEM.ITEM_NO', 'INVOICE.ID'] })).toEqual([
      ...['+CUSTOMER.id', '+ORDER.order_no?', '+ITEM.order_no?', '+2?', '+3?'],
    ]);
    expect(orders({ record: 'ITEM', fields: ['DUE', 'AMOUNT'], distinct: true, sort: '-AMOUNT' })).toEqual([
      '-2',
      '-1?',
    ]);
  });

  it('limits the offset to the maximum of bigint', () => {
    const pageOf = (page: number, pageSize: number) =>
      rowsPlan({ record: 'ITEM', fields: ['DUE'], page, pageSize }).page;
    expect(pageOf(2 ** 31, 5_000)).toEqual({ kind: 'offset', size: 5_000, offset: 10_737_418_240_000n });
    expect(pageOf(Number.MAX_SAFE_INTEGER, 5_000)).toMatchObject({ offset: 9_223_372_036_854_775_807n });
  });
});

describe('the plan of groups', () => {
  it('computes each aggregate over the rows of its own record, once', () => {
    const { grains, isCombined } = groupsPlan({
      fields: ['CUSTOMER.CITY'],
      kpis: ['PER_ORDER', 'SALES', 'SHARE', 'FREIGHT'],
    });
    expect(grains.map(({ source, aggregates }) => `${aggregates.length}: ${shape(source)}`)).toEqual([
      '3: ITEM, ITEM -> ORDER, ORDER -> CUSTOMER',
      '2: ORDER, ORDER -> CUSTOMER',
    ]);
    expect([isCombined, groupsPlan({ kpis: ['SALES', 'AVERAGE'] }).isCombined]).toEqual([true, false]);
  });

  it('marks grains whose rows are multiplied by related rows', () => {
    const { grains } = groupsPlan({ fields: ['ITEM.PRODUCT'], kpis: ['PER_ORDER'] });
    expect(grains.map(({ isMultiplied }) => isMultiplied)).toEqual([false, true]);
  });

  it('counts groups with only the aggregates that filters read, and needs no count without fields', () => {
    const counted = ({ countGrains }: ReturnType<typeof groupsPlan>) =>
      countGrains?.map(({ source, aggregates }) => `${aggregates.length}: ${shape(source)}`);
    expect(counted(groupsPlan({ kpis: ['SALES'] }))).toBeUndefined();
    expect(counted(groupsPlan({ fields: ['ITEM.DUE'], kpis: ['SHARE', 'ORDERS'] }))).toEqual([
      '0: ITEM',
      '0: ORDER, ORDER ->> ITEM',
    ]);
    expect(counted(groupsPlan({ kpis: ['SHARE', 'ORDERS'], filterExpressions: ['ORDERS gt 1'] }))).toEqual([
      '1: ORDER',
    ]);
  });
});

describe('policies that read other rows, in the plan of groups', () => {
  type Key = Readonly<Record<string, string>>;
  const plansUnder = (toCustomer: Key, toItem: Key): readonly string[] => {
    const { grains } = groupsPlan(
      { kpis: ['SALES', 'DELIVERED'] },
      {
        ...shopDefinition,
        kpis: [...(shopDefinition.kpis ?? []), { id: 'DELIVERED', expression: 'sum(DELIVERY.QTY)' }],
        relationships: [
          { from: 'ITEM', to: 'ORDER', on: { ORDER_NO: 'ORDER_NO' }, cardinality: 'many-to-one' },
          { from: 'ORDER', to: 'CUSTOMER', on: toCustomer, cardinality: 'many-to-one' },
          { from: 'DELIVERY', to: 'ITEM', on: toItem, cardinality: 'many-to-one' },
        ],
        policies: [
          { record: 'ORDER', rows: "CUSTOMER.NAME ne 'bob'" },
          { record: 'ITEM', rows: 'ORDER.FREIGHT gt 1' },
          { record: 'DELIVERY', rows: 'ITEM.AMOUNT gt 1' },
        ],
      },
    );
    return grains.map(({ source }) => `${shape(source)}${source.root.parents ? ' if there is one' : ''}`);
  };
  const joined = [
    'ITEM, ITEM -> ORDER, ORDER -> CUSTOMER',
    'DELIVERY, DELIVERY -> ITEM, ITEM -> ORDER, ORDER -> CUSTOMER',
  ];
  const [wholeKey, partOfKey] = [{ ORDER_NO: 'ORDER_NO', ITEM_NO: 'ITEM_NO' }, { ORDER_NO: 'ORDER_NO' }];

  it.each<[string, Key, Key, readonly string[]]>([
    ['joined where they lead to identifiers', { CUSTOMER: 'ID' }, wholeKey, joined],
    ['joined where they lead to more than those', { CUSTOMER: 'ID', ORDER_NO: 'CITY' }, wholeKey, joined],
    [
      'looked up where one leads to a part of an identifier',
      { CUSTOMER: 'ID' },
      partOfKey,
      ['ITEM, ITEM -> ORDER, ORDER -> CUSTOMER', 'DELIVERY if there is one'],
    ],
    [
      'looked up where a policy of the rows that are read leads to another field',
      { ORDER_NO: 'CITY' },
      wholeKey,
      ['ITEM if there is one', 'DELIVERY if there is one'],
    ],
  ])('are %s', (_, toCustomer, toItem, expected) => {
    expect(plansUnder(toCustomer, toItem)).toEqual(expected);
  });
});

describe('related rows beside those of a record', () => {
  const related = (record: string, ...relatedFields: readonly string[]): QueryMembers => ({
    record,
    fields: 'all',
    relatedFields,
  });

  it('are joined for the rows but not for the count', () => {
    const plan = rowsPlan({ ...related('ITEM', 'ORDER.MADE', 'ORDER.FREIGHT'), sort: '-AMOUNT', keyset: { skip: 0 } });
    expect([shape(plan.source), shape(plan.countSource)]).toEqual(['ITEM, ITEM -> ORDER', 'ITEM']);
    expect(plan.order).toEqual(rowsPlan({ record: 'ITEM', fields: 'all', sort: '-AMOUNT' }).order);
    expect(plan.related).toEqual([{ record: 'ORDER', column: 9 }]);
    expect(plan.places.map(({ column }) => column)).toEqual([2, 0, 1]);
  });

  it('use a requested key to show whether the related row exists', () => {
    expect(rowsPlan(related('ORDER', 'CUSTOMER.NAME', 'CUSTOMER.ID')).related).toEqual([
      { record: 'CUSTOMER', column: 5 },
    ]);
    expect(rowsPlan({ fields: ['ITEM.AMOUNT', 'ORDER.MADE'] }).related).toEqual([]);
  });

  it.each([
    ['several', related('ORDER', 'ITEM.AMOUNT'), 'ITEM cannot stand beside those of ORDER'],
    ['two steps away', related('ITEM', 'ORDER.MADE', 'CUSTOMER.NAME'), 'CUSTOMER cannot stand beside those of ITEM'],
    ['nowhere', related('ITEM', 'ISLAND.ID'), 'ISLAND cannot stand beside those of ITEM'],
  ])('are rejected when they are %s', (_where, question, detail) =>
    expect(planned(question)).toMatchObject({
      failure: { code: 'KM_JOIN_NOTFOUND', detail: expect.stringContaining(detail) },
    }),
  );

  it('add the weight of their formulas to the plan', () => {
    const [alone, both] = [related('ITEM'), related('ITEM', 'ORDER.MADE')].map((question) =>
      planWeightOf(rowsPlan(question)),
    );
    expect(both).toBeGreaterThan(alone ?? Number.NaN);
  });
});

describe('records without a join path', () => {
  it.each([
    [{ fields: ['ITEM.AMOUNT', 'ISLAND.ID'] }, 'ITEM and ISLAND'],
    [
      { record: 'ISLAND', fields: ['ID'], filterExpressions: ['ITEM.AMOUNT gt 1 or ORDER.FREIGHT gt 1'] },
      'ISLAND and ITEM and ORDER',
    ],
    [{ fields: ['ISLAND.ID'], kpis: ['FREIGHT'] }, 'ORDER and ISLAND'],
    [{ kpis: ['FREIGHT'], filterExpressions: ['ISLAND.ID eq 1'] }, 'ORDER and ISLAND'],
    [{ fields: ['ISLAND.ID'], filterExpressions: ['FREIGHT gt 1'] }, 'ORDER and ISLAND'],
  ] as const)('are named in the failure: %j', (question, names) => {
    const plan = planned(question);
    const missing = names.startsWith('ISLAND')
      ? 'ISLAND and ITEM, ORDER, CUSTOMER, DELIVERY or INVOICE'
      : 'ITEM, ORDER, CUSTOMER, DELIVERY or INVOICE and ISLAND';
    expect(plan).toEqual({
      ok: false,
      failure: {
        code: 'KM_JOIN_NOTFOUND',
        detail: `${names} are not related. A relationship would be needed between ${missing}.`,
      },
    });
  });
});
