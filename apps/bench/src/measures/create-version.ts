/**
 * A new version of an element with 50 content elements, with one and with eight clients, against a floor that replays
 * the product's own statements. Every answer must leave a draft.
 */
import type pg from 'pg';
import { expectSame, parseJson, type Place, readText } from '../answers.js';
import { startChild } from '../child.js';
import * as engine from '../engine.js';
import type { CreatedVersion, WriteFloorOptions, WrittenElement } from '../floor/write-floor.js';
import { withDatabase } from '../product/largest-facet.js';
import { benchTeam, benchTeamName } from '../product/product.js';
import { median } from '../statistics.js';
import { benchCollection, benchFacet, writeBenchWorkspace } from '../workload/bench-storage.js';
import { runTessera, withFolder } from '../workload/run-tessera.js';

const contentOfEach = 50;
const storage = 'versions';
const storagePath = `/${benchCollection}/${storage}/_api/rest`;

/** An element is written once, so that rounds are as long as their elements last. */
const loads = [
  { clients: 1, ofRound: 60 },
  { clients: 8, ofRound: 100 },
] as const;
const warmUp = 60;
/** The first write makes the user, the second is recorded, the third is replayed and compared. */
const beforeLoad = 3;

const versionsText = `
select v.element_id as "elementId", v.version_id as "versionId", v.revision::text as sequence,
  to_char(v.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') as "changedAt",
  coalesce((select json_agg(c.content_id order by c.position) from content_repo.content_element c
    where c.tenant = v.tenant and c.storage_id = v.storage_id and c.version_id = v.version_id), '[]') as "contentIds"
from content_repo.element_version v join content_repo.element e using (tenant, storage_id, element_id)
join content_repo.storage s using (tenant, storage_id)
where v.tenant = $1 and s.collection_name = '${benchCollection}' and s.storage_name = '${storage}' and v.state = $2
order by e.tree_path`;

type Version = WrittenElement & CreatedVersion;
type Writing = {
  readonly bench: engine.Bench;
  /** Those in a state, in the order of their tree. */
  readonly versions: (state: 'released' | 'inProcess') => Promise<readonly Version[]>;
  /** The next elements that nobody has written to. */
  readonly take: (count: number) => readonly Version[];
};

export const measureCreateVersion = async (bench: engine.Bench): Promise<readonly engine.Figure[]> => {
  const ofSide = loads.reduce((sum, { ofRound }) => sum + warmUp + bench.rounds * ofRound, 0);
  const elements = beforeLoad + 2 * ofSide;
  bench.say(`importing ${elements} elements with ${contentOfEach} content elements each`);
  await withFolder(async (folder) => {
    const workspace = { team: benchTeam, teamName: benchTeamName, storage, elements, contentOfEach };
    await writeBenchWorkspace(folder, workspace);
    await runTessera(bench.product, ['apply', folder]);
  });
  return withDatabase(bench.product, (client) => measureWrites(bench, client));
};

const measureWrites = async (bench: engine.Bench, client: pg.Client): Promise<readonly engine.Figure[]> => {
  const versions: Writing['versions'] = async (state) =>
    (await client.query<Version>(versionsText, [benchTeam, state])).rows;
  const elements = await versions('released');
  let taken = 0;
  const take: Writing['take'] = (count) => elements.slice(taken, (taken += count));
  const options = await recordOne({ bench, versions, take }, elements);
  const floorProcess = await startChild('./floor/write-floor.js', options);
  try {
    const floor = { origin: floorProcess.origin, headers: {}, prefix: '' };
    const writing = { bench: { ...bench, floorProcess, floor }, versions, take };
    await compareDrafts(writing);
    const figures: engine.Figure[] = [];
    for (const load of loads) figures.push(...(await measureVersions(writing, load)));
    return figures;
  } finally {
    await floorProcess.stop();
  }
};

const pathOf = ({ elementId }: WrittenElement): string => `${storagePath}/release/${elementId}/createversion`;
const create = (place: Place, element: WrittenElement): Promise<string> =>
  readText(place, pathOf(element), { method: 'POST' });

