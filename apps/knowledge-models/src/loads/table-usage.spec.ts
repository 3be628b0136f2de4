import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { checkModel } from '@tessera/knowledge-model';
import { collectTableUsage } from './table-usage.js';

const parent: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'base',
  source: { schema: 's' },
  records: [
    {
      id: 'ITEM',
      table: 'item',
      identifier: ['NO', 'LINE'],
      attributes: [
        { id: 'NO', column: 'order_no' },
        { id: 'LINE', column: 'item_no', type: 'integer' },
        { id: 'DAY', column: 'ordered_on', type: 'date', nullable: false, sortable: true },
        { id: 'AMOUNT', column: 'amount', type: 'float' },
      ],
      augmentedAttributes: [{ id: 'BIG', expression: 'AMOUNT > 100', sortable: true }],
    },
    { id: 'ORDER', table: 'order', identifier: ['ID'], attributes: [{ id: 'ID', column: 'id' }] },
  ],
  relationships: [
    { from: 'ITEM', to: 'ORDER', on: { NO: 'ID' }, cardinality: 'many-to-one' },
    { from: 'ITEM', to: 'ORDER', on: { BIG: 'ID' }, cardinality: 'many-to-one' },
  ],
};
const usage = (table: string, ...definitions: readonly KnowledgeModelDefinition[]) =>
  collectTableUsage(
    new Map(definitions.map((definition) => [definition.id, { definition, checked: { policies: [] } }])),
    's',
    table,
  );

describe('the usage of a table by models', () => {
  it('lists identifiers, relationships, searched texts, sorts and nullable columns', async () => {
    expect(await usage('item', parent)).toEqual({
      identifiers: [['order_no', 'item_no']],
      relationships: [['order_no']],
      policies: [],
      searches: ['order_no'],
      sorts: [['ordered_on', 'order_no', 'item_no']],
      nullable: new Set(['amount']),
    });
    expect(await usage('order', parent)).toMatchObject({
      identifiers: [['id']],
      relationships: [['id'], ['id']],
      sorts: [],
    });
  });

  it('lists what policies of other records compare, with the key that they find the row by', async () => {
    const definition: KnowledgeModelDefinition = {
      ...parent,
      records: (parent.records ?? []).map((record) =>
        record.id === 'ORDER'
          ? { ...record, attributes: [...(record.attributes ?? []), { id: 'COUNTRY', column: 'ship_country' }] }
          : record,
      ),
      policies: [{ record: 'ITEM', rows: "ORDER.COUNTRY in caller.countries and LINE gt 1 or ORDER.COUNTRY eq 'DE'" }],
    };
    const checked = checkModel({ ...definition, relationships: definition.relationships?.slice(0, 1) }, new Map());
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    const models = new Map([['base', { definition, checked }]]);
    expect((await collectTableUsage(models, 's', 'order')).policies).toEqual([['ship_country', 'id']]);
    expect((await collectTableUsage(models, 's', 'item')).policies).toEqual([]);
  });

  it('combines all models, including inherited members', async () => {
    const child: KnowledgeModelDefinition = {
      kind: 'KnowledgeModel',
      id: 'child',
      extends: 'base',
      records: [
        {
          id: 'ITEM',
          attributes: [
            { id: 'AMOUNT', sortable: true },
            { id: 'DAY', sortable: false },
          ],
        },
      ],
    };
    expect((await usage('item', child, parent)).sorts).toEqual([
      ['amount', 'order_no', 'item_no'],
      ['ordered_on', 'order_no', 'item_no'],
    ]);
  });

  it('ignores other schemas, external databases and models without their base', async () => {
    const nothing = { identifiers: [], relationships: [], policies: [], searches: [], sorts: [], nullable: new Set() };
    expect(await usage('item', { ...parent, source: { schema: 'other' } })).toEqual(nothing);
    expect(await usage('item', { ...parent, source: { schema: 's', database: 'erp' } })).toEqual(nothing);
    expect(await usage('item', { ...parent, extends: 'nowhere' })).toEqual(nothing);
    expect(await usage('nothing', parent)).toEqual(nothing);
  });

  it('resolves each model once, whatever tables are asked for', async () => {
    let reads = 0;
    const definition: KnowledgeModelDefinition = {
      ...parent,
      get records() {
        reads += 1;
        return parent.records;
      },
    };
    const models = new Map([[parent.id, { definition, checked: { policies: [] } }]]);
    expect((await collectTableUsage(models, 's', 'item')).sorts).toHaveLength(1);
    const readsOfOneTable = reads;
    expect((await collectTableUsage(models, 's', 'order')).relationships).toHaveLength(2);
    expect([readsOfOneTable > 0, reads - readsOfOneTable]).toEqual([true, 0]);
  });
});
