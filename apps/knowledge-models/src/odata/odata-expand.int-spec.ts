/** Related entries in the entries of a page: there or not, seen or not, and never another page because of them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allPages, openAskingOData, type AskingOData } from '../testing/asking-odata.js';
import { openAsking } from '../testing/asking.js';
import { keeper, parcelCount, parcelsModel, parcelsTable, racksTable } from '../testing/parcels.js';
import { answered, bodyText, openTrial, type Json, type Trial } from '../testing/trial.js';

const team = 'meridian';
const seesAll = { team, ...keeper };
const model = 'parcels';

let trial: Trial;
let odata: AskingOData;
beforeAll(async () => {
  trial = await openTrial();
  await trial.publish(team, parcelsModel);
  await trial.load(team, parcelsTable(0), racksTable);
  odata = openAskingOData(trial, openAsking(trial));
});
afterAll(() => trial.end());

const onePerShelf = { $filter: 'PLACE eq 7', $orderby: 'SHELF', $select: 'SHELF', $expand: 'RACK' };
const racksOf = ({ value }: Json): readonly unknown[] => value.map(({ RACK }: Json) => RACK);

describe('a related entry', () => {
  it('stands in its entry, null where there is none', async () => {
    const page = await answered(odata.page(seesAll, model, 'PARCEL', onePerShelf));
    expect(page.value.map(({ SHELF }: Json) => SHELF)).toEqual(['A', 'B', "C'", 'é', '\u{1f4e6}']);
    expect(racksOf(page)).toEqual([
      { SHELF: 'A', HEIGHT: 0.5 },
      { SHELF: 'B', HEIGHT: 1.5 },
      { SHELF: "C'", HEIGHT: null },
      { SHELF: 'é', HEIGHT: 3.5 },
      null,
    ]);
  });

  it('that a policy hides is as one that is not there', async () => {
    const page = await answered(odata.page({ team }, model, 'PARCEL', onePerShelf));
    expect(page.value.map(({ SHELF }: Json) => SHELF)).toEqual(['A', "C'", 'é', '\u{1f4e6}']);
    expect(racksOf(page)).toEqual([null, { SHELF: "C'", HEIGHT: null }, { SHELF: 'é', HEIGHT: 3.5 }, null]);
  });

  it('shows what was selected of it, with its id where that leaves out its key', async () => {
    const options = { ...onePerShelf, $expand: 'RACK($select=HEIGHT)', $top: 1 };
    const page = await answered(odata.page(seesAll, model, 'PARCEL', options));
    expect(racksOf(page)).toEqual([
      { '@odata.id': "https://tessera.example:8443/intelligence/api/odata/parcels.svc/RACK_entries('A')", HEIGHT: 0.5 },
    ]);
    expect(page['@odata.context']).toMatch(/\$metadata#PARCEL_entries\(SHELF,RACK\(HEIGHT\)\)$/);
  });

  it('stands in one entry as well, and in Atom within its link', async () => {
    const entry = await answered(odata.entry(seesAll, model, 'PARCEL', "(SHELF='B',PLACE=3)", { $expand: 'RACK' }));
    expect(entry).toMatchObject({ SHELF: 'B', PLACE: 3, RACK: { SHELF: 'B', HEIGHT: 1.5 } });
    const reply = await odata.page(seesAll, model, 'PARCEL', { ...onePerShelf, $format: 'atom' });
    const text = reply.ok ? await bodyText(reply.value) : '';
    expect(text.match(/<d:HEIGHT m:type="Double">/g)).toHaveLength(3);
    expect(text.match(/<m:inline>/g)?.length).toBeGreaterThanOrEqual(4);
  });
});

describe('pages with related entries', () => {
  it('are the pages without them, by every link, counted alike', async () => {
    const asked = { $orderby: 'CITY desc', $count: true, prefer: 'maxpagesize=50' };
    const ask = (options: Readonly<Record<string, unknown>>) => odata.page(seesAll, model, 'PARCEL', options);
    const bare = await allPages(ask, asked);
    const pages = await allPages(ask, { ...asked, $expand: 'RACK' });
    const withoutRacks = pages.map(({ value }) => value.map(({ RACK: _, ...entry }: Json) => entry));
    expect(withoutRacks).toEqual(bare.map(({ value }) => value));
    expect(pages.map((page) => page['@odata.count'])).toEqual(bare.map(() => parcelCount));
    expect(pages.flatMap(racksOf).filter((rack) => rack !== null)).toHaveLength((parcelCount * 4) / 5);
  });
});
