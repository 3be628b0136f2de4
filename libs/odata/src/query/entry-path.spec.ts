import { describe, expect, it } from '@jest/globals';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import { readEntryPath } from './entry-path.js';

const model = createSampleModel({
  ITEM: {
    fields: { ID: 'string', NOTE: 'string', 'DUE-DAY': 'date' },
    key: ['ID'],
    ways: { ORDER: 'ORDER', PARTS: 'PART*' },
  },
  ORDER: { fields: { NO: 'integer', COUNTRY: 'string' }, key: ['NO'], ways: { ITEM: 'ITEM*', SUPPLIER: 'SUPPLIER' } },
  SUPPLIER: { fields: { ID: 'string' }, key: ['ID'] },
  PART: { fields: { ID: 'string' }, key: ['ID'], ways: { ITEM: 'ITEM' } },
});

const read = (path: string, start = 'ITEM') =>
  readEntryPath(model, findSampleType(model, start), path === '' ? [] : path.split('/'));

/** `ORDER ITEM('a') entry of ITEM`. */
const found = (path: string): string => {
  const result = read(path);
  if (!result.ok) throw new Error(result.failure.detail);
  const { links, type, end } = result.value;
  const property = 'property' in end ? `${end.property.name} ` : '';
  return [
    ...links.map(({ navigation, key = '' }) => navigation.name + key),
    `${property}${end.kind} of ${type.name}`,
  ].join(' ');
};

const refusal = (path: string) => {
  const result = read(path);
  if (result.ok) throw new Error('The path is read.');
  return result.failure;
};

describe('a path behind a key', () => {
  it.each([
    ['', 'entry of ITEM'],
    ['$ref', 'reference of ITEM'],
    ['NOTE', 'NOTE property of ITEM'],
    ['NOTE/$value', 'NOTE value of ITEM'],
    ['ORDER', 'ORDER entry of ORDER'],
    ['ORDER/$ref', 'ORDER reference of ORDER'],
    ['ORDER/COUNTRY', 'ORDER COUNTRY property of ORDER'],
    ['ORDER/COUNTRY/$value', 'ORDER COUNTRY value of ORDER'],
    ['ORDER/SUPPLIER', 'ORDER SUPPLIER entry of SUPPLIER'],
    ['ORDER/ITEM', 'ORDER ITEM entries of ITEM'],
    ["ORDER/ITEM('a')", "ORDER ITEM('a') entry of ITEM"],
    ["ORDER/ITEM('a')/NOTE", "ORDER ITEM('a') NOTE property of ITEM"],
    ['PARTS', 'PARTS entries of PART'],
    ['PARTS/$count', 'PARTS count of PART'],
    ['PARTS/$ref', 'PARTS references of PART'],
    ["PARTS('x')", "PARTS('x') entry of PART"],
    ["PARTS('x')/$ref", "PARTS('x') reference of PART"],
    ['ORDER/$ref', 'ORDER reference of ORDER'],
    ["PARTS(ID='x')/ID/$value", "PARTS(ID='x') ID value of PART"],
    ["PARTS('a;b')/$ref", "PARTS('a;b') reference of PART"],
    ["PARTS('x (1)')/ITEM/ORDER", "PARTS('x (1)') ITEM ORDER entry of ORDER"],
    ['PART', 'PARTS entries of PART'],
  ])('%j leads to %j', (path, expected) => expect(found(path)).toBe(expected));

  it.each([
    ['NOT', 'There is no property and no navigation property NOT in ITEM. Did you mean NOTE?', 'NOTE'],
    ['ODER/COUNTRY', 'no navigation property ODER in ITEM. Did you mean ORDER?', 'ORDER'],
    ['ORDER/CUNTRY', 'There is no property and no navigation property CUNTRY in ORDER.', 'COUNTRY'],
    ["PART-S('x')", "There is no property and no navigation property PART-S('x') in ITEM.", 'PARTS'],
    ['$count', 'There is nothing at $count in the path: expected $ref behind the key.', undefined],
    ['$reff', 'expected $ref behind the key', undefined],
    ['ORDER/$count', 'There is nothing at $count in the path: expected $ref behind ORDER.', undefined],
    ['PARTS/$value', 'expected $count or $ref behind PARTS', undefined],
    ['PARTS/$count/$ref', 'There is nothing at $ref in the path: nothing stands behind $count.', undefined],
    ['NOTE/NOTE', 'NOTE is a property; only $value stands behind it', undefined],
    ['NOTE/$value/x', 'NOTE is a property; only $value stands behind it', undefined],
    ["NOTE('x')", 'in ITEM', 'NOTE'],
    ['ORDER(7)', 'ORDER leads to one entry, which has no key here', undefined],
    ['PARTS/ID', 'PARTS leads to several entries; a key, as in PARTS(KEY), $count or $ref stands behind it', undefined],
    ['PARTS/ITEM', 'PARTS leads to several entries', undefined],
  ])('%j is refused: %s', (path, message, suggestion) => {
    const failure = refusal(path);
    expect(failure.code).toBe('GENERAL_NOTFOUND_PATH');
    expect(failure.detail).toContain(message);
    expect(failure.faults).toMatchObject([
      { in: 'path', path: 'step', ...(suggestion !== undefined && { suggestion }) },
    ]);
  });

  it('is shortened in the message when it is long', () => {
    const { detail } = refusal('x'.repeat(500));
    expect(detail.length).toBeLessThan(200);
  });
});
