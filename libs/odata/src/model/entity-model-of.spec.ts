/** The entity data model of a view: keys, types, names, navigation. */
import { describe, expect, it } from '@jest/globals';
import type { CallerView } from '@tessera/knowledge-model';
import { ordersDefinition, createView } from '../testing/sample-views.js';
import { createEntityModel } from './entity-model-of.js';
import { type EntityType, findEntityType } from './entity-model.js';

const view = createView(ordersDefinition);
const model = createEntityModel(view);
const all = createEntityModel(createView(ordersDefinition, ['secrets']));
const typeOf = (record: string, of = model): EntityType => {
  const type = of.typeByRecord.get(record);
  if (!type) throw new Error(`There is no ${record}.`);
  return type;
};
const names = (entries: readonly { readonly name: string }[]): readonly string[] => entries.map(({ name }) => name);

describe('an entity type', () => {
  it('is named after its record, escaped where the name is taken or has characters that OData does not allow', () => {
    expect(model.types.map(({ name, setName, label }) => [name, setName, label])).toEqual([
      ['ITEM', 'ITEM_entries', 'Order item'],
      ['_x0043_ontainer', '_x0043_ontainer_entries', 'Order'],
      ['SUPPLIER', 'SUPPLIER_entries', 'SUPPLIER'],
      ['DELIVERY_x002D_NOTE', 'DELIVERY_x002D_NOTE_entries', 'DELIVERY-NOTE'],
    ]);
  });

  it('has the identifier as its key, in its order, and the fields that the caller can see', () => {
    const item = typeOf('ITEM');
    expect(names(item.key)).toEqual(['ORDER_NO', 'ITEM_x002D_NO']);
    expect(names(item.properties)).not.toContain('SECRET');
    expect(names(item.properties)).not.toContain('HINT');
    expect(names(typeOf('ITEM', all).properties)).toContain('HINT');
    expect([...item.propertyByName.keys()]).toEqual(names(item.properties));
  });

  it('has the KPIs over related rows, without those of hidden fields, under names unlike those of properties', () => {
    const kpisOf = (type: EntityType) => type.kpis.map(({ name, id, edmType }) => [name, id, edmType]);
    const seen = [
      ['ITEM_x002D_COUNT', 'ITEM-COUNT', 'Edm.Int64'],
      ['_x0041_MOUNT', 'AMOUNT', 'Edm.Decimal'],
    ];
    expect(kpisOf(typeOf('ITEM'))).toEqual(seen);
    expect(kpisOf(typeOf('ITEM', all))).toEqual([...seen, ['HINTS', 'HINTS', 'Edm.Int64']]);
    expect(names(typeOf('SUPPLIER').kpis)).toEqual(['ITEM_x002D_COUNT', 'AMOUNT']);
    const apart = createEntityModel(createView({ ...ordersDefinition, relationships: [] }));
    expect(names(typeOf('SUPPLIER', apart).kpis)).toEqual([]);
  });

  it('has no key when a field of the identifier is hidden, and is left out when all fields are hidden', () => {
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
    const keyless = typeOf('ITEM', createEntityModel(without(['ITEM-NO'])));
    expect(keyless.key).toEqual([]);
    expect(names(keyless.properties)).toContain('ORDER_NO');
    const empty = createEntityModel(without([...(view.names.fields.get('ITEM')?.keys() ?? [])]));
    expect(names(empty.types)).not.toContain('ITEM');
    expect(empty.types.flatMap(({ navigation }) => navigation).map(({ record }) => record)).not.toContain('ITEM');
  });

  it('maps the types of fields to EDM types', () => {
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

describe('a navigation property', () => {
  it('follows a relationship in both directions, under a name that no field has', () => {
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

  it('exists once for each pair of records, and never from a record to itself', () => {
    expect(typeOf('ITEM').navigation.filter(({ record }) => record === 'SUPPLIER')).toHaveLength(1);
    expect(names(typeOf('SUPPLIER').navigation)).toEqual(['_x0049_TEM', 'DELIVERY_x002D_NOTE']);
    expect(typeOf('ITEM').navigation.map(({ record }) => record)).not.toContain('ITEM');
  });

  it('has no keys that are hidden from the caller', () => {
    const keysOf = (of: typeof model) =>
      typeOf('DELIVERY-NOTE', of).navigation.find(({ record }) => record === 'SUPPLIER')?.keys;
    expect(keysOf(model)).toEqual([]);
    expect(keysOf(all)).toEqual([{ property: 'SECRET', referenced: 'SECRET' }]);
  });
});

describe('findEntityType', () => {
  it('finds a type by its name and by the id of its record', () => {
    for (const name of ['_x0043_ontainer', 'Container'])
      expect(findEntityType(model, name)).toEqual({ ok: true, value: typeOf('Container') });
    for (const name of ['DELIVERY_x002D_NOTE', 'DELIVERY-NOTE'])
      expect(findEntityType(model, name)).toEqual({ ok: true, value: typeOf('DELIVERY-NOTE') });
  });

  it('prefers the name of a type to the id of another record', () => {
    const record = (id: string) => ({
      id,
      table: 't',
      identifier: ['ID'],
      attributes: [{ id: 'ID', column: 'id' }],
    });
    const twins = createEntityModel(
      createView({
        ...{ ...ordersDefinition, relationships: [], policies: [], kpis: [] },
        records: [record('A-B'), record('A_x002D_B')],
      }),
    );
    expect(names(twins.types)).toEqual(['A_x002D_B', 'A_x005F_x002D_B']);
    expect(findEntityType(twins, 'A_x002D_B')).toMatchObject({ value: { record: 'A-B' } });
    expect(findEntityType(twins, 'A_x005F_x002D_B')).toMatchObject({ value: { record: 'A_x002D_B' } });
  });

  it('fails with the nearest name for an unknown name', () => {
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
