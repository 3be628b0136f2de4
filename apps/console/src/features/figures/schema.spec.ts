import { describe, expect, it } from '@jest/globals';
import { isDateType, nameIn, typeOf } from './schema.js';
import { purchases } from './testing/purchases.js';

describe('what a model has', () => {
  it('is found by the names that questions have for it', () => {
    expect(purchases.fieldByPath.get('ITEM.AMOUNT')).toMatchObject({ record: 'ITEM', recordName: 'item', unit: 'EUR' });
    expect(purchases.fields).toHaveLength(11);
    expect([nameIn(purchases, 'ITEM.AMOUNT'), nameIn(purchases, 'RATE'), nameIn(purchases, 'LARGE')]).toEqual([
      ...['amount', 'rate', 'large items'],
    ]);
    expect(nameIn(purchases, 'NOWHERE.X')).toBe('NOWHERE.X');
  });

  it('has types: KPIs are numbers, what is unknown a text', () => {
    const names = ['ITEM.MAVERICK', 'RATE', 'NOWHERE.X'];
    expect(names.map((name) => typeOf(purchases, name))).toEqual(['boolean', 'float', 'string']);
    expect((['date', 'datetime', 'timestamp', 'time', 'string'] as const).filter(isDateType)).toEqual([
      ...['date', 'datetime', 'timestamp'],
    ]);
  });

  it('can be chosen with what tells fields of the same name apart', () => {
    expect(purchases.options.fields.filter(({ label }) => label === 'plant')).toEqual([
      { id: 'ORDER.PLANT', label: 'plant', description: 'order' },
      { id: 'ITEM.PLANT', label: 'plant', description: 'item' },
    ]);
    expect(purchases.options.kpis[0]).toEqual({ id: 'RATE', label: 'rate' });
    expect(purchases.options.filters[0]).toMatchObject({ description: 'From 10,000 EUR on.' });
  });
});
