import { describe, expect, it } from '@jest/globals';
import { digestDefinition } from '@tessera/contracts';
import type { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import fc from 'fast-check';
import { checkModel } from '../check-model.js';
import { compareModels, compareTables } from './compare-definitions.js';

const largeFilter = { id: 'LARGE', expression: 'ITEM.AMOUNT gt 10' };
const model: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'sales',
  source: { schema: 's' },
  records: [
    {
      id: 'ITEM',
      table: 'item',
      identifier: ['NO', 'LINE'],
      attributes: [
        { id: 'NO', column: 'no' },
        { id: 'LINE', column: 'line', type: 'integer' },
        { id: 'AMOUNT', column: 'amount', type: 'float', unit: 'EUR' },
      ],
      augmentedAttributes: [{ id: 'TWICE', expression: 'AMOUNT * 2' }],
      flags: [{ id: 'LARGE', expression: 'AMOUNT > 10' }],
    },
    { id: 'ORDER', table: 'order', identifier: ['NO'], attributes: [{ id: 'NO', column: 'no' }] },
  ],
  relationships: [{ from: 'ITEM', to: 'ORDER', on: { NO: 'NO' }, cardinality: 'many-to-one' }],
  kpis: [
    { id: 'VALUE', expression: 'sum(ITEM.AMOUNT)', unit: 'EUR' },
    { id: 'ITEMS', expression: 'count(ITEM.*)' },
  ],
  filters: [largeFilter],
  policies: [{ record: 'ITEM', rows: "NO ne 'x'" }],
};
type Members = Partial<KnowledgeModelDefinition>;

const stateOf = (definition: KnowledgeModelDefinition, bases: readonly KnowledgeModelDefinition[] = []) => {
  const checked = checkModel(definition, new Map([definition, ...bases].map((each) => [each.id, each])));
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults, undefined, 1));
  return { definition, checked };
};
/** `! ` before what breaks. */
const shown = (changes: ReturnType<typeof compareModels>): readonly string[] =>
  changes.map(({ path, change, breaks }) => `${breaks ? '! ' : ''}${change} ${path}`);
const changesTo = (members: Members): readonly string[] =>
  shown(compareModels(stateOf(model), stateOf({ ...model, ...members })));

type RecordMembers = Partial<NonNullable<Members['records']>[number]>;
const [item, order] = model.records ?? [];
const withItem = (members: RecordMembers): Members => ({
  records: [{ id: 'ITEM', ...item, ...members }, ...(order ? [order] : [])],
});
const [no, line, amount] = item?.attributes ?? [];
const withAmount = (members: Partial<NonNullable<typeof amount>>): Members =>
  withItem({ attributes: [no, line, { id: 'AMOUNT', ...amount, ...members }].flatMap((field) => field ?? []) });

