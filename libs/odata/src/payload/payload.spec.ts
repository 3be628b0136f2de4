/** What answers say, in JSON and in Atom, whatever is in the rows. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createEntityModel } from '../model/entity-model-of.js';
import type { EntityModel, EntityType } from '../model/entity-model.js';
import type { ODataVersion, Representation } from '../query/choose-representation.js';
import { parseAtomEntry, parseAtomFeed, findXmlFault } from '../testing/read-feed.js';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import { ordersDefinition, createView } from '../testing/sample-views.js';
import { requiredFieldIds, createPayloadSerializer } from './payload-of.js';
import type { PayloadLayout, Row } from './payload.js';

const orders = createEntityModel(createView(ordersDefinition));
const root = 'https://host/orders.svc/';
const now = new Date(Date.UTC(2026, 0, 31, 8, 30));

type Format = Representation['format'];
const json = (metadata: 'none' | 'minimal' | 'full', ieee754Compatible = false): Format => ({
  kind: 'json',
  metadata,
  ieee754Compatible,
});
const xml: Format = { kind: 'xml' };

type Asked = { readonly format?: Format; readonly version?: ODataVersion; readonly select?: readonly string[] };

const subjectOf = (
  model: EntityModel,
  type: EntityType,
  { format = json('minimal'), version = '4.01', select }: Asked,
): PayloadLayout => {
  const shown = type.properties.filter(({ name }) => select?.includes(name) ?? true);
  const representation = { version, contentType: '', format };
  const ids = [...new Set([...shown.map(({ id }) => id), ...requiredFieldIds({ type, representation })])];
  const places = new Map(ids.map((id, place) => [id, place]));
  return {
    root,
    type,
    shown,
    isSelected: select !== undefined,
    expanded: [],
    linked: [],
    places,
    representation,
    isOne: false,
  };
};

type Values = Readonly<Record<string, string | null>>;

const rowOf = ({ places }: PayloadLayout, values: Values): Row => [...places.keys()].map((id) => values[id] ?? null);

const pageText = (subject: PayloadLayout, rows: readonly Values[], count?: string, nextLink?: string): string => {
  const { head, writer, separator, tail } = createPayloadSerializer(subject, now);
  const write = writer();
  return head(count) + rows.map((row) => write(rowOf(subject, row))).join(separator) + tail(nextLink);
};

const entryText = (subject: PayloadLayout, row: Values): string => pageText({ ...subject, isOne: true }, [row]);

const item: Values = {
  ORDER_NO: 'A & B',
  'ITEM-NO': '10',
  AMOUNT: '120.5000',
  EXACT: '120.5000',
  QTY: '9007199254740993',
  OPEN: 't',
  DAY: '2026-01-31',
  CLOCK: '08:30:00',
  AT: '2026-01-31 08:30:00',
  MOMENT: '2026-01-31 07:30:00.25+00',
  SUPPLIER: '7',
};

const itemType = findSampleType(orders, 'ITEM');

describe('entries as JSON', () => {
  it('have their context first, then the count, the values, and the next link', () => {
    const subject = subjectOf(orders, itemType, { select: ['ORDER_NO', 'ITEM_x002D_NO'] });
    expect(pageText(subject, [item, { ...item, 'ITEM-NO': '20' }], '2', `${root}next?a=1&b="2"`)).toBe(
      `{"@odata.context":"${root}$metadata#ITEM_entries(ORDER_NO,ITEM_x002D_NO)","@odata.count":2,"value":[` +
        '{"ORDER_NO":"A & B","ITEM_x002D_NO":10},{"ORDER_NO":"A & B","ITEM_x002D_NO":20}],' +
        `"@odata.nextLink":"${root}next?a=1&b=\\"2\\""}`,
    );
    expect(pageText(subjectOf(orders, itemType, {}), [])).toBe(
      `{"@odata.context":"${root}$metadata#ITEM_entries","value":[]}`,
    );
  });

  it('have only values, count and next page without metadata', () => {
    const subject = subjectOf(orders, itemType, { format: json('none'), select: ['OPEN'] });
    expect(pageText(subject, [item], '1', 'next')).toBe(
      '{"@odata.count":1,"value":[{"OPEN":true}],"@odata.nextLink":"next"}',
    );
    expect(entryText(subject, item)).toBe('{"OPEN":true}');
  });

  it('have type annotations with full metadata, in the syntax of their version', () => {
    const typesOf = (version: ODataVersion, values: Values = item) => {
      const entry = JSON.parse(entryText(subjectOf(orders, itemType, { format: json('full'), version }), values));
      return Object.fromEntries(Object.entries(entry).filter(([name]) => name.endsWith('@odata.type')));
    };
    expect(typesOf('4.01')).toEqual({
      '@odata.type': '#ODataKnowledgeModel.ITEM',
      'ITEM_x002D_NO@odata.type': 'Int64',
      'EXACT@odata.type': 'Decimal',
      'QTY@odata.type': 'Int64',
      'DAY@odata.type': 'Date',
      'CLOCK@odata.type': 'TimeOfDay',
      'AT@odata.type': 'DateTimeOffset',
      'MOMENT@odata.type': 'DateTimeOffset',
      'PARENT@odata.type': 'Int64',
    });
    expect(typesOf('4.0')).toMatchObject({ '@odata.type': '#ODataKnowledgeModel.ITEM', 'QTY@odata.type': '#Int64' });
    expect(typesOf('4.01', { ...item, AMOUNT: 'NaN' })).toMatchObject({ 'AMOUNT@odata.type': 'Double' });
  });

  it('are one object with its context for a single entry', () => {
    expect(entryText(subjectOf(orders, itemType, { select: ['DAY', 'ORDER_NO', 'ITEM_x002D_NO'] }), item)).toBe(
      `{"@odata.context":"${root}$metadata#ITEM_entries(ORDER_NO,ITEM_x002D_NO,DAY)/$entity",` +
        '"ORDER_NO":"A & B","ITEM_x002D_NO":10,"DAY":"2026-01-31"}',
    );
  });
});

describe('ids', () => {
  const idOf = (asked: Asked, values: Values = item, model = orders, type = itemType): unknown =>
    JSON.parse(entryText(subjectOf(model, type, asked), values))['@odata.id'];
  const address = `${root}ITEM_entries(ORDER_NO='A%20%26%20B',ITEM_x002D_NO=10)`;

  it('are present where the key properties are not selected', () => {
    expect(idOf({ format: json('full') })).toBe(address);
    expect(idOf({ select: ['ORDER_NO'] })).toBe(address);
    expect(idOf({ select: ['ORDER_NO', 'ITEM_x002D_NO'] })).toBeUndefined();
    expect(idOf({ format: json('none'), select: ['ORDER_NO'] })).toBeUndefined();
  });

  it('are null for an entry with a null key, and in version 4.0 for every entry without a key', () => {
    expect(idOf({ format: json('full') }, { ...item, ORDER_NO: null })).toBeNull();
    const keyless = createSampleModel({ LOOSE: { fields: { A: 'string' } } });
    const ofLoose = (asked: Asked) => idOf(asked, { A: 'a' }, keyless, findSampleType(keyless, 'LOOSE'));
    expect(ofLoose({ version: '4.0' })).toBeNull();
    expect([ofLoose({}), ofLoose({ format: json('full') })]).toEqual([undefined, undefined]);
    const feed = parseAtomFeed(
      pageText(subjectOf(keyless, findSampleType(keyless, 'LOOSE'), { format: xml }), [{}, {}]),
    );
    expect(new Set(feed.entries.map(({ id }) => id)).size).toBe(2);
    expect(feed.entries.map(({ id, links }) => [id.slice(0, 16), links])).toEqual([
      ['odata:transient:', {}],
      ['odata:transient:', {}],
    ]);
  });

  it.each([
    ['string', "O'Neil/%?#", "'O''Neil%2F%25%3F%23'"],
    ['integer', '-7', '-7'],
    ['float', '1.50', '1.5'],
    ['boolean', 't', 'true'],
    ['date', '2026-01-31', '2026-01-31'],
    ['time', '08:30:00', '08%3A30%3A00'],
    ['datetime', '2026-01-31 08:30:00', '2026-01-31T08%3A30%3A00Z'],
    ['timestamp', '2026-01-31 08:30:00+00', '2026-01-31T08%3A30%3A00Z'],
  ] as const)('have a key of type %s as it is written in addresses', (type, value, literal) => {
    const model = createSampleModel({ R: { fields: { K: type }, key: ['K'] } });
    expect(idOf({ format: json('full') }, { K: value }, model, findSampleType(model, 'R'))).toBe(
      `${root}R_entries(${literal})`,
    );
  });
});

describe('links to related entries', () => {
  const linksOf = (record: string, values: Values): Readonly<Record<string, unknown>> => {
    const type = findSampleType(orders, record);
    const text = entryText(subjectOf(orders, type, { format: json('full'), select: [] }), values);
    const found = Object.entries(JSON.parse(text)).filter(([name]) => name.endsWith('@odata.navigationLink'));
    const entry = parseAtomEntry(entryText(subjectOf(orders, type, { format: xml, select: [] }), values));
    const { self: _, ...related } = entry.links;
    // Both formats say the same.
    expect(Object.values(related)).toEqual(found.map(([, link]) => link));
    return Object.fromEntries(found.map(([name, link]) => [name.slice(0, name.indexOf('@')), link]));
  };

  it('start with the address of the entry', () => {
    const address = `${root}ITEM_entries(ORDER_NO='A%20%26%20B',ITEM_x002D_NO=10)`;
    expect(linksOf('ITEM', item)).toMatchObject({
      Container: `${address}/Container`,
      _x0053_UPPLIER: `${address}/_x0053_UPPLIER`,
    });
  });

  it('are left out when the entry has no address', () => expect(linksOf('SUPPLIER', { ID: null })).toEqual({}));
});

describe('entries as Atom', () => {
  it('are a feed with count, links and update time', async () => {
    const text = pageText(subjectOf(orders, itemType, { format: xml }), [item], '1', `${root}next?a=1&b=2`);
    expect(await findXmlFault(text)).toBeUndefined();
    const feed = parseAtomFeed(text);
    expect(feed).toMatchObject({ count: '1', links: { self: `${root}ITEM_entries`, next: `${root}next?a=1&b=2` } });
    const [entry] = feed.entries;
    expect(entry?.term).toBe('#ODataKnowledgeModel.ITEM');
    expect(entry?.links['self']).toBe(entry?.id);
    expect(entry?.types).toMatchObject({ QTY: 'Int64', AMOUNT: 'Double', EXACT: 'Decimal', OPEN: 'Boolean' });
    expect(entry?.types).not.toHaveProperty('ORDER_NO');
    expect(text.match(/<updated>2026-01-31T08:30:00.000Z<\/updated>/g)).toHaveLength(2);
    expect(text).toContain(`m:context="${root}$metadata#ITEM_entries"`);
  });

  it('are one document for a single entry', async () => {
    const text = entryText(subjectOf(orders, itemType, { format: xml, select: ['DAY'] }), item);
    expect(await findXmlFault(text)).toBeUndefined();
    expect(text).toContain(`m:context="${root}$metadata#ITEM_entries(DAY)/$entity"`);
    expect(parseAtomEntry(text)).toMatchObject({ properties: [['DAY', '2026-01-31']], types: { DAY: 'Date' } });
  });
});

describe('any values', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'&<>"\'\r\n\t \u0000\u0007\ufffe;lt]') }),
  );
  const values = fc.record({ A: fc.option(text), B: fc.option(text), K: text });
  const model = createSampleModel({ R: { fields: { A: 'string', B: 'string', K: 'string' }, key: ['K'] } });
  const type = findSampleType(model, 'R');
  const asXmlHolds = (value: string): string =>
    value.toWellFormed().replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');

  it('round-trip through JSON, and through Atom except for characters that XML does not allow', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 3 }), (rows) => {
        const { value } = JSON.parse(pageText(subjectOf(model, type, {}), rows));
        expect(value).toEqual(rows.map(({ A, B, K }) => ({ A, B, K })));
        const { entries } = parseAtomFeed(pageText(subjectOf(model, type, { format: xml }), rows));
        expect(entries.map(({ properties }) => properties)).toEqual(
          rows.map((row) => Object.entries(row).map(([name, each]) => [name, each === null ? null : asXmlHolds(each)])),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('are well-formed XML in Atom', async () => {
    const rows = fc.sample(values, { numRuns: 200, seed: 1 });
    expect(await findXmlFault(pageText(subjectOf(model, type, { format: xml }), rows))).toBeUndefined();
  });
});
