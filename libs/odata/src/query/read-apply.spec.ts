import { describe, expect, it } from '@jest/globals';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import { buildGroupsQuery, type GroupsQuery } from './groups-query.js';

const model = createSampleModel({
  ITEM: {
    fields: { NO: 'integer', CITY: 'string', AMOUNT: 'float', OPEN: 'boolean', DUE_x002D_DAY: 'date' },
    key: ['NO'],
    ways: { ORDER: 'ORDER', PARTS: 'PART*' },
    unsortable: ['OPEN'],
    kpis: { MAVERICK_RATE: 'float', ORDER_x002D_VALUE: 'float' },
  },
  ORDER: { fields: { NO: 'string', COUNTRY: 'string' }, key: ['NO'], ways: { ITEM: 'ITEM*' } },
  PART: { fields: { ID: 'string' } },
});
const item = findSampleType(model, 'ITEM');
const seal = { key: new Uint8Array(32), binding: '' };
const build = ($apply: string, options = {}) => buildGroupsQuery(item, model, { $apply, ...options }, seal);

const query = ($apply: string, options = {}): GroupsQuery['query'] => {
  const built = build($apply, options);
  if (!built.ok) throw new Error(JSON.stringify(built.failure));
  return built.value.query;
};

const refusal = ($apply: string, options = {}): string => {
  const built = build($apply, options);
  if (built.ok) return 'read';
  const { code, faults = [] } = built.failure;
  const told = faults.map(({ path, message, position, suggestion }) =>
    [`${path} [${position}]`, message, ...(suggestion === undefined ? [] : [`-> ${suggestion}`])].join(' '),
  );
  return [code, ...told].join(' | ');
};

