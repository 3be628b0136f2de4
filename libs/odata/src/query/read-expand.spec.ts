import { describe, expect, it } from '@jest/globals';
import { sampleModel, sampleTypeOf } from '../testing/sample-types.js';
import { buildEntriesQuery } from './entries-query.js';
import { buildEntryQuery } from './entry-query.js';

const model = sampleModel({
  ITEM: {
    fields: { ID: 'string', SUPPLIER: 'string', NOTE: 'string' },
    key: ['ID'],
    ways: { ORDER: 'ORDER', _x0053_UPPLIER: 'SUPPLIER', DELIVERY_x002D_NOTE: 'DELIVERY-NOTE', PARTS: 'PART*' },
  },
  ORDER: { fields: { NO: 'string', COUNTRY: 'string', DUE_x002D_DAY: 'date' }, key: ['NO'], ways: { ITEM: 'ITEM*' } },
  SUPPLIER: { fields: { ID: 'string', NAME: 'string' }, key: ['ID'] },
  DELIVERY_x002D_NOTE: { fields: { ID: 'string' }, key: ['ID'] },
  PART: { fields: { ID: 'string' } },
});
const item = sampleTypeOf(model, 'ITEM');
const seal = { key: new Uint8Array(32), binding: '' };

const ask = ($expand: string) => buildEntriesQuery(item, model, { $expand, $select: 'ID' }, seal);

/** `ORDER(NO,COUNTRY)`, with a star behind what `$select` did not choose. */
const expanded = ($expand: string): readonly string[] => {
  const result = ask($expand);
  if (!result.ok) throw new Error(result.failure.detail);
  return result.value.expanded.map(({ navigation, shown, isSelected }) => {
    const names = shown.map(({ name }) => name).join();
    return `${navigation.name}(${names})${isSelected ? '' : '*'}`;
  });
};

const refusal = ($expand: string): string => {
  const result = ask($expand);
  if (result.ok) return 'read';
  const { code, faults = [] } = result.failure;
  return [code, ...faults.map(({ message, position }) => `[${position}] ${message}`)].join(' ');
};

const order = 'ORDER(NO,COUNTRY,DUE_x002D_DAY)*';
const supplier = '_x0053_UPPLIER(ID,NAME)*';
const note = 'DELIVERY_x002D_NOTE(ID)*';

