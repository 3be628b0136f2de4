import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import {
  createQuery,
  fullAccessCaller,
  restrictedCaller,
  purchaseDefinition,
  purchaseModel,
  purchaseViewFor,
  refusalMessagesFor,
  createCheckedModel,
} from '../testing/purchase-model.js';
import { createCallerView, callerViewCacheKey } from './caller-view.js';
import type { DataQuery, QueryCaller } from './data-query.js';
import { resolveQuery } from './resolve-query.js';

const caller = (members: Partial<QueryCaller>): QueryCaller => ({ ...restrictedCaller, ...members });
const withAttributes = (attributes: QueryCaller['attributes']) => caller({ attributes });

describe('the view of a caller', () => {
  it('leaves out hidden fields, and all fields and KPIs that read them', () => {
    const { model, hiddenFields, names } = purchaseViewFor(restrictedCaller);
    expect(hiddenFields).toEqual(['ITEM.BANK', 'ITEM.BRANCH', 'ITEM.BRANCH_LENGTH', 'ORDER.URGENT']);
    expect(model.recordById.get('ITEM')?.fields.map(({ id }) => id)).toEqual([
      'ORDER_NO',
      'ITEM_NO',
      'AMOUNT',
      'PLANT',
      'DUE',
      'NOTE',
      'SIZE',
      'LATE',
    ]);
    expect(model.recordById.get('ITEM')?.fieldById.has('BANK')).toBe(false);
    expect(model.records.find(({ id }) => id === 'ITEM')).toBe(model.recordById.get('ITEM'));
    expect([...model.kpiById.keys()]).toEqual(['ORDER_VALUE', 'INVOICED', 'INVOICED_SHARE']);
    expect(model.kpis.map(({ id }) => id)).toEqual([...model.kpiById.keys()]);
    expect(model.filters.map(({ id }) => id)).toEqual([
      'LARGE',
      'VALUABLE',
      'VALUABLE_OR_OURS',
      'VALUABLE_AND_OURS',
      'NOTED',
    ]);
    expect([...names.filters.keys()]).toEqual(model.filters.map(({ id }) => id));
    expect([...names.kpis.keys()]).toEqual([...model.kpiById.keys()]);
    expect(model.policies).toEqual([]);
  });

  it('hides nothing from callers with the scopes of the policies', () => {
    const view = purchaseViewFor(fullAccessCaller);
    expect(view.hiddenFields).toEqual([]);
    expect(view.model.records).toBe(purchaseModel.model.records);
    expect(view.names).toBe(purchaseModel.names);
  });

  it('shares what is seen among callers of whom only the rows differ', () => {
    const [one, other] = [['1000'], ['2000']].map((companies) =>
      createCallerView(purchaseModel, withAttributes({ companies })),
    );
    expect(one?.policies.get('ORDER')).not.toEqual(other?.policies.get('ORDER'));
    expect(one?.hiddenFields).not.toEqual([]);
    expect(one?.names).toBe(other?.names);
    expect(one?.model).toBe(other?.model);
    expect(one?.names).not.toBe(purchaseViewFor(fullAccessCaller).names);
  });

  it('keeps the formulas of hidden fields for policies, keys and identifiers', () => {
    const { formulas, policies } = purchaseViewFor(restrictedCaller);
    expect(formulas.fields.get('ITEM')?.has('BANK')).toBe(true);
    expect(policies.get('ITEM')).toMatchObject([
      { filter: { kind: 'not', operand: { operand: { field: { field: 'BANK' } } } }, parents: [] },
    ]);
  });

  it('has the active policies, typed with the attributes of the caller', () => {
    const { policies, policyTexts } = purchaseViewFor(restrictedCaller);
    expect(policyTexts).toEqual([
      { record: 'ITEM', rows: "BANK ne 'closed'" },
      { record: 'ORDER', rows: 'ORDER.COMPANY in caller.companies' },
      { record: 'ORDER', rows: 'YEAR ge caller.since' },
    ]);
    expect(policies.get('ORDER')).toMatchObject([
      {
        filter: { kind: 'compare', operator: 'eq', operand: { field: { field: 'COMPANY' } }, value: { text: '1000' } },
      },
      { filter: { kind: 'compare', operator: 'ge', value: { kind: 'integer', text: '2020' } } },
    ]);
    expect([...purchaseViewFor(fullAccessCaller).policies.keys()]).toEqual(['ITEM']);
  });
});