describe('$apply', () => {
  it('is translated into a query at the level of the model', () => {
    const $apply = 'groupby((CITY,ORDER/COUNTRY),aggregate(MAVERICK_RATE,ORDER-VALUE as VALUE))';
    expect(query($apply, { $orderby: 'VALUE desc,CITY', $top: 10, $skip: 20 })).toEqual({
      ...{ fields: ['ITEM.CITY', 'ORDER.COUNTRY'], kpis: ['MAVERICK_RATE', 'ORDER-VALUE'], aggregates: [] },
      ...{ filterIds: [], filterExpressions: [], parsedFilters: [], distinct: false },
      ...{ sort: '-ORDER-VALUE,+ITEM.CITY', page: 0, pageSize: 11, keyset: { skip: 20 } },
    });
  });

  it('gives aggregates ids that no KPI can have', () => {
    const { aggregates, kpis } = query('aggregate(AMOUNT with average as MEAN,$count as N,DUE-DAY with max as LAST)');
    expect(kpis).toEqual([]);
    expect(aggregates).toEqual([
      { id: '#MEAN', function: 'avg', distinct: false, record: 'ITEM', field: 'AMOUNT' },
      { id: '#N', function: 'count', distinct: false, record: 'ITEM' },
      { id: '#LAST', function: 'max', distinct: false, record: 'ITEM', field: 'DUE-DAY' },
    ]);
  });

  it('separates conditions on entries from conditions on groups, with their positions in the text', () => {
    const $apply = "filter(CITY eq 'a)b')/groupby((CITY),aggregate($count as N))/filter(N gt 1)";
    const { parsedFilters, groupFilters } = query($apply, { $filter: "CITY ne 'c'" });
    expect(parsedFilters).toMatchObject([
      { record: 'ITEM', parameter: '$apply', text: $apply, expression: { field: { name: 'CITY', start: 7 } } },
    ]);
    expect(groupFilters).toMatchObject([
      { parameter: '$apply', expression: { field: { name: '#N', start: $apply.indexOf('N gt') } } },
      { parameter: '$filter', expression: { field: { name: 'ITEM.CITY', start: 0 } } },
    ]);
  });

  it.each([
    [
      'groupby((CITI))',
      'KM_FIELD_NOTFOUND | $apply [9] $apply, character 10: There is no property CITI in ITEM. Did you mean CITY? -> CITY',
    ],
    [
      'groupby((ORDER/CONTRY))',
      /KM_FIELD_NOTFOUND \| \$apply \[15\] .*There is no property CONTRY in ORDER.*-> COUNTRY/,
    ],
    ['groupby((PARTS/ID))', /ODATA_OPTION_UNSUPPORTED \| \$apply \[9\] .*PARTS leads to several entries/],
    ['groupby((ORDER))', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[9\] .*Expected ORDER\/ and one property/],
    ['groupby((ORDER/ITEM/NO))', /ODATA_OPTION_UNSUPPORTED \| \$apply \[9\] .*one step/],
    ['groupby(CITY)', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[8\] .*groupby\(\(NAME\)\)/],
    ['groupby((CITY,))', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[14\] .*names nothing/],
    ['groupby((rollup(CITY,NO)))', /ODATA_OPTION_UNSUPPORTED \| \$apply \[9\] .*rollup/],
    ['groupby((CITY)', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[7\] .*Expected transformations/],
    ['groupby((CITY),filter(NO eq 1)/aggregate($count as N))', /ODATA_OPTION_UNSUPPORTED \| \$apply \[15\]/],
    ['groupby((CITY)aggregate($count as N))', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[14\] .*Expected , and aggregate/],
    ['groupby((CITY))/groupby((CITY))', /ODATA_OPTION_UNSUPPORTED \| \$apply \[16\] .*One groupby or aggregate/],
    ['gruopby((CITY))/aggregate($count as N)', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[0\] .*-> groupby/],
    [
      'topcount(3,AMOUNT)/aggregate($count as N)',
      /ODATA_OPTION_UNSUPPORTED \| \$apply \[0\] .*topcount is not supported/,
    ],
    ['aggregate', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[9\] .*Expected \( behind aggregate/],
    ['aggregate(AMOUNT with summ as T)', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[22\] .*no method summ.*-> sum/],
    [
      'aggregate(CITY with sum as T)',
      /GENERAL_PARAMETER_ILLEGAL \| \$apply \[20\] .*no sum of CITY.*there are min, max, countdistinct/,
    ],
    ['aggregate(OPEN with max as T)', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[20\] .*there are countdistinct/],
    ['aggregate(AMOUNT with sum)', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[25\] .*Expected as and a name/],
    ['aggregate(AMOUNT with sum as 1T)', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[29\] .*1T is no name/],
    [
      'aggregate(AMOUNT with sum as T from CITY)',
      /GENERAL_PARAMETER_ILLEGAL \| \$apply \[31\] .*Expected NAME with METHOD/,
    ],
    ['aggregate(AMOUNT)', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[10\] .*AMOUNT is a property/],
    ['aggregate(MAVRICK_RATE)', /KM_KPI_NOTFOUND \| \$apply \[10\] .*no KPI MAVRICK_RATE.*-> MAVERICK_RATE/],
    ['aggregate(AMUONT with sum as T)', /KM_FIELD_NOTFOUND \| \$apply \[10\] .*-> AMOUNT/],
    ['aggregate(ORDER/NO with max as T)', /ODATA_OPTION_UNSUPPORTED \| \$apply \[10\] .*of other entries/],
    ['aggregate($count)', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[16\] .*Expected as/],
    ['aggregate()', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[10\] .*names nothing/],
    [
      'aggregate($count as N,AMOUNT with sum as N)',
      /GENERAL_PARAMETER_ILLEGAL \| \$apply \[0\] .*N stands there twice/,
    ],
    ['aggregate($count as CITY)', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[0\] .*CITY is a name of ITEM already/],
    ['aggregate($count as MAVERICK_RATE)', /GENERAL_PARAMETER_ILLEGAL \| .*MAVERICK_RATE is a name of ITEM already/],
    ['filter(CITI eq 1)/groupby((CITY))', /KM_FIELD_NOTFOUND \| \$apply \[7\] .*-> CITY/],
    ['filter(CITY eq)/groupby((CITY))', /KM_FILTER_SYNTAX \| \$apply \[14\]/],
    ['search(a OR)/groupby((CITY))', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[11\] .*Expected a word/],
    [String.raw`search("a)\"(")/groupby((CITI))`, /KM_FIELD_NOTFOUND \| \$apply \[25\] .*-> CITY/],
    ['groupby((CITY))/search(a)', /ODATA_OPTION_UNSUPPORTED \| \$apply \[16\] .*before groupby/],
    ['serch(a)/groupby((CITY))', /GENERAL_PARAMETER_ILLEGAL \| \$apply \[0\] .*-> search/],
    ['groupby((CITY))/filter(NO eq 1)', /KM_FIELD_NOTFOUND \| \$apply \[23\] .*There is no property NO in ITEM/],
  ])('with %s is refused at its position', (text, expected) => expect(refusal(text)).toMatch(expected));

  it.each([
    [{ $orderby: 'NO' }, /SORT_UNKNOWN_FIELD \| \$orderby \[0\] .*no property NO/],
    [{ $orderby: 'CITY,TOTL desc' }, /SORT_UNKNOWN_FIELD \| \$orderby \[5\] .*-> TOTAL/],
    [{ $orderby: 'OPEN' }, /SORT_UNKNOWN_FIELD \| \$orderby \[0\] .*OPEN is not sortable/],
    [{ $filter: 'TOTL gt 1' }, /KM_FIELD_NOTFOUND \| \$filter \[0\] .*-> TOTAL/],
    [{ $filter: 'AMOUNT gt 1' }, /KM_FIELD_NOTFOUND \| \$filter \[0\]/],
    [{ $select: 'CITY' }, /ODATA_OPTION_UNSUPPORTED \| \$select \[0\]/],
    [{ $expand: 'ORDER' }, /ODATA_OPTION_UNSUPPORTED \| \$expand \[0\]/],
    [{ $skiptoken: 'abc' }, /GENERAL_PARAMETER_ILLEGAL \| \$skiptoken/],
  ])('followed by %j is refused at its position', (options, expected) =>
    expect(refusal('groupby((CITY,OPEN),aggregate(AMOUNT with sum as TOTAL))', options)).toMatch(expected),
  );
});
