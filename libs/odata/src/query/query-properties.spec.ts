import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DataExpression } from '@tessera/filter';
import { printDataFilter } from '@tessera/filter/testing';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import { chooseRepresentation } from './choose-representation.js';
import {
  buildCountQuery,
  buildEntriesQuery,
  type EntriesRequest,
  formatNextLink,
  parsePreferredPageSize,
} from './entries-query.js';
import { buildEntryQuery } from './entry-query.js';
import { openToken, sealToken } from './skip-token.js';

const model = createSampleModel({
  ITEM: {
    fields: { ID: 'string', NO: 'integer', A_x002D_B: 'string', AMOUNT: 'float', DUE: 'date', AT: 'timestamp' },
    key: ['ID', 'NO'],
    ways: { MADE_x002D_BY: 'SUPPLIER' },
  },
  SUPPLIER: { fields: { NAME: 'string', A_x002D_B: 'integer' }, key: ['NAME'] },
});
const item = findSampleType(model, 'ITEM');
const names = [...item.propertyByName.keys()];
const seal = { key: new Uint8Array(32).fill(3), binding: 'team' };

/** Options by what they mean, and the same written in one of many ways. */
const space = fc.constantFrom('', ' ', '\t');
const spaceBetween = fc.constantFrom(' ', '  ', '\t ');
const text = fc.string({ unit: fc.constantFrom(...'abÄ漢💥 \'"%&+#=?/\\,();$') });
const quoted = text.map((value) => `'${value.replaceAll("'", "''")}'`);
const property = fc.constantFrom(...names, 'A-B', 'SUPPLIER/NAME', 'MADE_x002D_BY/A-B');
const condition = fc
  .tuple(property, fc.constantFrom('eq', 'ne', 'gt', 'le'), quoted)
  .map(([name, operator, value]) => `${name} ${operator} ${value}`);
const filter = fc
  .tuple(condition, fc.constantFrom(' and ', ' or '), condition)
  .map(([left, joint, right]) => `not (${left})${joint}${right}`);
const order = fc
  .uniqueArray(fc.constantFrom(...names), { minLength: 1 })
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map((name) => fc.tuple(fc.constant(name), fc.constantFrom('asc', 'desc', ''), space, spaceBetween)),
    ),
  );

const request = fc.record(
  {
    $filter: fc.oneof(condition, filter),
    filterid: fc.array(fc.stringMatching(/^[A-Z]{1,5}$/), { minLength: 1 }),
    $select: fc.array(fc.constantFrom(...names), { minLength: 1 }).map((chosen) => chosen.join(', ')),
    $orderby: order.map((items) =>
      items
        .map(([name, direction, around, between]) => `${around}${name}${direction && between}${direction}${around}`)
        .join(','),
    ),
    $count: fc.boolean(),
    $top: fc.nat(20_000),
    $skip: fc.nat(),
    prefer: fc.nat(9_000).map((size) => `odata.maxpagesize=${size}`),
  },
  { requiredKeys: [] },
);

const ask = (asked: EntriesRequest) => {
  const result = buildEntriesQuery(item, model, asked, seal);
  if (!result.ok) throw new Error(result.failure.detail);
  return result.value;
};

/** What a link asks for, read as any server reads it. */
const requestOf = (link: string): EntriesRequest => {
  const options = new URL(link).searchParams;
  const [$top, filterid] = [options.get('$top'), options.getAll('filterid')];
  return {
    ...Object.fromEntries(
      ['$filter', '$select', '$orderby', '$skiptoken'].flatMap((name) =>
        options.has(name) ? [[name, options.get(name)]] : [],
      ),
    ),
    ...(filterid.length > 0 && { filterid }),
    ...($top !== null && { $top: Number($top) }),
    ...(options.has('$count') && { $count: options.get('$count') === 'true' }),
  };
};

describe('a next link', () => {
  it('continues the same query after the last row of the page', () => {
    fc.assert(
      fc.property(request, fc.array(fc.option(text)), (asked, values) => {
        const first = ask(asked);
        const token = sealToken(seal.key, first.tokenBinding, values);
        const address = { root: 'https://host/odata/m.svc/', setName: item.setName };
        const link = formatNextLink(address, asked, token, first.topLeft);
        expect(link).toMatch(/^https:\/\/host\/odata\/m\.svc\/ITEM_entries\?[!-~]*$/);
        const next = ask(requestOf(link));
        const { keyset: _keyset, pageSize: _pageSize, ...query } = first.query;
        expect(next.query).toMatchObject({ ...query, keyset: { skip: 0, after: values } });
        expect(next.shown).toEqual(first.shown);
        expect(next.isCounted).toBe(first.isCounted);
        expect(next.tokenBinding).toBe(first.tokenBinding);
        if (asked.$top !== undefined) expect(first.pageSize + (first.topLeft ?? NaN)).toBe(asked.$top);
      }),
    );
  });

  it('keeps $format, and replaces $skip, $top and $skiptoken', () => {
    const asked = {
      $format: 'application/json;odata.metadata=none',
      $skip: 5,
      $skiptoken: 'old',
      $top: 9,
      prefer: 'x',
    };
    expect(formatNextLink({ root: 'https://host/', setName: 'ITEM_entries' }, asked, 'new', 4)).toBe(
      'https://host/ITEM_entries?$format=application%2Fjson%3Bodata.metadata%3Dnone&$top=4&$skiptoken=new',
    );
    expect(formatNextLink({ root: 'https://host/', setName: 'E' }, { $count: false, filterid: ['a', 'b'] }, 't')).toBe(
      'https://host/E?filterid=a&filterid=b&$skiptoken=t',
    );
  });
});

