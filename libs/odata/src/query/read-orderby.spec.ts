import { describe, expect, it } from '@jest/globals';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import { buildEntriesQuery } from './entries-query.js';

const seal = { key: new Uint8Array(32), binding: '' };

const read = ($orderby: string, type: 'string' | 'integer' = 'integer', alias = '7') => {
  const model = createSampleModel({
    ITEM: {
      fields: { NO: 'integer', asc: 'integer', A_x002D_B: 'string' },
      key: ['NO'],
      ways: { ORDER: 'ORDER', PARTS: 'PART*' },
    },
    ORDER: { fields: { SIZE: type }, key: ['SIZE'] },
    PART: { fields: { NO: 'integer' }, key: ['NO'] },
  });
  const result = buildEntriesQuery(findSampleType(model, 'ITEM'), model, { $orderby, aliases: { '@n': alias } }, seal);
  if (!result.ok) throw new Error(result.failure.detail);
  return result.value;
};

/** The sort, and the kinds of what is computed for it. */
const orderOf = ($orderby: string): readonly string[] => {
  const { query } = read($orderby);
  return [query.sort ?? '', ...(query.orderValues ?? []).map(({ value: { kind } }) => kind)];
};

describe('an item of $orderby', () => {
  it.each([
    ['NO', ['+NO']],
    ['NO  desc, A-B', ['-NO,+A-B']],
    ['asc asc,A_x002D_B desc', ['+asc,-A-B']],
    ['ORDER/SIZE', ['+#1', 'field']],
    ['(NO) desc', ['-#1', 'field']],
    ['NO, -NO, NO mod @n desc', ['+NO,+#2,-#3', 'negate', 'arithmetic']],
    ["concat(A-B,', ') desc,NO add 1", ['-#1,+#2', 'call', 'arithmetic']],
    ["indexof('a,b',A-B) ge NO asc", ['+#1', 'comparison']],
    ['PARTS/$count desc,NO', ['-#1,+NO', 'count']],
    ['PARTS/$count  add NO', ['+#1', 'arithmetic']],
    ['ORDER/SIZE desc,ORDER/SIZE  desc', ['-#1', 'field']],
  ])('%s', (text, expected) => expect(orderOf(text)).toEqual(expected));

  it.each([
    ['ORDER/$count', 'ORDER leads to one entry'],
    ['PARST/$count desc', 'There is no way from ITEM to entries of PARST. Did you mean PARTS?'],
    ['PARTS/NO', 'PARTS leads to several entries; order by properties of one entry.'],
    ['PARTS/$count($top=1)', '$count counts all related entries and takes no options'],
  ])('%s is refused with the place', (text, told) => expect(() => read(text)).toThrow(told));

  it('binds a token to its text and to the types of the properties that it names', () => {
    const bindings = [
      ...[read('ORDER/SIZE'), read('ORDER/SIZE desc'), read('ORDER/SIZE', 'string')],
      ...[read('ORDER/SIZE add 1'), read('ORDER/SIZE add 2'), read('NO')],
      ...[read('NO add @n'), read('NO add @n', 'integer', '8')],
    ].map(({ tokenBinding }) => tokenBinding);
    expect(new Set(bindings).size).toBe(bindings.length);
    expect(read('ORDER/SIZE add 1').tokenBinding).toBe(read('ORDER/SIZE  add  1').tokenBinding);
  });
});
