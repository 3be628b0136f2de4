import { describe, expect, it } from '@jest/globals';
import { printDataFilter } from '@tessera/filter/testing';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import { buildEntriesQuery, type EntriesQuery, formatNextLink } from './entries-query.js';
import { buildEntryQuery } from './entry-query.js';
import type { Expansions } from './read-expand.js';
import type { Selection } from './read-select.js';

const model = createSampleModel({
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
const item = findSampleType(model, 'ITEM');
const seal = { key: new Uint8Array(32), binding: '' };

const ask = ($expand: string) => buildEntriesQuery(item, model, { $expand, $select: 'ID' }, seal);

/** `ORDER(NO,COUNTRY)`, with a star behind what `$select` did not choose. */
const expanded = ($expand: string): readonly string[] => {
  const result = ask($expand);
  if (!result.ok) throw new Error(result.failure.detail);
  return expansionsIn(result.value);
};

/** Behind a colon what is read by a statement of its own. */
const expansionsIn = ({ expanded, linked }: Expansions): readonly string[] => [
  ...expanded.map(({ navigation, ...selection }) => navigation.name + selectionIn(selection)),
  ...linked.map(({ navigation, entries }) => {
    const { query, pageSize, isCounted } = entries;
    const filters = (query.parsedFilters ?? []).map(
      ({ parameter, expression }) => `${parameter} ${printDataFilter(expression)}`,
    );
    const options = [...expansionsIn(entries), ...filters, query.sort ?? [], isCounted ? 'count' : []].flat();
    const page = pageSize < 5_000 || query.keyset?.skip ? [`${query.keyset?.skip ?? 0}+${pageSize}`] : [];
    return `${navigation.name}${selectionIn(entries)}: ${[...options, ...page].join('; ')}`.trim();
  }),
];

const selectionIn = ({ shown, isSelected }: Selection): string =>
  `(${shown.map(({ name }) => name).join()})${isSelected ? '' : '*'}`;

const refusal = ($expand: string): string => {
  const result = ask($expand);
  if (result.ok) return 'read';
  const { code, faults = [] } = result.failure;
  return [code, ...faults.map(({ message, position }) => `[${position}] ${message}`)].join(' ');
};

const order = 'ORDER(NO,COUNTRY,DUE_x002D_DAY)*';
const supplier = '_x0053_UPPLIER(ID,NAME)*';
const note = 'DELIVERY_x002D_NOTE(ID)*';
const parts = 'PARTS(ID)*:';

describe('$expand', () => {
  it.each<readonly [text: string, expected: readonly string[]]>([
    ['ORDER', [order]],
    ['_x0053_UPPLIER,ORDER', [order, supplier]],
    [' SUPPLIER ,\tDELIVERY-NOTE ', [supplier, note]],
    ['DELIVERY_x002D_NOTE', [note]],
    ['*', [order, supplier, note, parts]],
    ['ORDER($select=NO),*', ['ORDER(NO)', supplier, note, parts]],
    ['* , DELIVERY-NOTE(select=*)', [order, supplier, note, parts]],
    ['ORDER($select=COUNTRY,NO),SUPPLIER(select=NAME)', ['ORDER(COUNTRY,NO)', '_x0053_UPPLIER(NAME)']],
    ['ORDER ( $Select = DUE-DAY , NO,DUE_x002D_DAY ) , SUPPLIER', ['ORDER(DUE_x002D_DAY,NO)', supplier]],
    ['ORDER($select=*)', [order]],
    ['PARTS', [parts]],
    ['PARTS($select=ID),ORDER', [order, 'PARTS(ID):']],
    ["PARTS($filter=ID eq 'a;b)(';$orderby=ID desc)", ["PARTS(ID)*: $expand ID eq 'a;b)('; -ID"]],
    ['PARTS(top=3;$SKIP=2;count=true)', ['PARTS(ID)*: count; 2+3']],
    ['PARTS($top=0;$count=false)', ['PARTS(ID)*: 0+0']],
    ['ORDER($expand=ITEM($select=ID))', ['ORDER(NO,COUNTRY,DUE_x002D_DAY)*: ITEM(ID):; 0+1']],
    ['ORDER($select=NO;$expand=ITEM)', ['ORDER(NO): ITEM(ID,SUPPLIER,NOTE)*:; 0+1']],
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
      'GENERAL_PARAMETER_ILLEGAL [6] $expand, character 7: Expected $select= and its value, as in $select=A,B.',
    ],
    ['ORDER($select)', 'GENERAL_PARAMETER_ILLEGAL [6]'],
    ['ORDER($select=NO;)', 'GENERAL_PARAMETER_ILLEGAL [17]'],
    [
      'ORDER($slect=NO)',
      'GENERAL_PARAMETER_ILLEGAL [6] $expand, character 7: Expected $select= and its value, as in $select=A,B. Did you mean $select?',
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
      'PARTS($filter=ID eq 1;$top=x)',
      'GENERAL_PARAMETER_ILLEGAL [27] $expand, character 28: $top is a number of at most nine digits',
    ],
    [
      'PARTS($skip=)',
      'GENERAL_PARAMETER_ILLEGAL [12] $expand, character 13: $skip is a number of at most nine digits, but there is nothing.',
    ],
    [
      'PARTS($count=1)',
      'GENERAL_PARAMETER_ILLEGAL [13] $expand, character 14: $count is true or false, but there is 1.',
    ],
    ['PARTS($filter=IT eq 1)', 'KM_FIELD_NOTFOUND [14]'],
    ['PARTS($filter=ID eq)', 'KM_FILTER_SYNTAX [19]'],
    ['PARTS($orderby=ID,IX)', 'SORT_UNKNOWN_FIELD [18]'],
    [
      'PARTS($fliter=ID eq 1)',
      'GENERAL_PARAMETER_ILLEGAL [6] $expand, character 7: Expected $select= and its value, as in $select=A,B. Did you mean $filter?',
    ],
    ['PARTS($top=1;top=2)', 'GENERAL_PARAMETER_ILLEGAL [13] $expand, character 14: $top stands there twice.'],
    [
      'ORDER($expand=ITEM($expand=ORDER))',
      'ODATA_OPTION_UNSUPPORTED [19] $expand, character 20: Entries are expanded 2 steps deep; read the entity set of ITEM with $expand.',
    ],
    [
      'ORDER($expand=ITEN)',
      'KM_FIELD_NOTFOUND [14] $expand, character 15: There is no navigation property ITEN in ORDER. Did you mean ITEM?',
    ],
    [
      'ORDER/ITEM',
      'ODATA_OPTION_UNSUPPORTED [0] $expand, character 1: /ITEM is not supported here; what it leads to is expanded in its parentheses, as in ORDER($expand=NAME).',
    ],
    ['ORDER/$ref', 'ODATA_OPTION_UNSUPPORTED [0] $expand, character 1: /$ref is not supported here'],
    ['*/$ref', 'ODATA_OPTION_UNSUPPORTED [0]'],
    ['*($levels=2)', 'ODATA_OPTION_UNSUPPORTED [0] $expand, character 1: * has no options here.'],
    ['$value', 'ODATA_OPTION_UNSUPPORTED [0] $expand, character 1: $value is not supported here.'],
    ...[
      ...['$levels=2', '$count=true', "$filter=NO eq 'a;b)('", '$orderby=NO', '$top=1', '$skip=1'],
      String.raw`$search="a;b)(\";"`,
    ].map((option) => [
      `ORDER(${option})`,
      `ODATA_OPTION_UNSUPPORTED [6] $expand, character 7: ${option.replace(/=.*/, '')} is not`,
    ]),
    [
      'ORDER($select=NO;levels=max)',
      'ODATA_OPTION_UNSUPPORTED [17] $expand, character 18: levels is not supported here; there are $select, $expand.',
    ],
  ])('%j is refused', (text = '', told = '') => expect(refusal(text)).toContain(told));

  it('selects the fields of related entries in addition to those of the entries', () => {
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

  it('allows at most twenty collections', () => {
    const ways = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`W${at}`, 'PART*']));
    const wide = createSampleModel({
      HUB: { fields: { ID: 'string' }, key: ['ID'], ways },
      PART: { fields: { ID: 'string' }, key: ['ID'] },
    });
    const result = buildEntriesQuery(findSampleType(wide, 'HUB'), wide, { $expand: '*' }, seal);
    expect(result).toMatchObject({ failure: { detail: expect.stringContaining('At most 20 navigation properties') } });
  });

  it('is refused for a collection of entries without a key', () => {
    const keyless = createSampleModel({
      LOG: { fields: { TEXT: 'string' }, ways: { PARTS: 'PART*' } },
      PART: { fields: { ID: 'string' }, key: ['ID'] },
    });
    const result = buildEntriesQuery(findSampleType(keyless, 'LOG'), keyless, { $expand: 'PARTS' }, seal);
    expect(result).toMatchObject({ failure: { detail: expect.stringContaining('Entries of LOG have no key') } });
  });

  it('reduces the page size for expanded collections', () => {
    const sizes = ['ORDER', 'PARTS'].map(($expand) => buildEntriesQuery(item, model, { $expand }, seal));
    expect(sizes).toMatchObject([{ value: { pageSize: 5_000 } }, { value: { pageSize: 100 } }]);
    const preferred = buildEntriesQuery(item, model, { $expand: 'PARTS', prefer: 'maxpagesize=4000' }, seal);
    expect(preferred).toMatchObject({ value: { pageSize: 500, preferred: 500 } });
  });
});

