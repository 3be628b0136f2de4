/** Pages by the link of each to the next, while the table under them is replaced. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readAllPages, openODataClient, parseLinkOptions, type ODataClient } from '../testing/odata-client.js';
import { openQueryClient } from '../testing/query-client.js';
import { depotKeeperCaller, parcelCount, parcelsModel, createParcelsTable, racksTable } from '../testing/parcels.js';
import { readJsonAnswer, openFixture, readFailure, type Json, type Fixture } from '../testing/fixture.js';

const team = 'meridian';
const asker = { team, ...depotKeeperCaller };
const model = 'parcels';

let fixture: Fixture;
let odata: ODataClient;
let generation = 0;

const nextGeneration = (): Promise<void> => fixture.load(team, createParcelsTable(++generation));

beforeAll(async () => {
  fixture = await openFixture();
  for (const each of [team, 'northgate']) {
    await fixture.publish(each, parcelsModel, { ...parcelsModel, id: 'other' });
    await fixture.load(each, createParcelsTable(0), racksTable);
  }
  odata = openODataClient(fixture, openQueryClient(fixture));
});
afterAll(() => fixture.end());

const rowsOf = (pages: readonly Json[]): readonly Json[] => pages.flatMap(({ value }) => value);
const keyOf = ({ SHELF, PLACE }: Json): string => `${SHELF} ${PLACE}`;
const pageOf = (record: string) => (options: Readonly<Record<string, unknown>>) =>
  odata.page(asker, model, record, options);

const linkOf = async (record: string, options: Readonly<Record<string, unknown>>): Promise<string> =>
  (await readJsonAnswer(odata.page(asker, model, record, { prefer: 'maxpagesize=5', ...options })))['@odata.nextLink'];

describe('all pages of a set', () => {
  it.each([
    undefined,
    'WEIGHT',
    'WEIGHT desc',
    'CITY desc,WEIGHT',
    'WEIGHT,CITY desc',
    'ARRIVED desc,PLACE',
    'SHELF desc',
  ])('have each entry once, in order, while the table is reloaded: %s', async ($orderby) => {
    const options = { ...($orderby !== undefined && { $orderby }), prefer: 'odata.maxpagesize=37' };
    const whole = await readJsonAnswer(odata.page(asker, model, 'PARCEL', { ...options, prefer: undefined }));
    const pages = await readAllPages(pageOf('PARCEL'), options, nextGeneration);
    const entries = rowsOf(pages);
    expect(entries.map(keyOf)).toEqual(whole.value.map(keyOf));
    expect(new Set(entries.map(keyOf)).size).toBe(parcelCount);
    expect(new Set(entries.map(({ GENERATION }) => GENERATION)).size).toBe(pages.length);
    expect(pages.map(({ value }) => value.length)).toEqual([37, 37, 37, 37, 37, 37, 18]);
  });

  it('keep their query options, and end after $top entries', async () => {
    const options = { $filter: 'WEIGHT ne null', $select: 'CITY', $orderby: 'PLACE desc', $count: true };
    const all = await readJsonAnswer(odata.page(asker, model, 'PARCEL', options));
    expect(all.value).toHaveLength(160);
    for (const [$top, sizes] of [
      [25, [10, 10, 5]],
      [20, [10, 10]],
      [1_000, Array.from({ length: 16 }, () => 10)],
    ] as const) {
      const asked = { ...options, $skip: 3, $top, prefer: 'maxpagesize=10' };
      const pages = await readAllPages(pageOf('PARCEL'), asked);
      const expected = all.value.slice(3, 3 + $top);
      expect(pages.map(({ value }) => value.length)).toEqual($top === 1_000 ? [...sizes.slice(1), 7] : sizes);
      expect(rowsOf(pages)).toEqual(expected);
      expect(pages.map((page) => page['@odata.count'])).toEqual(pages.map(() => 160));
    }
  });

  it('end without a next link when the last page is full', async () => {
    const pages = await readAllPages(pageOf('PARCEL'), { prefer: `maxpagesize=${parcelCount / 4}` });
    expect(pages.map(({ value }) => value.length)).toEqual([60, 60, 60, 60]);
  });

  it('are the same when read from the cache', async () => {
    const cached = openODataClient(fixture, openQueryClient(fixture));
    const ask = (options: Readonly<Record<string, unknown>>) => cached.page(asker, model, 'PARCEL', options);
    const options = { $orderby: 'WEIGHT', prefer: 'maxpagesize=50' };
    const [first, second] = [await readAllPages(ask, options), await readAllPages(ask, options)];
    expect(rowsOf(second)).toEqual(rowsOf(first));
    expect(rowsOf(second)).toHaveLength(parcelCount);
  });
});

describe('policies', () => {
  it('apply on every page to the caller who follows the link', async () => {
    const anybody = openODataClient(fixture, openQueryClient(fixture));
    const ask = (options: Readonly<Record<string, unknown>>) => anybody.page({ team }, model, 'PARCEL', options);
    const options = { $orderby: 'CITY desc', $count: true, prefer: 'maxpagesize=50' };
    const [all, visible] = [await readAllPages(pageOf('PARCEL'), options), await readAllPages(ask, options)];
    const expected = rowsOf(all).filter(({ SHELF }) => SHELF !== 'B');
    expect(rowsOf(visible)).toEqual(expected);
    expect(visible.map((page) => page['@odata.count'])).toEqual(visible.map(() => (parcelCount * 4) / 5));
    const [first] = all;
    const place = first.value.at(-1);
    const further = await readJsonAnswer(ask(parseLinkOptions(first['@odata.nextLink'])));
    const behind = rowsOf(all).slice(first.value.length);
    expect(behind).not.toContainEqual(place);
    expect(further.value).toEqual(behind.filter(({ SHELF }) => SHELF !== 'B'));
  });
});

describe('a $skiptoken', () => {
  it('works in another replica', async () => {
    const options = parseLinkOptions(await linkOf('PARCEL', { $orderby: 'CITY' }));
    const replica = openODataClient(fixture, openQueryClient(fixture));
    const here = await readJsonAnswer(odata.page(asker, model, 'PARCEL', { ...options, $top: 7 }));
    const there = await readJsonAnswer(replica.page(asker, model, 'PARCEL', { ...options, $top: 7 }));
    expect(there.value).toEqual(here.value);
  });

  it('is rejected when it was tampered with, and for another entity set', async () => {
    const options = parseLinkOptions(await linkOf('PARCEL', { $orderby: 'CITY' }));
    const token = String(options['$skiptoken']);
    const changed = [0, 3, 20, token.length - 1].map(
      (at) => token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1),
    );
    const attempts = [
      ...[...changed, '', token.slice(1), `${token}AAAA`].map((text) =>
        odata.page(asker, model, 'PARCEL', { ...options, $skiptoken: text }),
      ),
      odata.page(asker, model, 'PARCEL', { ...options, $orderby: 'CITY desc' }),
      odata.page(asker, model, 'PARCEL', { $skiptoken: token }),
      odata.page(asker, model, 'RACK', { $skiptoken: token }),
      odata.page(asker, 'other', 'PARCEL', options),
      odata.page({ team: 'northgate' }, model, 'PARCEL', options),
    ];
    for (const attempt of attempts)
      expect(await readFailure(attempt)).toMatchObject({
        code: 'GENERAL_PARAMETER_ILLEGAL',
        faults: [{ path: '$skiptoken' }],
      });
    expect((await readJsonAnswer(odata.page(asker, model, 'PARCEL', options))).value).not.toEqual([]);
  });

  it('is rejected once the identifier of the record has changed', async () => {
    const changing = { team: 'changing' };
    await fixture.publish(changing.team, parcelsModel);
    await fixture.load(changing.team, createParcelsTable(0));
    const first = await readJsonAnswer(odata.page(changing, model, 'PARCEL', { prefer: 'maxpagesize=5' }));
    const records = parcelsModel.records?.map((record) => ({ ...record, identifier: record.identifier?.toReversed() }));
    await fixture.publish(changing.team, { ...parcelsModel, records });
    const further = odata.page(changing, model, 'PARCEL', parseLinkOptions(first['@odata.nextLink']));
    expect(await readFailure(further)).toMatchObject({ code: 'GENERAL_PARAMETER_ILLEGAL' });
  });

  it('does not reveal its values', async () => {
    const options = { $filter: "CITY ne null and SHELF eq 'A'", $orderby: 'CITY' };
    const links = [await linkOf('PARCEL', options), await linkOf('PARCEL', options)];
    const tokens = links.map((link) => Buffer.from(String(parseLinkOptions(link)['$skiptoken']), 'base64url'));
    for (const token of tokens) expect(token.toString('latin1')).not.toContain('city');
    expect(tokens[0]).not.toEqual(tokens[1]);
  });
});