describe('$expand', () => {
  it.each<readonly [text: string, expected: readonly string[]]>([
    ['ORDER', [order]],
    ['_x0053_UPPLIER,ORDER', [order, supplier]],
    [' SUPPLIER ,\tDELIVERY-NOTE ', [supplier, note]],
    ['DELIVERY_x002D_NOTE', [note]],
    ['*', [order, supplier, note]],
    ['ORDER($select=NO),*', ['ORDER(NO)', supplier, note]],
    ['* , DELIVERY-NOTE(select=*)', [order, supplier, note]],
    ['ORDER($select=COUNTRY,NO),SUPPLIER(select=NAME)', ['ORDER(COUNTRY,NO)', '_x0053_UPPLIER(NAME)']],
    ['ORDER ( $Select = DUE-DAY , NO,DUE_x002D_DAY ) , SUPPLIER', ['ORDER(DUE_x002D_DAY,NO)', supplier]],
    ['ORDER($select=*)', [order]],
  ])('%j is %j', (text, names) => expect(expanded(text)).toEqual(names));

  it.each([
    [
      'ODER',
      'KM_FIELD_NOTFOUND [0] $expand, character 1: There is no navigation property ODER in ITEM. Did you mean ORDER?',
    ],
    [
      'ORDER, DELIVERY',
      'KM_FIELD_NOTFOUND [7] $expand, character 8: There is no navigation property DELIVERY in ITEM.',
    ],
    ['PART-S', 'KM_FIELD_NOTFOUND [0]'],
    [
      'NOTE',
      'KM_FIELD_NOTFOUND [0] $expand, character 1: NOTE is a property, which leads nowhere; name it in $select.',
    ],
    [
      '',
      'GENERAL_PARAMETER_ILLEGAL [0] $expand, character 1: An item names nothing; expected a navigation property or *.',
    ],
    ['ORDER,', 'GENERAL_PARAMETER_ILLEGAL [6]'],
    ['ORDER,,SUPPLIER', 'GENERAL_PARAMETER_ILLEGAL [6]'],
    ['ORDER,ORDER', 'GENERAL_PARAMETER_ILLEGAL [6] $expand, character 7: ORDER is expanded twice; name it once.'],
    ['SUPPLIER,_x0053_UPPLIER', 'GENERAL_PARAMETER_ILLEGAL [9]'],
    ['*,ORDER,*', 'GENERAL_PARAMETER_ILLEGAL [8] $expand, character 9: * is expanded twice; name it once.'],
    ['ORDER SUPPLIER', 'GENERAL_PARAMETER_ILLEGAL [6] $expand, character 7: Expected a list of names with commas'],
    ['ORDER;SUPPLIER', 'GENERAL_PARAMETER_ILLEGAL [5]'],
    ['ORDER($select=NO', 'GENERAL_PARAMETER_ILLEGAL [5]'],
    ['ORDER($select=NO))', 'GENERAL_PARAMETER_ILLEGAL [17]'],
    ["ORDER($filter=NO eq 'a)", 'ODATA_OPTION_UNSUPPORTED [6]'],
    ['(ORDER)', 'GENERAL_PARAMETER_ILLEGAL [0]'],
    [
      'ORDER()',
      'GENERAL_PARAMETER_ILLEGAL [6] $expand, character 7: Expected $select= and properties with commas between.',
    ],
    ['ORDER($select)', 'GENERAL_PARAMETER_ILLEGAL [6]'],
    ['ORDER($select=NO;)', 'GENERAL_PARAMETER_ILLEGAL [17]'],
    [
      'ORDER($slect=NO)',
      'GENERAL_PARAMETER_ILLEGAL [6] $expand, character 7: Expected $select= and properties with commas between. Did you mean $select?',
    ],
    [
      'ORDER($select=NO;select=NO)',
      'GENERAL_PARAMETER_ILLEGAL [17] $expand, character 18: $select stands there twice.',
    ],
    [
      'ORDER($select=NO, COUNTRI)',
      'KM_FIELD_NOTFOUND [18] $expand, character 19: There is no property COUNTRI in ORDER. Did you mean COUNTRY?',
    ],
    ['ORDER($select=)', 'GENERAL_PARAMETER_ILLEGAL [14]'],
    ['ORDER($select=ITEM)', 'ODATA_OPTION_UNSUPPORTED [14]'],
    [
      'PARTS',
      'ODATA_OPTION_UNSUPPORTED [0] $expand, character 1: PARTS leads to several entries, which are not shown here',
    ],
    ['PARTS($filter=ID eq 1)', 'ODATA_OPTION_UNSUPPORTED [0]'],
    ['ORDER/ITEM', 'ODATA_OPTION_UNSUPPORTED [0] $expand, character 1: /ITEM is not supported here; one step is.'],
    ['ORDER/$ref', 'ODATA_OPTION_UNSUPPORTED [0] $expand, character 1: /$ref is not supported here'],
    ['*/$ref', 'ODATA_OPTION_UNSUPPORTED [0]'],
    ['*($levels=2)', 'ODATA_OPTION_UNSUPPORTED [0] $expand, character 1: * has no options here.'],
    ['$value', 'ODATA_OPTION_UNSUPPORTED [0] $expand, character 1: $value is not supported here.'],
    ...[
      '$expand=ITEM',
      '$levels=2',
      '$count=true',
      "$filter=NO eq 'a;b)('",
      '$orderby=NO',
      '$top=1',
      '$skip=1',
      '$search=a',
    ].map((option) => [
      `ORDER(${option})`,
      `ODATA_OPTION_UNSUPPORTED [6] $expand, character 7: ${option.replace(/=.*/, '')} is not`,
    ]),
    [
      'ORDER($select=NO;levels=max)',
      'ODATA_OPTION_UNSUPPORTED [17] $expand, character 18: levels is not supported here; there is $select.',
    ],
  ])('%j is refused', (text = '', told = '') => expect(refusal(text)).toContain(told));

  it('requests the fields of related entries beside those of the entries', () => {
    const question = ask('SUPPLIER,ORDER($select=COUNTRY)');
    expect(question).toMatchObject({
      value: { query: { fields: ['ID'], relatedFields: ['ORDER.COUNTRY', 'SUPPLIER.ID', 'SUPPLIER.NAME'] } },
    });
    const entry = buildEntryQuery(item, model, { key: "('a')", $expand: 'SUPPLIER($select=NAME)' });
    expect(entry).toMatchObject({
      value: { expanded: [{ navigation: { record: 'SUPPLIER' } }], query: { relatedFields: ['SUPPLIER.NAME'] } },
    });
  });

  it('does not change the keyset of a page', () => {
    const [alone, both] = [buildEntriesQuery(item, model, {}, seal), ask('*')];
    expect(alone.ok && both.ok && alone.value.tokenBinding === both.value.tokenBinding).toBe(true);
  });

  it('returns a limited number of faults', () => {
    const result = ask(Array.from({ length: 100 }, (_, index) => `X${index}`).join());
    expect(result).toMatchObject({ failure: { faults: { length: 5 } } });
  });
});
