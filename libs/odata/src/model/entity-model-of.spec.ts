/** The entity data model of a view: keys, types, names, navigation. */
import { describe, expect, it } from '@jest/globals';
import type { CallerView } from '@tessera/knowledge-model';
import { ordersDefinition, viewOf } from '../testing/sample-views.js';
import { entityModelOf } from './entity-model-of.js';
import { type EntityType, findEntityType } from './entity-model.js';

const view = viewOf(ordersDefinition);
const model = entityModelOf(view);
const all = entityModelOf(viewOf(ordersDefinition, ['secrets']));
const typeOf = (record: string, of = model): EntityType => {
  const type = of.typeByRecord.get(record);
  if (!type) throw new Error(`There is no ${record}.`);
  return type;
};
const names = (entries: readonly { readonly name: string }[]): readonly string[] => entries.map(({ name }) => name);

describe('an entity type', () => {
  it('is named as its record, and escaped where the schema has the name or OData does not know its letters', () => {
    expect(model.types.map(({ name, setName, label }) => [name, setName, label])).toEqual([
      ['ITEM', 'ITEM_entries', 'Order item'],
      ['_x0043_ontainer', '_x0043_ontainer_entries', 'Order'],
      ['SUPPLIER', 'SUPPLIER_entries', 'SUPPLIER'],
      ['DELIVERY_x002D_NOTE', 'DELIVERY_x002D_NOTE_entries', 'DELIVERY-NOTE'],
    ]);
  });

  it('has the identifier as its key, in its order, and the fields that the caller sees', () => {
    const item = typeOf('ITEM');
    expect(names(item.key)).toEqual(['ORDER_NO', 'ITEM_x002D_NO']);
    expect(names(item.properties)).not.toContain('SECRET');
    expect(names(item.properties)).not.toContain('HINT');
    expect(names(typeOf('ITEM', all).properties)).toContain('HINT');
    expect([...item.propertyByName.keys()]).toEqual(names(item.properties));
  });

  it('has the KPIs whose rows are related, those of hidden fields left out, under names that no property has', () => {
    const kpisOf = (type: EntityType) => type.kpis.map(({ name, id, edmType }) => [name, id, edmType]);
    const seen = [
      ['ITEM_x002D_COUNT', 'ITEM-COUNT', 'Edm.Int64'],
      ['_x0041_MOUNT', 'AMOUNT', 'Edm.Decimal'],
    ];
    expect(kpisOf(typeOf('ITEM'))).toEqual(seen);
    expect(kpisOf(typeOf('ITEM', all))).toEqual([...seen, ['HINTS', 'HINTS', 'Edm.Int64']]);
    expect(names(typeOf('SUPPLIER').kpis)).toEqual(['ITEM_x002D_COUNT', 'AMOUNT']);
    const apart = entityModelOf(viewOf({ ...ordersDefinition, relationships: [] }));
    expect(names(typeOf('SUPPLIER', apart).kpis)).toEqual([]);
  });

  it('has no key when one of the fields of the identifier is not seen, and is not there without any field', () => {
    const without = (fields: readonly string[]): CallerView => ({
      ...view,
      names: {
        ...view.names,
        fields: new Map(
          [...view.names.fields].map(([record, of]) => [
            record,
            new Map([...of].filter(([id]) => record !== 'ITEM' || !fields.includes(id))),
          ]),
        ),
      },
    });
    const keyless = typeOf('ITEM', entityModelOf(without(['ITEM-NO'])));
    expect(keyless.key).toEqual([]);
    expect(names(keyless.properties)).toContain('ORDER_NO');
    const empty = entityModelOf(without([...(view.names.fields.get('ITEM')?.keys() ?? [])]));
    expect(names(empty.types)).not.toContain('ITEM');
    expect(empty.types.flatMap(({ navigation }) => navigation).map(({ record }) => record)).not.toContain('ITEM');
  });

  it('types its properties', () => {
    const item = typeOf('ITEM');
    expect(item.properties.map(({ name, edmType, nullable, exact }) => [name, edmType, nullable, exact])).toEqual([
      ['AMOUNT', 'Edm.Double', true, false],
      ['ORDER_NO', 'Edm.String', false, false],
      ['ITEM_x002D_NO', 'Edm.Int64', false, false],
      ['EXACT', 'Edm.Decimal', true, true],
      ['QTY', 'Edm.Int64', false, true],
      ['OPEN', 'Edm.Boolean', true, false],
      ['DAY', 'Edm.Date', true, false],
      ['CLOCK', 'Edm.TimeOfDay', true, false],
      ['AT', 'Edm.DateTimeOffset', true, false],
      ['MOMENT', 'Edm.DateTimeOffset', true, false],
      ['SUPPLIER', 'Edm.Double', true, false],
      ['PARENT', 'Edm.Int64', true, false],
      ['SIZE', 'Edm.String', false, false],
      ['SMALL', 'Edm.Boolean', false, false],
    ]);
    expect(typeOf('SUPPLIER').key[0]).toMatchObject({ edmType: 'Edm.Decimal', exact: false, nullable: false });
  });

  it('describes its properties and capabilities', () => {
    const { propertyByName } = typeOf('ITEM');
    expect(propertyByName.get('AMOUNT')).toMatchObject({ unit: 'EUR', format: ',.2f', description: 'Net amount' });
    expect(propertyByName.get('ORDER_NO')?.label).toBe('Order number');
    expect(propertyByName.get('OPEN')).toMatchObject({ filterable: false, sortable: true });
    expect(propertyByName.get('DAY')).toMatchObject({ filterable: true, sortable: false });
  });
});