describe('the entries of an expanded navigation property', () => {
  const linkedOf = ($expand: string, aliases?: Readonly<Record<string, string>>) => {
    const result = buildEntriesQuery(item, model, { $expand, aliases }, seal);
    if (!result.ok) throw new Error(result.failure.detail);
    const [linked] = result.value.linked;
    if (!linked) throw new Error('Nothing is linked.');
    return linked;
  };
  /** Without where a condition or an order stands in the text. */
  const askedBy = ({ query, shown, expanded, isCounted }: EntriesQuery) => {
    const { parsedFilters = [], orderValues = [], pageSize: _pageSize, ...asked } = query;
    return {
      ...{ asked, isCounted, expanded },
      shown: shown.map(({ name }) => name),
      filters: parsedFilters.map(({ expression }) => printDataFilter(expression)),
      orders: orderValues.map(({ id }) => id),
    };
  };

  it.each([
    [''],
    ['$select=ID'],
    ["$filter=ID eq 'a' or not contains(ID,'b;c')"],
    ['$orderby=ID desc'],
    ['$orderby=length(ID) desc,ID'],
    ['$top=7;$skip=3;$count=true'],
    ['$filter=ID eq @p;$select=ID;$orderby=concat(ID,@p)'],
    ["$filter=ID in ('x',@p)"],
  ])('have the same query as on the navigation path for %s', (options) => {
    const aliases = { '@p': "'q'" };
    const { entries, request, navigation } = linkedOf(`PARTS${options === '' ? '' : `(${options})`}`, aliases);
    const part = findSampleType(model, navigation.record);
    const alone = buildEntriesQuery(part, model, request, seal);
    if (!alone.ok) throw new Error(alone.failure.detail);
    expect(askedBy(entries)).toEqual(askedBy(alone.value));
    expect(entries.bindToken('x')).toBe(alone.value.bindToken('x'));
    expect(entries.bindToken('x')).not.toBe(entries.bindToken('y'));
    expect(alone.value.tokenBinding).toBe(alone.value.bindToken(seal.binding));
  });

  it('have a next link with their own options', () => {
    const { request } = linkedOf('PARTS( $filter = ID eq @p ; $orderby=ID desc; $count=true)', { '@p': "'q'" });
    const link = formatNextLink(
      { root: 'https://host/m.svc/', setName: "ITEM_entries('a')/PARTS" },
      request,
      'token',
      5,
    );
    const { pathname, searchParams } = new URL(link);
    expect(pathname).toBe("/m.svc/ITEM_entries('a')/PARTS");
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ $filter: 'ID eq @p', '@p': "'q'", $orderby: 'ID desc', $count: 'true' },
      ...{ $top: '5', $skiptoken: 'token' },
    });
  });

  it('have the positions of type faults in the whole text', () => {
    const $expand = 'ORDER,PARTS($select=ID;$filter=ID gt 1;$orderby=length(ID))';
    const { entries } = linkedOf($expand);
    const [filter] = entries.query.parsedFilters ?? [];
    const [order] = entries.query.orderValues ?? [];
    expect([filter?.text, order?.text]).toEqual([$expand, $expand]);
    expect([filter?.parameter, order?.parameter]).toEqual(['$expand', '$expand']);
    expect(filter?.expression).toMatchObject({ field: { start: $expand.indexOf('ID gt') } });
  });

  it('ignore delimiters inside the phrases of a search', () => {
    const { entries } = linkedOf(String.raw`PARTS($search="a;b)," NOT "\"(";$top=1),ORDER`);
    expect(entries.query.search).toMatchObject({ term: 'a;b),' });
    expect(entries.query.parsedFilters).toMatchObject([{ parameter: '$expand', expression: { kind: 'not' } }]);
    expect(entries.pageSize).toBe(1);
  });

  it('may be expanded further with their own options', () => {
    const { entries } = linkedOf('ORDER($expand=ITEM($filter=NOTE ne null;$top=2))');
    const [inner] = entries.linked;
    expect(entries).toMatchObject({ pageSize: 1, type: { name: 'ORDER' } });
    expect(inner?.entries).toMatchObject({ pageSize: 2, type: { name: 'ITEM' }, linked: [] });
    expect(inner?.request).toMatchObject({ $filter: 'NOTE ne null', $top: 2 });
  });
});
