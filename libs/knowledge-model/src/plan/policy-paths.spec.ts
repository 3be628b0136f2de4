import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition, PolicyDefinition } from '@tessera/contracts/knowledge-models';
import { checkModel, findOpenRecords, publicationFaultsOf } from '../check-model.js';
import { shopDefinition } from '../testing/shop-model.js';

type Members = Partial<KnowledgeModelDefinition>;

const shop = (policies: readonly PolicyDefinition[], members: Members = {}): KnowledgeModelDefinition => ({
  ...shopDefinition,
  ...members,
  policies: [...policies],
});
const faultsOf = (definition: KnowledgeModelDefinition, parent?: KnowledgeModelDefinition): readonly string[] =>
  publicationFaultsOf(checkModel(definition, new Map(parent && [[parent.id, parent]]))).map(
    ({ path, rule, message }) => `${path} ${rule}: ${message}`,
  );

const onOrders: PolicyDefinition = { record: 'ORDER', rows: 'FREIGHT gt 1' };

const open = (path: string, record: string, target: string, way: string): string =>
  `${path} MODEL_POLICY_MISSING: ${record} leads to ${target}, which has a policy, and has none of its own: who may not see a row ` +
  `of ${target} would see those of ${record} that belong to it (${way}). Add a policy of ${record} by fields of ${target}, as ` +
  `{ record: ${record}, rows: ${target}.FIELD in caller.ATTRIBUTE }, or { record: ${record}, rows: all } when everybody may see them`;

describe('a record that leads to one with a policy', () => {
  it('has to have one of its own, whatever the number of steps', () => {
    expect(faultsOf(shop([onOrders]))).toEqual([
      open('records.0', 'ITEM', 'ORDER', 'ITEM -> ORDER'),
      open('records.3', 'DELIVERY', 'ORDER', 'DELIVERY -> ITEM -> ORDER'),
      open('records.4', 'INVOICE', 'ORDER', 'INVOICE -> ORDER'),
    ]);
  });

  it('names the nearest of several', () => {
    const policies = [onOrders, { record: 'ITEM', rows: 'ORDER.FREIGHT gt 1' }, { record: 'INVOICE', rows: 'all' }];
    expect(faultsOf(shop(policies))).toEqual([open('records.3', 'DELIVERY', 'ITEM', 'DELIVERY -> ITEM')]);
  });

  it.each<[string, readonly PolicyDefinition[]]>([
    ['a policy of its own fields', [{ record: 'ITEM', rows: 'AMOUNT gt 1' }]],
    ['a policy of the fields of the other', [{ record: 'ITEM', rows: 'ORDER.FREIGHT gt 1', unless: { scope: 'x' } }]],
    ['a policy that says that everybody sees its rows', [{ record: 'ITEM', rows: ' all ' }]],
  ])('may have %s', (_what, policies) => {
    const others = ['DELIVERY', 'INVOICE'].map((record): PolicyDefinition => ({ record, rows: 'all' }));
    expect(faultsOf(shop([onOrders, ...policies, ...others]))).toEqual([]);
  });

  it('is not closed by a policy that only hides fields, and not opened by one', () => {
    const hidden = { record: 'ITEM', hide: ['AMOUNT'] };
    expect(faultsOf(shop([onOrders, hidden]))[0]).toBe(open('records.0', 'ITEM', 'ORDER', 'ITEM -> ORDER'));
    expect(faultsOf(shop([{ record: 'ORDER', hide: ['FREIGHT'] }], { kpis: [] }))).toEqual([]);
  });

  it('is none where the other says that everybody sees its rows, or is many rows away', () => {
    expect(faultsOf(shop([{ record: 'ORDER', rows: 'all' }]))).toEqual([]);
    expect(faultsOf(shop([{ record: 'DELIVERY', rows: 'QTY gt 1' }]))).toEqual([]);
  });

  it('is told where it stands in its own document, or where that extends another', () => {
    const parent = shop([]);
    const child: KnowledgeModelDefinition = {
      kind: 'KnowledgeModel',
      id: 'child',
      extends: 'shop',
      records: [{ id: 'INVOICE', name: 'Bill' }],
      policies: [onOrders],
    };
    expect(faultsOf(child, parent).map((text) => text.split(':')[0])).toEqual([
      'extends MODEL_POLICY_MISSING',
      'extends MODEL_POLICY_MISSING',
      'records.0 MODEL_POLICY_MISSING',
    ]);
  });

  it('does not keep a model from being asked, and is found without a whole check', () => {
    const checked = checkModel(shop([onOrders]), new Map());
    expect(checked).toMatchObject({ ok: true, openRecords: [{}, {}, {}] });
    expect(findOpenRecords(shop([onOrders]), new Map())).toEqual(checked.ok ? checked.openRecords : []);
    expect(findOpenRecords({ ...shop([onOrders]), extends: 'nowhere' }, new Map())).toEqual([]);
  });
});