/** Lets the product make a version and answers what it sent to the database for it. */
const recordOne = async (
  { bench: { product, gateway, say }, versions, take }: Writing,
  elements: readonly Version[],
): Promise<WriteFloorOptions> => {
  const [first, element] = take(2);
  if (!first || !element) throw new Error('There are no elements to write to.');
  await create(gateway, first);
  const pid = engine.pidOf(product, 'content-repo');
  const transactions = await product.recordStatements(pid, () => create(gateway, element));
  const recorded = transactions.find((transaction) =>
    transaction.some(({ values }) => values?.includes(element.elementId)),
  );
  const made = (await versions('inProcess')).find(({ elementId }) => elementId === element.elementId);
  if (!recorded || !made) throw new Error('The transaction that made the version was not seen.');
  say(`the product makes a version by ${recorded.length} statements`);
  const databaseUrl = product.variable('DATABASE_URL');
  return { databaseUrl, publicUrl: gateway.origin, recorded, of: [element, made], elements };
};

/** A draft without what differs between two equal ones: identifiers, instants, addresses. */
const withoutIdentity = (text: string): unknown =>
  parseJson(
    text
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/g, 'instant')
      .replaceAll(/http:\/\/[^/]+/g, 'address'),
  );

/** The floor's draft, as the floor answers it and as the product reads it, says what the product's own says. */
const compareDrafts = async ({ bench: { gateway, floor, say }, versions, take }: Writing): Promise<void> => {
  const [element] = take(1);
  if (!element) throw new Error('There is no element to write to.');
  const answered = await create(floor, element);
  const drafts = await versions('inProcess');
  const read = async (isOfFloor: boolean): Promise<string> => {
    const draft = drafts.find(({ elementId }) => (elementId === element.elementId) === isOfFloor);
    return readText(gateway, `${storagePath}/facets/${benchFacet}/views/detail/elements/${draft?.versionId}`);
  };
  const [own, replayed] = [await read(false), await read(true)];
  expectSame('the draft', withoutIdentity(replayed), withoutIdentity(own));
  // The list is answered twice to a client that makes a version.
  const ownAnswer = `${own.slice(0, -1)},"values":${own.slice(own.indexOf('['), -1)}}`;
  expectSame('the answer', withoutIdentity(answered), withoutIdentity(ownAnswer));
  say('product and floor make the same draft');
};

const measureVersions = async (
  { bench, versions, take }: Writing,
  { clients, ofRound }: (typeof loads)[number],
): Promise<readonly engine.Figure[]> => {
  const write = async (place: Place, count: number): Promise<engine.Sample> => {
    const before = (await versions('inProcess')).length;
    const requests = take(count).map((element) => ({ method: 'POST', path: pathOf(element) }) as const);
    const order = { clients, durationMs: 600_000 };
    const sample = await engine.measureLoad(bench, { ...place, requests: () => requests }, order);
    const created = (await versions('inProcess')).length - before;
    if (created !== count || sample.requests !== count)
      throw new Error(`${place.origin}: ${sample.requests} answers and ${created} drafts of ${count} requests.`);
    return sample;
  };
  const places = { floor: bench.floor, product: bench.gateway };
  for (const place of Object.values(places)) await write(place, warmUp);
  const rounds = await engine.takeTurns(bench.rounds, {
    floor: () => write(places.floor, ofRound),
    product: () => write(places.product, ofRound),
  });
  const what = `New version with ${contentOfEach} content elements, ${engine.clientsText(clients)}`;
  const median99 = (side: string) => median(rounds(side).map(({ p99Ms }) => p99Ms)).toFixed(0);
  return [
    engine.compareRates('>= 0.50')(what, rounds),
    { what: `${what}: p99, product / floor`, actual: `${median99('product')} / ${median99('floor')} ms` },
    engine.processorTime('floor', ': processor time a request, floor')(what, rounds),
    engine.processorTime('product', ': processor time a request, product')(what, rounds),
  ];
};
