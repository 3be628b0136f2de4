/** Groups as JSON in every level of metadata and both versions, from rows of keys, related keys and what is computed. */
import { describe, expect, it } from '@jest/globals';
import type { Representation } from '../query/choose-representation.js';
import { buildGroupsQuery } from '../query/groups-query.js';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import { createGroupsSerializer } from './groups-payload.js';

const model = createSampleModel({
  ITEM: {
    fields: { NO: 'integer', CITY: 'string', DAY: 'date', PRICE: 'float' },
    key: ['NO'],
    ways: { ORDER: 'ORDER' },
    kpis: { RATE: 'float' },
  },
  ORDER: { fields: { NO: 'integer', COUNTRY: 'string' }, key: ['NO'] },
});
const type = findSampleType(model, 'ITEM');
const root = 'https://host/m.svc/';

type Format = Representation['format'];

const write = ($apply: string, row: readonly (string | null)[], format: Format, version: '4.0' | '4.01' = '4.01') => {
  const built = buildGroupsQuery(type, model, { $apply }, { key: new Uint8Array(32), binding: '' });
  if (!built.ok) throw new Error(built.failure.detail);
  const { keys, measures } = built.value.groups;
  const places = new Map([...keys, ...measures].map(({ property }, place) => [property.id, place]));
  const representation = { version, contentType: '', format };
  const { head, writer, tail, key } = createGroupsSerializer({ keys, measures, root, type, places, representation });
  return { key, text: `${head('1')}${writer()(row)}${tail('https://host/next')}` };
};

const json = (metadata: 'none' | 'minimal' | 'full', ieee754Compatible = false): Format => ({
  kind: 'json',
  metadata,
  ieee754Compatible,
});

const mixed = 'groupby((ORDER/COUNTRY,CITY,ORDER/NO),aggregate(DAY with max as LAST,$count as N,RATE))';
const row = ['DE', 'Bonn "B"', '7', '2026-01-31', '12', '0.5'];

describe('the payload of groups', () => {
  it('has the group keys under their names, keys of related entries nested', () => {
    expect(JSON.parse(write(mixed, row, json('minimal')).text)).toEqual({
      '@odata.context': `${root}$metadata#ITEM_entries(CITY,ORDER(COUNTRY,NO),LAST,N,RATE)`,
      '@odata.count': 1,
      value: [
        {
          ...{ CITY: 'Bonn "B"', ORDER: { COUNTRY: 'DE', NO: 7 } },
          ...{ 'LAST@odata.type': 'Date', LAST: '2026-01-31', 'N@odata.type': 'Int64', N: 12, RATE: 0.5 },
        },
      ],
      '@odata.nextLink': 'https://host/next',
    });
  });

  it('has only the members without metadata', () => {
    expect(JSON.parse(write(mixed, row, json('none')).text).value).toEqual([
      { CITY: 'Bonn "B"', ORDER: { COUNTRY: 'DE', NO: 7 }, LAST: '2026-01-31', N: 12, RATE: 0.5 },
    ]);
  });

  it('has all types with full metadata, and integers as strings with IEEE754Compatible', () => {
    expect(JSON.parse(write(mixed, row, json('full', true), '4.0').text).value).toEqual([
      {
        ...{ '@odata.type': '#ODataKnowledgeModel.ITEM', '@odata.id': null, CITY: 'Bonn "B"' },
        ORDER: { COUNTRY: 'DE', 'NO@odata.type': '#Int64', NO: '7' },
        ...{ 'LAST@odata.type': '#Date', LAST: '2026-01-31', 'N@odata.type': '#Int64', N: '12', RATE: 0.5 },
      },
    ]);
  });

  it('marks groups that contain the key of an entry with a null id', () => {
    expect(JSON.parse(write('groupby((NO))', ['1'], json('minimal')).text).value).toEqual([
      { '@odata.id': null, NO: 1 },
    ]);
    expect(JSON.parse(write('groupby((CITY))', [null], json('minimal')).text).value).toEqual([{ CITY: null }]);
    expect(JSON.parse(write('groupby((CITY))', [null], json('minimal'), '4.0').text).value).toEqual([
      { '@odata.id': null, CITY: null },
    ]);
  });

  it('has the same cache key if and only if the bytes are the same', () => {
    const keys = [
      write('groupby((CITY))', ['a'], json('minimal')).key,
      write('groupby((CITY))', ['a'], json('none')).key,
      write('groupby((CITY))', ['a'], json('minimal'), '4.0').key,
      write('groupby((CITY),aggregate($count as N))', ['a', '1'], json('minimal')).key,
      write('groupby((CITY),aggregate(PRICE with sum as N))', ['a', '1'], json('minimal')).key,
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(write('groupby((CITY))', ['b'], json('minimal')).key).toBe(keys[0]);
  });
});