describe('changes of a model', () => {
  it('are empty for another order of members, or for null instead of a missing member', () => {
    const [first, ...others] = Object.entries(model);
    const same = { ...Object.fromEntries(others), ...Object.fromEntries([first ?? []]), extends: null };
    const definition: KnowledgeModelDefinition = { ...model, ...same };
    expect(compareModels(stateOf(model), stateOf(definition))).toEqual([]);
    expect(digestDefinition(definition)).toEqual(digestDefinition(model));
  });

  it.each<[string, Members, readonly string[]]>([
    ['a name', { name: 'Sales' }, ['added name']],
    ['a unit', withAmount({ unit: 'USD' }), ['changed records.ITEM.attributes.AMOUNT.unit']],
    ['the column of a field', withAmount({ column: 'net' }), ['changed records.ITEM.attributes.AMOUNT.column']],
    [
      'a new field',
      withItem({ flags: [...(item?.flags ?? []), { id: 'SMALL', expression: 'not LARGE' }] }),
      ['added records.ITEM.flags.SMALL'],
    ],
    [
      'a formula that gives the same type',
      { kpis: [{ id: 'VALUE', expression: 'max(ITEM.AMOUNT)', unit: 'EUR' }, ...(model.kpis?.slice(1) ?? [])] },
      ['changed kpis.VALUE.expression'],
    ],
    ['another order of entries', { kpis: model.kpis?.toReversed() ?? [] }, ['changed kpis']],
    ['other rows of a policy', { policies: [{ record: 'ITEM', rows: "NO ne 'y'" }] }, ['changed policies.ITEM.rows']],
    [
      'a second policy of a record',
      { policies: [{ record: 'ITEM', rows: "NO ne 'y'" }, ...(model.policies ?? [])] },
      ['added policies.ITEM'],
    ],
    [
      'a key of a relationship',
      { relationships: [{ from: 'ITEM', to: 'ORDER', on: { NO: 'NO' }, cardinality: 'many-to-many' }] },
      ['changed relationships.ITEM->ORDER.cardinality'],
    ],
    [
      'an attribute that becomes a formula of the same type',
      {
        ...withItem({
          attributes: [no, line, { id: 'NET', column: 'amount', type: 'float' } as const].flatMap(
            (field) => field ?? [],
          ),
          augmentedAttributes: [
            { id: 'AMOUNT', expression: 'NET * 1' },
            { id: 'TWICE', expression: 'AMOUNT * 2' },
          ],
        }),
      },
      [
        'removed records.ITEM.attributes.AMOUNT',
        'added records.ITEM.attributes.NET',
        'added records.ITEM.augmentedAttributes.AMOUNT',
      ],
    ],
    ['a rollup', { rollups: [{ id: 'BY_NO', fields: ['ITEM.NO'], kpis: ['VALUE'] }] }, ['added rollups']],
    [
      'what else people call things',
      { ...withAmount({ synonyms: ['Betrag', 'sum'] }), filters: [{ ...largeFilter, synonyms: ['gross'] }] },
      ['added records.ITEM.attributes.AMOUNT.synonyms', 'added filters.LARGE.synonyms'],
    ],
  ])('that break nothing: %s', (_what, members, expected) => {
    expect(changesTo(members)).toEqual(expected);
  });

  it.each<[string, Members, readonly string[]]>([
    ['a flag that is gone', withItem({ flags: [] }), ['! removed records.ITEM.flags.LARGE']],
    [
      'formulas that are gone, with their list',
      withItem({ augmentedAttributes: undefined }),
      ['! removed records.ITEM.augmentedAttributes'],
    ],
    [
      'a type, also of the formulas that read the field, whose own texts stay',
      withAmount({ type: 'integer' }),
      [
        '! changed records.ITEM.attributes.AMOUNT.type',
        '! changed records.ITEM.augmentedAttributes.TWICE.type',
        '! changed kpis.VALUE.expression',
      ],
    ],
    ['numbers that become strings', withAmount({ exact: true }), ['! added records.ITEM.attributes.AMOUNT.exact']],
    ['no more filtering', withAmount({ filterable: false }), ['! added records.ITEM.attributes.AMOUNT.filterable']],
    ['no more sorting', withAmount({ sortable: false }), ['! added records.ITEM.attributes.AMOUNT.sortable']],
    ['another identifier', withItem({ identifier: ['LINE', 'NO'] }), ['! changed records.ITEM.identifier']],
    ['a KPI that is gone', { kpis: model.kpis?.slice(0, 1) }, ['! removed kpis.ITEMS']],
    ['filters that are gone', { filters: undefined }, ['! removed filters']],
    [
      'a record that is gone, with its relationship',
      { records: model.records?.slice(0, 1), relationships: [] },
      ['! removed records.ORDER', '! removed relationships.ITEM->ORDER'],
    ],
    [
      'a field that is newly hidden',
      { policies: [...(model.policies ?? []), { record: 'ITEM', hide: ['AMOUNT'] }] },
      ['! added policies.ITEM'],
    ],
    [
      'a field that is hidden from more callers',
      { policies: [{ record: 'ITEM', rows: "NO ne 'x'", hide: ['AMOUNT'] }], name: 'Sales' },
      ['! added policies.ITEM.hide', 'added name'],
    ],
  ])('that break: %s', (_what, members, expected) => {
    expect(changesTo(members)).toEqual(expected);
  });

  it('report what another base breaks, and ignore redundant overrides', () => {
    const child: KnowledgeModelDefinition = {
      kind: 'KnowledgeModel',
      id: 'child',
      extends: 'sales',
      kpis: [{ id: 'VALUE', name: 'Value' }],
    };
    const other: KnowledgeModelDefinition = { ...model, id: 'other', kpis: model.kpis?.slice(0, 1) };
    const before = stateOf(child, [model]);
    expect(shown(compareModels(before, stateOf({ ...child, extends: 'other' }, [other])))).toEqual([
      '! removed kpis.ITEMS',
      'changed extends',
    ]);
    expect(shown(compareModels(before, stateOf({ ...child, kpis: [] }, [model])))).toEqual(['removed kpis.VALUE']);
  });

  it('are listed without severity when the previous model has faults', () => {
    const before = { ...model, kpis: [{ id: 'VALUE', expression: 'sum(NOWHERE.X)' }] };
    expect(shown(compareModels({ definition: before }, stateOf(model)))).toEqual([
      'changed kpis.VALUE.expression',
      'added kpis.VALUE.unit',
      'added kpis.ITEMS',
    ]);
  });

  it('are at most 200, breaking changes first', () => {
    const kpis = Array.from({ length: 250 }, (_, index) => ({ id: `K${index}`, expression: 'count(ITEM.*)' }));
    const changes = changesTo({ kpis: [...(model.kpis?.slice(0, 1) ?? []), ...kpis] });
    expect([changes.length, changes[0], changes[1]]).toEqual([200, '! removed kpis.ITEMS', 'added kpis.K0']);
  });

  it('are found if and only if the digest differs', () => {
    const name = fc.option(fc.constantFrom('a', 'b'), { nil: undefined });
    const entry = fc.record({ id: fc.constantFrom('A', 'B', 'C'), name, unit: name }, { requiredKeys: ['id'] });
    const policy = fc.record({ record: fc.constantFrom('A', 'B'), rows: fc.constantFrom('x', 'y') });
    const definitions = fc.record({
      name,
      kpis: fc.array(entry, { maxLength: 4 }),
      filters: fc.option(
        fc.array(
          entry.map(({ id }) => ({ id })),
          { maxLength: 2 },
        ),
        { nil: undefined },
      ),
      policies: fc.array(policy, { maxLength: 3 }),
    });
    const property = fc.property(definitions, definitions, (left, right) => {
      const [before, after] = [left, right].map(
        (members) => ({ kind: 'KnowledgeModel', id: 'm', ...members }) as const,
      );
      if (!before || !after) return;
      const isSame = digestDefinition(before) === digestDefinition(after);
      expect(compareModels({ definition: before }, { definition: after }).length === 0).toBe(isSame);
    });
    fc.assert(property, { numRuns: 500 });
  });
});

