import { describe, expect, it } from '@jest/globals';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import { buildCountQuery, buildEntriesQuery, type EntriesRequest, formatNextLink } from './entries-query.js';
import { sealToken } from './skip-token.js';

const model = createSampleModel({
  ITEM: {
    fields: { ORDER_NO: 'string', ITEM_x002D_NO: 'integer', AMOUNT: 'float', DUE: 'date', NOTE: 'string' },
    key: ['ORDER_NO', 'ITEM_x002D_NO'],
    ways: { _x004F_RDER: 'ORDER', PART_x002D_S: 'PART-S*' },
    unsortable: ['NOTE'],
  },
  ORDER: { fields: { ORDER_NO: 'string', COUNTRY: 'string', DUE_x002D_DAY: 'date' }, key: ['ORDER_NO'] },
  PART_x002D_S: { fields: { ID: 'string' } },
  FAR: { fields: { ID: 'string' } },
});
const item = findSampleType(model, 'ITEM');
const seal = { key: new Uint8Array(32).fill(7), binding: 'team/model' };

const ask = (request: EntriesRequest) => {
  const result = buildEntriesQuery(item, model, request, seal);
  if (!result.ok) throw new Error(result.failure.detail);
  return result.value;
};
/** Code and faults, with position: `KM_FIELD_NOTFOUND [0] $select, character 1: ...`. */
const refusal = (request: EntriesRequest): string => {
  const result = buildEntriesQuery(item, model, request, seal);
  if (result.ok) return 'read';
  const { code, faults = [] } = result.failure;
  return [code, ...faults.map(({ message, position }) => `[${position}] ${message}`)].join(' ');
};

describe('a request without options', () => {
  it('selects all properties, and one row more than a full page', () => {
    expect(ask({})).toEqual({
      type: item,
      query: {
        record: 'ITEM',
        fields: ['ORDER_NO', 'ITEM-NO', 'AMOUNT', 'DUE', 'NOTE'],
        kpis: [],
        filterIds: [],
        filterExpressions: [],
        parsedFilters: [],
        distinct: false,
        page: 0,
        pageSize: 5_001,
        keyset: { skip: 0 },
      },
      shown: item.properties,
      isSelected: false,
      expanded: [],
      linked: [],
      pageSize: 5_000,
      isCounted: false,
      tokenBinding: expect.any(String),
      bindToken: expect.any(Function),
    });
  });
});

describe('$select', () => {
  const selected = ($select: string) => ask({ $select }).query.fields;

  it('selects properties by names or ids, each once, in its order', () => {
    expect(selected(' NOTE , ITEM-NO,ITEM_x002D_NO,NOTE')).toEqual(['NOTE', 'ITEM-NO']);
    expect(ask({ $select: 'NOTE' })).toMatchObject({ isSelected: true, shown: [{ name: 'NOTE' }] });
  });

  it('selects all properties by a star', () => {
    expect(ask({ $select: 'NOTE,*' })).toMatchObject({ isSelected: false, shown: item.properties });
  });

  it.each([
    [
      'NOTE,AMUONT',
      'KM_FIELD_NOTFOUND [5] $select, character 6: There is no property AMUONT in ITEM. Did you mean AMOUNT?',
    ],
    ['*,x(', 'KM_FIELD_NOTFOUND [2] $select, character 3: There is no property x( in ITEM.'],
    ['', 'GENERAL_PARAMETER_ILLEGAL [0] $select, character 1: An item names nothing; expected a property or *.'],
    ['NOTE,,', 'GENERAL_PARAMETER_ILLEGAL [5] $select, character 6: An item names nothing; expected a property or *.'],
    [
      '_x004F_RDER/COUNTRY',
      'ODATA_OPTION_UNSUPPORTED [0] $select, character 1: _x004F_RDER/COUNTRY is of related entries, which $select does not show; expand them, or read their entity set.',
    ],
  ])('%j is refused', ($select, expected) => expect(refusal({ $select })).toContain(expected));
});