describe('policies that read other records', () => {
  it.each<[string, readonly PolicyDefinition[], string]>([
    [
      'a hidden field',
      [
        { record: 'CUSTOMER', hide: ['CITY'], unless: { scope: 'x' } },
        { record: 'ORDER', rows: "CUSTOMER.CITY eq 'Rome'" },
      ],
      'policies.1.rows hidden: CUSTOMER.CITY is hidden by a policy, so that no policy of another record can read it; choose rows of ORDER by another field',
    ],
    [
      'a field that is computed from a hidden one',
      [
        { record: 'ORDER', rows: "CUSTOMER.PLACE eq 'ROME'" },
        { record: 'CUSTOMER', hide: ['CITY'] },
      ],
      'policies.0.rows hidden: CUSTOMER.PLACE is hidden by a policy, so that no policy of another record can read it; choose rows of ORDER by another field',
    ],
  ])('cannot read %s', (_what, policies, told) => {
    expect(faultsOf(shop(policies, { kpis: [] }))).toEqual([told]);
  });

  it('may read hidden fields of their own record', () => {
    const policies = [
      { record: 'CUSTOMER', rows: "CITY eq 'Rome'", hide: ['CITY'] },
      { record: 'ORDER', rows: 'all' },
    ];
    const others = ['ITEM', 'DELIVERY', 'INVOICE'].map((record): PolicyDefinition => ({ record, rows: 'all' }));
    expect(faultsOf(shop([...policies, ...others], { kpis: [] }))).toEqual([]);
  });

  it('cannot read each other in a circle', () => {
    const relationships = [
      { from: 'ITEM', to: 'ORDER', on: { ORDER_NO: 'ORDER_NO' }, cardinality: 'many-to-one' as const },
      { from: 'ORDER', to: 'INVOICE', on: { ORDER_NO: 'ORDER_NO' }, cardinality: 'one-to-one' as const },
    ];
    const policies = [
      { record: 'ITEM', rows: 'INVOICE.TOTAL gt 1' },
      { record: 'INVOICE', rows: 'ORDER.FREIGHT gt 1' },
      { record: 'ORDER', rows: 'INVOICE.PAID eq true' },
    ];
    expect(faultsOf(shop(policies, { relationships, kpis: [], filters: [] }))).toEqual([
      'policies.2.rows circle: the policies read each other in a circle: ORDER -> INVOICE -> ORDER',
    ]);
  });

  it('cannot look up more rows than a question can hold', () => {
    const levels = Array.from({ length: 8 }, (_, level) => ['A', 'B'].map((side) => `${side}${level}`));
    const next = (level: number): readonly string[] => levels[level + 1] ?? [];
    const definition: KnowledgeModelDefinition = {
      kind: 'KnowledgeModel',
      id: 'wide',
      source: { schema: 's' },
      records: levels.flat().map((id) => ({
        id,
        table: id,
        identifier: ['ID'],
        attributes: [{ id: 'ID', column: 'id' }, ...['A', 'B'].map((side) => ({ id: `TO_${side}`, column: side }))],
      })),
      relationships: levels.flatMap((ids, level) =>
        ids.flatMap((from) =>
          next(level).map((to) => ({
            ...{ from, to, on: { [`TO_${to.slice(0, 1)}`]: 'ID' } },
            cardinality: 'many-to-one' as const,
          })),
        ),
      ),
      policies: levels.flatMap((ids, level) =>
        ids.map((record) => ({
          record,
          rows:
            next(level)
              .map((to) => `${to}.ID ne 'x'`)
              .join(' and ') || "ID ne 'x'",
        })),
      ),
    };
    expect(faultsOf(definition)).toEqual([
      'policies.4.rows size: with the policies of the records that it names the policies of A2 look up 62 rows for each row; at most 50 are possible',
    ]);
  });
});