describe('navigation', () => {
  it('goes along relationships in both directions, under a name that no field has', () => {
    expect(typeOf('ITEM').navigation).toEqual([
      {
        name: 'Container',
        record: 'Container',
        isCollection: false,
        isOptional: false,
        keys: [{ property: 'ORDER_NO', referenced: 'ORDER_NO' }],
      },
      {
        name: '_x0053_UPPLIER',
        record: 'SUPPLIER',
        isCollection: false,
        isOptional: false,
        keys: [{ property: 'SUPPLIER', referenced: 'ID' }],
      },
    ]);
    expect(typeOf('Container').navigation.map(({ name, isCollection }) => [name, isCollection])).toEqual([
      ['ITEM', true],
      ['DELIVERY_x002D_NOTE', false],
    ]);
  });

  it('is once for two records, as questions go, and never from a record to itself', () => {
    expect(typeOf('ITEM').navigation.filter(({ record }) => record === 'SUPPLIER')).toHaveLength(1);
    expect(names(typeOf('SUPPLIER').navigation)).toEqual(['_x0049_TEM', 'DELIVERY_x002D_NOTE']);
    expect(typeOf('ITEM').navigation.map(({ record }) => record)).not.toContain('ITEM');
  });

  it('hides keys that the caller does not see', () => {
    const keysOf = (of: typeof model) =>
      typeOf('DELIVERY-NOTE', of).navigation.find(({ record }) => record === 'SUPPLIER')?.keys;
    expect(keysOf(model)).toEqual([]);
    expect(keysOf(all)).toEqual([{ property: 'SECRET', referenced: 'SECRET' }]);
  });
});

describe('findEntityType', () => {
  it('by its name and by the id of the record', () => {
    for (const name of ['_x0043_ontainer', 'Container'])
      expect(findEntityType(model, name)).toEqual({ ok: true, value: typeOf('Container') });
    for (const name of ['DELIVERY_x002D_NOTE', 'DELIVERY-NOTE'])
      expect(findEntityType(model, name)).toEqual({ ok: true, value: typeOf('DELIVERY-NOTE') });
  });

  it('by its own name though that is the id of another record', () => {
    const record = (id: string) => ({
      id,
      table: 't',
      identifier: ['ID'],
      attributes: [{ id: 'ID', column: 'id' }],
    });
    const twins = entityModelOf(
      viewOf({
        ...{ ...ordersDefinition, relationships: [], policies: [], kpis: [] },
        records: [record('A-B'), record('A_x002D_B')],
      }),
    );
    expect(names(twins.types)).toEqual(['A_x002D_B', 'A_x005F_x002D_B']);
    expect(findEntityType(twins, 'A_x002D_B')).toMatchObject({ value: { record: 'A-B' } });
    expect(findEntityType(twins, 'A_x005F_x002D_B')).toMatchObject({ value: { record: 'A_x002D_B' } });
  });

  it('or fail with the nearest name', () => {
    expect(findEntityType(model, 'SUPLIER')).toMatchObject({
      ok: false,
      failure: {
        code: 'KM_RECORD_NOTFOUND',
        detail: 'There is no record SUPLIER. Did you mean SUPPLIER?',
        faults: [{ in: 'path', path: 'record_id', suggestion: 'SUPPLIER' }],
      },
    });
    const listed = `; expected one of ${names(model.types).join(', ')}.`;
    const failed = findEntityType(model, 'x'.repeat(5_000));
    expect(failed).toMatchObject({ failure: { detail: `There is no record ${'x'.repeat(100)}...${listed}` } });
    expect(findEntityType(model, '')).toMatchObject({ failure: { detail: `There is no record ""${listed}` } });
  });
});