describe('$orderby', () => {
  it('is translated into the sort, and adds the fields that it needs', () => {
    const { query, shown } = ask({ $select: 'NOTE', $orderby: 'AMOUNT desc,ITEM_x002D_NO\t asc, DUE ,AMOUNT desc' });
    expect(query).toMatchObject({ fields: ['NOTE', 'AMOUNT', 'ITEM-NO', 'DUE'], sort: '-AMOUNT,+ITEM-NO,+DUE' });
    expect(shown.map(({ name }) => name)).toEqual(['NOTE']);
  });

  it('orders by computed values and by properties of related entries', () => {
    const { query, shown } = ask({
      $select: 'NOTE',
      $orderby: "ORDER/COUNTRY desc, concat(ORDER_NO,', ') ,DUE,AMOUNT ge 5 desc",
    });
    expect(query).toMatchObject({ fields: ['NOTE', 'DUE'], sort: '-#1,+#2,+DUE,-#4' });
    expect(query.orderValues?.map(({ id, value }) => [id, value.kind, value.start])).toEqual([
      ['#1', 'field', 0],
      ['#2', 'call', 20],
      ['#4', 'comparison', 47],
    ]);
    expect(shown.map(({ name }) => name)).toEqual(['NOTE']);
  });

  it.each([
    ['AMOUT', 'SORT_UNKNOWN_FIELD [0] $orderby, character 1: There is no property AMOUT in ITEM. Did you mean AMOUNT?'],
    ['DUE, NOTE desc', 'SORT_UNKNOWN_FIELD [5] $orderby, character 6: NOTE is not sortable; sort by another property.'],
    ['DUE,DUE desc', 'SORT_HAS_OPPOSITE [4] $orderby, character 5: DUE is named in both directions; name it once.'],
    ['', 'SORT_IS_EMPTY [0] $orderby, character 1: An item names nothing; expected a property.'],
    ['DUE,', 'SORT_IS_EMPTY [4]'],
    [
      'DUE  DESC',
      'GENERAL_PARAMETER_ILLEGAL [5] $orderby, character 6: Expected asc or desc in lower case, but there is DESC. Did you mean desc?',
    ],
    [
      'DUE down',
      'GENERAL_PARAMETER_ILLEGAL [4] $orderby, character 5: Expected asc or desc, a comma or the end, but there is down.',
    ],
    ['DUE asc desc', 'GENERAL_PARAMETER_ILLEGAL [4]'],
    ['PART-S/ID', 'ODATA_OPTION_UNSUPPORTED [0] $orderby, character 1: PART_x002D_S leads to several entries'],
    [
      'DUE, length(NOTE)',
      'SORT_UNKNOWN_FIELD [12] $orderby, character 13: NOTE is not sortable; sort by another property.',
    ],
    [
      'ORDER/COUNTRI desc',
      'KM_FIELD_NOTFOUND [6] $orderby, character 7: There is no property COUNTRI in ORDER. Did you mean COUNTRY?',
    ],
    [
      'AMOUNT add AMUONT',
      'KM_FIELD_NOTFOUND [11] $orderby, character 12: There is no property AMUONT in ITEM. Did you mean AMOUNT?',
    ],
    ['lenght(ORDER_NO) desc', 'Did you mean length?'],
    ['AMOUNT mul', 'GENERAL_PARAMETER_ILLEGAL [7]'],
    [
      'round(AMOUNT) down',
      'GENERAL_PARAMETER_ILLEGAL [14] $orderby, character 15: Expected an operator, asc or desc, a comma or the end, but there is "down".',
    ],
    ['round(AMOUNT),round(AMOUNT) desc', 'SORT_HAS_OPPOSITE [14]'],
  ])('%j is refused', ($orderby, expected) => expect(refusal({ $orderby })).toContain(expected));
});