describe('changes of a table', () => {
  const table: TableDefinition = {
    kind: 'Table',
    schema: 's',
    id: 'item',
    primaryKey: ['no'],
    columns: [
      { id: 'no', type: 'string' },
      { id: 'amount', type: 'float', nullable: false },
    ],
  };
  const [key] = table.columns;

  it.each<[string, Partial<TableDefinition>, readonly string[]]>([
    ['a new column', { columns: [...table.columns, { id: 'note', type: 'string' }] }, ['added columns.note']],
    ['a file', { source: { file: 'item.csv' } }, ['added source']],
    ['a column that is gone', { columns: key ? [key] : [] }, ['! removed columns.amount']],
    [
      'another type',
      { columns: [...(key ? [key] : []), { id: 'amount', type: 'integer', nullable: false }] },
      ['! changed columns.amount.type'],
    ],
    [
      'a column that may be without a value',
      { columns: [...(key ? [key] : []), { id: 'amount', type: 'float' }] },
      ['! removed columns.amount.nullable'],
    ],
    ['a key that is gone', { primaryKey: undefined }, ['! changed columns.no.nullable', 'removed primaryKey']],
  ])('tell %s', (_what, members, expected) => {
    expect(shown(compareTables(table, { ...table, ...members }))).toEqual(expected);
  });
});