it('a filter with OData names means the same as one with ids', () => {
  const printed = (expression: DataExpression | undefined): string => (expression ? printDataFilter(expression) : '');
  fc.assert(
    fc.property(fc.oneof(condition, filter), ($filter) => {
      const byId = $filter.replaceAll(/\bA_x002D_B\b/g, 'A-B').replaceAll(/\bMADE_x002D_BY\b/g, 'SUPPLIER');
      const [left, right] = [$filter, byId].map((each) =>
        printed(ask({ $filter: each }).query.parsedFilters?.[0]?.expression),
      );
      expect(left).toBe(right);
    }),
  );
});

it('a key of any text is parsed to the same values', () => {
  fc.assert(
    fc.property(text, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.boolean(), (id, no, isTurned) => {
      const parts = [`ID='${id.replaceAll("'", "''")}'`, `NO=${no}`];
      const result = buildEntryQuery(item, model, { key: `(${(isTurned ? parts.toReversed() : parts).join(',')})` });
      const expression = result.ok ? result.value.query.parsedFilters?.[0]?.expression : undefined;
      expect(expression).toMatchObject({
        operands: expect.arrayContaining([
          expect.objectContaining({
            field: expect.objectContaining({ name: 'ID' }),
            literal: expect.objectContaining({ text: id }),
          }),
          expect.objectContaining({ literal: expect.objectContaining({ text: String(no) }) }),
        ]),
      });
    }),
  );
});

describe('no hostile text', () => {
  const readers: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
    ['$select', ($select) => buildEntriesQuery(item, model, { $select }, seal)],
    ['$expand', ($expand) => buildEntriesQuery(item, model, { $expand }, seal)],
    ['$orderby', ($orderby) => buildEntriesQuery(item, model, { $orderby }, seal)],
    ['$filter', ($filter) => buildCountQuery(item, model, { $filter })],
    ['$skiptoken', ($skiptoken) => buildEntriesQuery(item, model, { $skiptoken }, seal)],
    ['a token', (token) => openToken(seal.key, '', token)],
    ['a key', (key) => buildEntryQuery(item, model, { key })],
    ['Prefer', (prefer) => parsePreferredPageSize(prefer, 5_000)],
    ['$format', ($format) => chooseRepresentation('entries', { $format })],
    ['Accept', (accept) => chooseRepresentation('entries', { accept })],
    ['OData-MaxVersion', (odataMaxVersion) => chooseRepresentation('entries', { odataMaxVersion })],
    ['an option of a link', ($filter) => formatNextLink({ root: 'https://host/', setName: 'E' }, { $filter }, 't')],
  ];
  const pieces = [
    ...['(', ')', "'", '"', ',', ';', '=', ' ', '/', '.', '*', '+', '-', '\\', '\0', '\ud800', '%27', '💥'],
    ...[
      'ID',
      'NO',
      'A-B',
      'eq',
      'and',
      'not',
      'in',
      'desc',
      'q=0',
      'application/json',
      'odata.maxpagesize=',
      '_x002D_',
      '1',
    ],
  ];
  const hostile = fc.array(fc.constantFrom(...pieces), { maxLength: 200 }).map((parts) => parts.join(''));

  it.each(readers)('makes the parser of %s throw', (_name, read) => {
    fc.assert(fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (each) => void read(each)));
  });

  const repeated = [
    'x',
    'ID,',
    'ID desc,',
    "('",
    "(ID='",
    "''",
    'a/b;q=0,',
    'a/b;c="',
    ' ,',
    'ID eq 1 and ',
    'SUPPLIER(',
    'SUPPLIER($select=ID),',
    'S(;',
  ];
  const around = [
    ['', ''],
    ['(', ''],
    ["('", ''],
    ['ID ', 'x'],
    ['a/b;', '!'],
    ['"', '"x'],
  ] as const;

  /** All of it takes a part of a second; a reader that begins anew at each place would need minutes. */
  it.each(readers)('slows down the parser of %s', (_name, read) => {
    const began = performance.now();
    for (const piece of [...pieces, ...repeated])
      for (const [before, after] of around)
        read((before + piece.repeat(40_000 / piece.length)).slice(0, 39_990) + after);
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});
