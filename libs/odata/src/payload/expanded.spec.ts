/** Entries with related ones in them, in both formats, from rows in which both have their places. */
import { describe, expect, it } from '@jest/globals';
import type { Representation } from '../query/choose-representation.js';
import { findXmlFault } from '../testing/read-feed.js';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import { createPayloadSerializer } from './payload-of.js';
import type { ExpandedEntryLayout, NavigationEntries, NavigationEntriesLayout, PayloadLayout, Row } from './payload.js';

const model = createSampleModel({
  ITEM: { fields: { ID: 'string' }, key: ['ID'], ways: { ORDER: 'ORDER', BIN: 'BIN' } },
  ORDER: { fields: { NO: 'integer', NOTE: 'string' }, key: ['NO'], ways: { ITEM: 'ITEM*' } },
  BIN: { fields: { NAME: 'string' } },
});
const root = 'https://host/m.svc/';

type Format = Representation['format'];
const json: Format = { kind: 'json', metadata: 'minimal', ieee754Compatible: true };
const xml: Format = { kind: 'xml' };

const expandedOf = (name: string, places: Readonly<Record<string, number>>, presence: number): ExpandedEntryLayout => {
  const type = findSampleType(model, name);
  return { name, type, shown: type.properties, isSelected: false, places: new Map(Object.entries(places)), presence };
};
/** Of rows with the id, the number and the note of the order, the name of the bin, and whether there is a bin. */
const order = expandedOf('ORDER', { NO: 1, NOTE: 2 }, 1);
const bin = expandedOf('BIN', { NAME: 3 }, 4);

const subjectOf = (format: Format, ...expanded: readonly ExpandedEntryLayout[]): PayloadLayout => {
  const type = findSampleType(model, 'ITEM');
  const representation = { version: '4.01', contentType: '', format } as const;
  const places = new Map([['ID', 0]]);
  return {
    root,
    type,
    shown: type.properties,
    isSelected: false,
    expanded,
    linked: [],
    places,
    representation,
    isOne: false,
  };
};

const textOf = (subject: PayloadLayout, ...rows: readonly Row[]): string => {
  const { head, writer, separator, tail } = createPayloadSerializer(subject, new Date(0));
  return head() + rows.map(writer()).join(separator) + tail();
};

const rows: readonly Row[] = [
  ['a', '7', 'x < y & "z"', null, 'b'],
  ['b', null, null, null, null],
];