describe('an attribute of the caller', () => {
  const companies = (value: unknown) =>
    purchaseViewFor(withAttributes({ companies: value, since: 1 })).policies.get('ORDER')?.[0]?.filter;
  const nothing = { kind: 'constant', value: false };

  it.each([
    ['a', { kind: 'compare', value: { text: 'a' } }],
    [5, { kind: 'compare', value: { text: '5' } }],
    [0.5, { kind: 'compare', value: { text: '0.5' } }],
    [true, { kind: 'compare', value: { text: 'true' } }],
    [['b', 5, false, 'b'], { kind: 'in', values: [{ text: '5' }, { text: 'b' }, { text: 'false' }] }],
  ])('is used as a value when it is %j', (value, filter) => {
    expect(companies(value)).toMatchObject(filter);
  });

  it.each([[undefined], [null], [{}], [[{}]], [['a', null]], [[['a']]], [Number.NaN], [Infinity], [() => 'a']])(
    'matches no row when it is %p',
    (value) => {
      expect(companies(value)).toEqual(nothing);
    },
  );

  it('matches no row when it is missing or of another type', () => {
    const since = (value: unknown) =>
      purchaseViewFor(withAttributes({ since: value })).policies.get('ORDER')?.[1]?.filter;
    expect(since('many')).toEqual(nothing);
    expect(since([1, 2])).toEqual(nothing);
    expect(since([7, '7'])).toMatchObject({ value: { text: '7' } });
    expect(purchaseViewFor(withAttributes({})).policies.get('ORDER')).toMatchObject([
      { filter: nothing },
      { filter: nothing },
    ]);
  });

  it('matches no row when it is an empty list', () => {
    expect(companies([])).toEqual(nothing);
  });

  it('is read only from own properties, not from the prototype', () => {
    const definition = {
      ...purchaseDefinition,
      policies: [{ record: 'ORDER', rows: 'COMPANY ne caller.constructor' }],
    };
    const view = createCallerView(createCheckedModel(definition), restrictedCaller);
    expect(view.policies.get('ORDER')).toMatchObject([{ filter: nothing }]);
  });
});