describe('$filter', () => {
  const names = ($filter: string) => JSON.stringify(ask({ $filter }).query.parsedFilters).match(/"name":"[^"]*"/g);

  it('is translated to the ids of fields, own ones and those of related records', () => {
    expect(names("ITEM-NO eq 1 and not (ITEM_x002D_NO in (1,2) or tolower(NOTE) eq 'x')")).toEqual([
      '"name":"ITEM-NO"',
      '"name":"ITEM-NO"',
      '"name":"NOTE"',
    ]);
    expect(names("_x004F_RDER/COUNTRY eq 'DE' and ORDER/DUE-DAY gt 2024-01-01 and contains(PART-S/ID,'x')")).toEqual([
      '"name":"ORDER.COUNTRY"',
      '"name":"ORDER.DUE-DAY"',
      '"name":"PART-S.ID"',
    ]);
  });

  it('keeps the text of a literal for messages about types', () => {
    const $filter = 'AMOUNT gt 1';
    expect(ask({ $filter }).query.parsedFilters).toMatchObject([{ parameter: '$filter', text: $filter }]);
  });

  it('recognises property names among unquoted words', () => {
    expect(JSON.stringify(ask({ $filter: 'NOTE eq ITEM_x002D_NO' }).query)).toContain('"name":"ITEM-NO"');
  });

  it('replaces parameter aliases with their literals, or null without a value, also on the next page', () => {
    const aliases = { '@p': "'x'", '@n': '7' };
    const filter = (request: EntriesRequest) =>
      JSON.stringify(ask(request).query.parsedFilters).replaceAll(/"(start|end)":\d+,?/g, '');
    const written = filter({ $filter: "NOTE eq 'x' and AMOUNT add 7 gt 7 and DUE eq null" });
    const named = { $filter: 'NOTE eq @p and AMOUNT add @n gt @n and DUE eq @missing', aliases };
    expect(filter(named).replaceAll('@n', '7').replaceAll('@p', "'x'").replaceAll('@missing', 'null')).toBe(written);
    expect(filter({ $apply: 'filter(NOTE eq @p)', aliases })).toContain('"kind":"string","text":"x"');
    expect(formatNextLink({ root: 'https://host/', setName: 'E' }, named, 't')).toContain(
      "&%40p='x'&%40n=7&".replaceAll('%40', '@'),
    );
    expect(refusal({ $filter: 'AMOUNT gt @p', aliases: { '@p': 'AMOUNT add' } })).toContain(
      '[10] $filter, character 11: @p is "AMOUNT add"; expected a value',
    );
    expect(refusal({ $filter: 'AMOUNT gt @p', aliases })).toBe('read');
  });

  it.each([
    [
      'AMUONT gt 1',
      'KM_FIELD_NOTFOUND [0] $filter, character 1: There is no property AMUONT in ITEM. Did you mean AMOUNT?',
    ],
    ['AMOUNT gt', 'KM_FILTER_SYNTAX [9] $filter, character 10: Expected a value'],
    ['', 'KM_FILTER_SYNTAX [0] $filter, character 1: Expected a condition'],
    [
      'DUE eq null and ORDER/COUNTRI eq 1',
      'KM_FIELD_NOTFOUND [22] $filter, character 23: There is no property COUNTRI in ORDER. Did you mean COUNTRY?',
    ],
    [
      'ORDR/COUNTRY eq 1',
      'KM_FIELD_NOTFOUND [0] $filter, character 1: There is no way from ITEM to ORDR. Did you mean ORDER?',
    ],
    ['GLACIER/ID eq 1', 'There is no way from ITEM to GLACIER; expected one of _x004F_RDER, '],
    [
      '_x004F_RDER eq 1',
      'KM_FIELD_NOTFOUND [0] $filter, character 1: _x004F_RDER leads to other entries; expected _x004F_RDER/ and one of their properties, or eq null, ne null.',
    ],
    ['ORDER/ITEM/NOTE eq 1', 'KM_JOIN_NOTFOUND [0] $filter, character 1: Paths have one step'],
    [
      'PARTS/any()',
      'KM_FIELD_NOTFOUND [0] $filter, character 1: There is no way from ITEM to entries of PARTS; expected one of PART_x002D_S.',
    ],
    [
      'NOTE/any(x:x/ID eq 1)',
      '[0] $filter, character 1: NOTE is a property; any and all look through related entries.',
    ],
    [
      'ORDER/any(o:o/COUNTRY eq 1)',
      'KM_FILTER_SYNTAX [0] $filter, character 1: _x004F_RDER leads to one entry; name its properties as _x004F_RDER/PROPERTY, without any or all.',
    ],
    [
      "AMOUNT gt 1 and PART-S/any(p:p/IT eq 'x')",
      'KM_FIELD_NOTFOUND [31] $filter, character 32: There is no property IT in PART_x002D_S. Did you mean ID?',
    ],
    [
      "PART-S/any(p:q/ID eq 'x')",
      'KM_FIELD_NOTFOUND [13] $filter, character 14: There is no way from ITEM to q; expected one of ',
    ],
    [
      'PART-S/all()',
      '[11] $filter, character 12: Expected a variable and its condition (x:x/FIELD gt 1), but there is ")".',
    ],
    [
      'PART-S/any(ID eq 1)',
      '[11] $filter, character 12: Expected a variable and its condition (x:x/FIELD gt 1) or a closing',
    ],
    ['PART-S/any(p:p/ORDER/ID eq 1)', '[15] $filter, character 16: There is no way from PART_x002D_S to ORDER'],
    ["PART-S/any(p:PART-S/any(p:p/ID eq 'x'))", '[24] $filter, character 25: p is taken by the condition around'],
    [
      'AMOUNT add AMUONT mul 2 gt 1',
      'KM_FIELD_NOTFOUND [11] $filter, character 12: There is no property AMUONT in ITEM. Did you mean AMOUNT?',
    ],
    [
      '5 lt round(ORDER/COUNTRI)',
      'KM_FIELD_NOTFOUND [17] $filter, character 18: There is no property COUNTRI in ORDER. Did you mean COUNTRY?',
    ],
    [
      'rond(AMOUNT) eq 1',
      'KM_FILTER_SYNTAX [0] $filter, character 1: Expected one of the functions contains startswith endswith ',
    ],
    ['rond(AMOUNT) eq 1', 'Did you mean round?'],
    ['Round(AMOUNT) eq 1', 'Keywords are in lower case: write round.'],
    ['substring(NOTE) eq 1', '[0] $filter, character 1: substring takes 2 or 3 values, but there are 1.'],
    ['NOTE eq trim(NOTE,1)', '[8] $filter, character 9: trim takes 1 value, but there are 2.'],
    [
      "tolower(contains(NOTE,'a')) eq 'a'",
      '[8] $filter, character 9: contains is a condition, which is no part of a value',
    ],
    [
      'AMOUNT add 5',
      '[12] $filter, character 13: Expected an operator (eq ne gt ge lt le in is), but the filter ends here.',
    ],
    ['(AMOUNT add 5 gt 1', 'Expected and, or or a closing parenthesis, but the filter ends here.'],
    [
      '(AMOUNT add 5 6) gt 1',
      '[14] $filter, character 15: Expected an operator (add sub mul div divby mod) or a closing parenthesis',
    ],
    ['x eq 1 and y eq 2', 'KM_FIELD_NOTFOUND [0] $filter, character 1: There is no property x in ITEM. [11]'],
  ])('%j is refused', ($filter, expected) => expect(refusal({ $filter })).toContain(expected));
});