describe('related entries', () => {
  it('are written like entries, in the order of the model', () => {
    expect(JSON.parse(textOf(subjectOf(json, bin, order), ...rows))).toEqual({
      '@odata.context': `${root}$metadata#ITEM_entries(BIN(),ORDER())`,
      value: [
        { ID: 'a', ORDER: { NO: '7', NOTE: 'x < y & "z"' }, BIN: { NAME: null } },
        { ID: 'b', ORDER: null, BIN: null },
      ],
    });
    const full: Format = { kind: 'json', metadata: 'full', ieee754Compatible: false };
    expect(Object.entries(JSON.parse(textOf(subjectOf(full, order), ...rows)).value[0].ORDER)).toEqual([
      ['@odata.type', '#ODataKnowledgeModel.ORDER'],
      ['@odata.id', `${root}ORDER_entries(7)`],
      ['@odata.readLink', `${root}ORDER_entries(7)`],
      ['NO@odata.type', 'Int64'],
      ['NO', 7],
      ['NOTE', 'x < y & "z"'],
      ['ITEM@odata.navigationLink', `${root}ORDER_entries(7)/ITEM`],
    ]);
  });

  it('are inlined in Atom in a link, whose address is that of the related entry or of the navigation', async () => {
    const text = textOf(subjectOf(xml, order, bin), ...rows);
    expect(await findXmlFault(text)).toBeUndefined();
    const links = [...text.matchAll(/title="(ORDER|BIN)" href="([^"]*)"><m:inline>(<entry><id>[^<]{0,16})?/g)];
    expect(links.map(([, ...found]) => found)).toEqual([
      ['ORDER', `${root}ORDER_entries(7)`, '<entry><id>https://host/m.s'],
      ['BIN', `${root}ITEM_entries('a')/BIN`, '<entry><id>odata:transient:'],
      ['ORDER', `${root}ITEM_entries('b')/ORDER`, undefined],
      ['BIN', `${root}ITEM_entries('b')/BIN`, undefined],
    ]);
    expect(text).toContain('<d:NOTE>x &lt; y &amp; "z"</d:NOTE>');
    const one = { ...subjectOf(xml, order), isOne: true };
    expect(await findXmlFault(textOf(one, ...rows.slice(0, 1)))).toBeUndefined();
  });

  it('change the cache key', () => {
    const keys = [[], [order], [bin], [order, bin], [{ ...order, shown: order.shown.slice(1) }]].map(
      (expanded) => createPayloadSerializer(subjectOf(json, ...expanded), new Date(0)).key,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('linked entries', () => {
  const item = findSampleType(model, 'ITEM');
  const orderType = findSampleType(model, 'ORDER');
  const related: Readonly<Record<string, NavigationEntries>> = {
    '7': { rows: [['a'], ['b']], count: '5', nextLink: (address) => `${address}?$skiptoken=x` },
    '8': { rows: [], count: '0' },
  };
  const items: NavigationEntriesLayout = {
    ...{ name: 'ITEM', type: item, shown: item.properties, isSelected: true, places: new Map([['ID', 0]]) },
    ...{ isCollection: true, isCounted: true, expanded: [], linked: [] },
    entriesOf: ([no]) => related[no ?? ''] ?? { rows: [], count: '0' },
  };
  const ordersWith = (linked: readonly NavigationEntriesLayout[], format: Format = json) =>
    JSON.parse(
      textOf(
        {
          ...subjectOf(format),
          ...{ type: orderType, shown: orderType.key, isSelected: true, linked, places: new Map([['NO', 0]]) },
        },
        ['7'],
        ['8'],
      ),
    );

  it('are a list with the count and a next link', () => {
    expect(ordersWith([items])).toEqual({
      '@odata.context': `${root}$metadata#ORDER_entries(NO,ITEM(ID))`,
      value: [
        {
          ...{ NO: '7', 'ITEM@odata.count': '5', ITEM: [{ ID: 'a' }, { ID: 'b' }] },
          'ITEM@odata.nextLink': `${root}ORDER_entries(7)/ITEM?$skiptoken=x`,
        },
        { NO: '8', 'ITEM@odata.count': '0', ITEM: [] },
      ],
    });
    const plain: Format = { kind: 'json', metadata: 'none', ieee754Compatible: false };
    expect(ordersWith([{ ...items, isCounted: false }], plain).value[1]).toEqual({ NO: 8, ITEM: [] });
  });

  it('are a single entry or null, and may have linked entries of their own', () => {
    const one = { ...items, isCollection: false, isCounted: false };
    expect(ordersWith([one]).value).toMatchObject([{ ITEM: { ID: 'a' } }, { ITEM: null }]);
    const inner: NavigationEntriesLayout = { ...items, name: 'ORDER', type: orderType, shown: orderType.key };
    const deep = {
      ...items,
      linked: [{ ...inner, places: new Map([['NO', 0]]), entriesOf: () => ({ rows: [['9']], count: '1' }) }],
    };
    const answer = ordersWith([deep]);
    expect(answer['@odata.context']).toBe(`${root}$metadata#ORDER_entries(NO,ITEM(ID,ORDER(NO)))`);
    expect(answer.value[0].ITEM[1]).toEqual({ ID: 'b', 'ORDER@odata.count': '1', ORDER: [{ NO: '9' }] });
  });

  it('have the requested metadata', () => {
    const full: Format = { kind: 'json', metadata: 'full', ieee754Compatible: false };
    const [first] = ordersWith([items], full).value;
    expect(first.ITEM[0]).toMatchObject({ '@odata.id': `${root}ITEM_entries('a')` });
    expect(first['ITEM@odata.navigationLink']).toBe(`${root}ORDER_entries(7)/ITEM`);
  });
});