describe('the key of a view', () => {
  const keyOf = (members: Partial<QueryCaller>) => callerViewCacheKey(purchaseModel, caller(members));

  it('is the same for callers who see the same fields and rows', () => {
    const key = keyOf({});
    expect(keyOf({ scopes: ['knowledge-models:read', 'other'] })).toBe(key);
    expect(keyOf({ attributes: { companies: '1000', since: '2020', other: 1 } })).toBe(key);
    expect(keyOf({ attributes: { since: [2020, 2020], companies: ['1000', 1000] } })).toBe(key);
    const all = { scopes: ['all:read'] };
    expect(keyOf({ ...all, attributes: { companies: ['7'] } })).toBe(keyOf({ ...all, attributes: {} }));
  });

  it('differs for callers who see different fields or rows', () => {
    const keys = [
      keyOf({}),
      keyOf({ scopes: ['finance:read'] }),
      keyOf({ scopes: ['all:read'] }),
      keyOf({ scopes: ['all:read', 'finance:read'] }),
      keyOf({ attributes: {} }),
      keyOf({ attributes: { companies: [], since: 2020 } }),
      keyOf({ attributes: { companies: ['1000,2000'], since: 2020 } }),
      keyOf({ attributes: { companies: ['1000', '2000'], since: 2020 } }),
      keyOf({ attributes: { companies: ['2020'], since: 1000 } }),
      keyOf({ attributes: { companies: ['1000'], since: 2021 } }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('does not depend on which policy hides a field or filters rows', () => {
    const twice: KnowledgeModelDefinition = {
      ...purchaseDefinition,
      policies: [
        { record: 'ITEM', hide: ['BANK', 'NOTE'], rows: 'AMOUNT gt 1', unless: { scope: 'a' } },
        { record: 'ITEM', hide: ['NOTE', 'BANK'], unless: { scope: 'b' } },
        { record: 'ORDER', rows: 'YEAR gt 1', unless: { scope: 'a' } },
        { record: 'ORDER', rows: 'YEAR gt 1', unless: { scope: 'b' } },
        { record: 'ITEM', rows: 'AMOUNT gt 1', unless: { scope: 'b' } },
      ],
    };
    const model = createCheckedModel(twice);
    const [a, b] = ['a', 'b'].map((scope) => ({ scopes: [scope], attributes: {} }));
    if (!a || !b) throw new Error('There are two callers.');
    expect(callerViewCacheKey(model, a)).toBe(callerViewCacheKey(model, b));
    expect(createCallerView(model, a)).toEqual(createCallerView(model, b));
    expect(callerViewCacheKey(model, { scopes: ['a', 'b'], attributes: {} })).not.toBe(callerViewCacheKey(model, a));
  });
});

describe('a hidden field', () => {
  const hidden = [
    'BANK',
    'BRANCH',
    'BRANCH_LENGTH',
    'BRANCHES',
    'BRANCH_SHARE',
    'BANKED',
    'WITH_BANK',
    'WITH_BRANCHES',
    'URGENT',
  ];
  const without = (entries: readonly { readonly id: string }[] | undefined) =>
    entries?.filter(({ id }) => !hidden.includes(id));
  /** As if nobody had ever thought of it. */
  const bare = createCheckedModel({
    ...purchaseDefinition,
    records: purchaseDefinition.records?.map((record) => ({
      ...record,
      attributes: record.attributes?.filter(({ id }) => !hidden.includes(id)),
      augmentedAttributes: record.augmentedAttributes?.filter(({ id }) => !hidden.includes(id)),
    })),
    kpis: purchaseDefinition.kpis?.filter(({ id }) => !hidden.includes(id)),
    filters: purchaseDefinition.filters?.filter(({ id }) => !hidden.includes(id)),
    policies: [],
  });
  const [seen, never] = [purchaseViewFor(restrictedCaller), createCallerView(bare, restrictedCaller)];

  const names = hidden.flatMap((name) => [
    name,
    name.toLowerCase(),
    `${name}S`,
    name.slice(1),
    `ITEM.${name}`,
    `ORDER.${name}x`,
    `ITM.${name}`,
  ]);
  const questions = names.flatMap((name): Partial<DataQuery>[] => [
    { record: 'ITEM', fields: [name] },
    { record: 'ORDER', fields: [name] },
    { record: name, fields: 'all' },
    { fields: [name] },
    { kpis: [name] },
    { fields: ['ITEM.PLANT'], filterIds: [name] },
    { record: 'ITEM', fields: 'all', filterExpressions: [`${name} eq 1`] },
    { record: 'ITEM', fields: 'all', filterExpressions: [`PLANT eq ${name}`, 'PLANT'] },
    { fields: ['ITEM.PLANT'], filterExpressions: [`${name} eq null or ITEM.PLANT eq 1`] },
    { record: 'ITEM', fields: 'all', search: { term: 'a', precision: 80, fields: [name] } },
    { record: 'ITEM', fields: 'all', sort: name },
    { fields: ['ITEM.PLANT'], sort: name },
  ]);

  it('is rejected as if it did not exist', () => {
    for (const question of questions) {
      const told = refusalMessagesFor(seen, question);
      expect(told).toEqual(refusalMessagesFor(never, question));
      expect(told.length).toBeGreaterThan(1);
    }
  });

  it('is neither in the list of all fields nor searched', () => {
    const asked = createQuery({ record: 'ITEM', fields: 'all', search: { term: 'a', precision: 80 } });
    const [mine, theirs] = [resolveQuery(seen, asked), resolveQuery(never, asked)];
    if (!mine.ok || !theirs.ok) throw new Error('Everything that is left can be asked for.');
    expect(mine.value.columns).toEqual(theirs.value.columns);
    expect(mine.value.search).toEqual(theirs.value.search);
    expect(without([...(seen.names.fields.get('ITEM')?.keys() ?? [])].map((id) => ({ id })))).toHaveLength(8);
  });
});