describe('a page', () => {
  it.each<readonly [EntriesRequest, object]>([
    [{ $top: 10 }, { pageSize: 10, topLeft: 0, query: { pageSize: 11 } }],
    [{ $top: 5_001 }, { pageSize: 5_000, topLeft: 1 }],
    [{ $top: 0 }, { pageSize: 0, topLeft: 0, query: { pageSize: 1 } }],
    [{ $skip: 7 }, { query: { keyset: { skip: 7 }, page: 0 } }],
    [{ prefer: 'odata.maxpagesize=3' }, { pageSize: 3, preferred: 3 }],
    [{ prefer: 'respond-async, MAXPAGESIZE = "3"; x=1' }, { pageSize: 3, preferred: 3 }],
    [
      { prefer: 'maxpagesize=3', $top: 10 },
      { pageSize: 3, preferred: 3, topLeft: 7 },
    ],
    [
      { prefer: 'maxpagesize=30', $top: 10 },
      { pageSize: 10, preferred: 30, topLeft: 0 },
    ],
    [{ prefer: 'maxpagesize=1000000' }, { pageSize: 5_000, preferred: 5_000 }],
    [{ prefer: 'maxpagesize=2,odata.maxpagesize=3' }, { pageSize: 2 }],
    [
      { $count: true, filterid: ['a', 'b'] },
      { isCounted: true, query: { filterIds: ['a', 'b'] } },
    ],
  ])('of %j', (request, expected) => expect(ask(request)).toMatchObject(expected));

  it.each([
    '',
    'maxpagesize',
    'maxpagesize=0',
    'maxpagesize=-1',
    'maxpagesize=x',
    'maxpagesize=1.5',
    '"maxpagesize=3"',
  ])('ignores the invalid page size %j', (prefer) => {
    expect(ask({ prefer }).pageSize).toBe(5_000);
    expect(ask({ prefer })).not.toHaveProperty('preferred');
  });

  it('continues after the row in its token', () => {
    const { tokenBinding } = ask({ $orderby: 'DUE' });
    const $skiptoken = sealToken(seal.key, tokenBinding, ['2024-01-01', null]);
    expect(ask({ $orderby: 'DUE asc', $skiptoken }).query.keyset).toEqual({ skip: 0, after: ['2024-01-01', null] });
    for (const $orderby of ['DUE desc', 'DUE,AMOUNT', undefined])
      expect(refusal({ $orderby, $skiptoken })).toMatch(/^GENERAL_PARAMETER_ILLEGAL .*\$skiptoken .* begin again/);
  });

  it('has a token that is bound to the team and model, the record, and the types of its order', () => {
    const bindings = [
      ask({}),
      ask({ $orderby: 'DUE' }),
      ...[
        buildEntriesQuery(item, model, {}, { ...seal, binding: 'other/model' }),
        buildEntriesQuery({ ...item, record: 'OTHER' }, model, {}, seal),
        buildEntriesQuery({ ...item, key: item.key.slice(0, 1) }, model, {}, seal),
        buildEntriesQuery(
          { ...item, key: item.key.map((key) => ({ ...key, type: 'float' as const })) },
          model,
          {},
          seal,
        ),
      ].flatMap((result) => (result.ok ? [result.value] : [])),
    ].map(({ tokenBinding }) => tokenBinding);
    expect(new Set(bindings).size).toBe(6);
  });
});

it('an entries query reports the faults of all options at once, five at most', () => {
  const told = refusal({ $select: 'x', $orderby: 'y', $filter: 'z eq 1', $skiptoken: '!' });
  expect(told.match(/\[\d+\]/g)).toHaveLength(3);
  expect(refusal({ $select: 'a,b,c,d,e,f,g' }).match(/\[\d+\]/g)).toHaveLength(5);
});

it('a count query counts the matching rows regardless of the selection', () => {
  expect(buildCountQuery(item, model, { $filter: 'AMOUNT gt 1', filterid: ['a'] })).toMatchObject({
    value: { record: 'ITEM', fields: ['ORDER_NO'], filterIds: ['a'], parsedFilters: [{ text: 'AMOUNT gt 1' }] },
  });
  expect(buildCountQuery(item, model, { $filter: 'x eq 1' })).toMatchObject({ failure: { code: 'KM_FIELD_NOTFOUND' } });
});
