/**
 * A new version of an element with 50 content elements, with one and with eight clients, against a floor that replays
 * the product's own statements. Every answer must leave a draft.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startChild } from '../child.js';
import { createTransactionTemplate, type CreatedVersion, type ReplayedElement } from '../floor/replay.js';
import type { WriteFloorOptions } from '../floor/write-floor.js';
import { type Transaction, requireVariable } from '../product/product.js';
import { benchTeam, benchTeamName } from '../product/largest-facet.js';
import { median, medianRatio } from '../statistics.js';
import { benchFacet, storagePathOf, writeBenchWorkspace, benchCollection } from '../workload/bench-storage.js';
import { applyWorkspace } from '../workload/run-tessera.js';
import { type Bench, type Figure, pidOf } from './bench.js';
import { type RoundResult, measureSide, describeProcessorTime } from './rounds.js';
import { findFirstDifference } from './compare-documents.js';

type WrittenStorage = {
  readonly client: pg.Client;
  readonly values: readonly [string, string];
  /** The released ones, in the order of their tree. */
  readonly elements: readonly ReplayedElement[];
  readonly madeVersion: (elementId: string) => Promise<CreatedVersion>;
  readonly drafts: () => Promise<readonly { readonly elementId: string; readonly versionId: string }[]>;
};

const contentSql = `coalesce((select json_agg(c.content_id order by c.position) from content_repo.content_element c
  where c.tenant = v.tenant and c.storage_id = v.storage_id and c.version_id = v.version_id), '[]') as "contentIds"`;

const elementsText = `
select v.element_id as "elementId", v.version_id as "versionId", ${contentSql}
from content_repo.element_version v join content_repo.element e using (tenant, storage_id, element_id)
where v.tenant = $1 and v.storage_id = $2 and v.state = 'released' order by e.tree_path`;

const createdText = `
select v.version_id as "versionId", v.revision::text as sequence, v.changed_at as "changedAt", ${contentSql}
from content_repo.element_version v
where v.tenant = $1 and v.storage_id = $2 and v.element_id = $3 and v.state = 'inProcess'`;

const draftsText = `
select element_id as "elementId", version_id as "versionId" from content_repo.element_version
where tenant = $1 and storage_id = $2 and state = 'inProcess' order by revision`;

const countText = `
select count(*)::int as drafts from content_repo.element_version
where tenant = $1 and storage_id = $2 and state = 'inProcess'`;

/** Whoever opens it ends the client. */
const openWrittenStorage = async (databaseUrl: string, tenant: string, storage: string): Promise<WrittenStorage> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const found = await client.query<{ storage_id: string }>(
    'select storage_id from content_repo.storage where tenant = $1 and collection_name = $2 and storage_name = $3',
    [tenant, benchCollection, storage],
  );
  const values = [tenant, found.rows[0]?.storage_id ?? ''] as const;
  const { rows: elements } = await client.query<ReplayedElement>(elementsText, [...values]);
  return {
    client,
    values,
    elements,
    madeVersion: async (elementId) => {
      const [created] = (await client.query<CreatedVersion>(createdText, [...values, elementId])).rows;
      if (!created) throw new Error(`The element ${elementId} has no draft.`);
      return created;
    },
    drafts: async () => (await client.query<{ elementId: string; versionId: string }>(draftsText, [...values])).rows,
  };
};

const countDrafts = async ({ client, values }: WrittenStorage): Promise<number> =>
  (await client.query<{ drafts: number }>(countText, [...values])).rows[0]?.drafts ?? 0;

const contentOfEach = 50;
const rateRatioMin = 0.5;
const storage = 'versions';
const writeSides = ['floor', 'gateway'] as const;
type WriteSide = (typeof writeSides)[number];

/** An element is written once, so that rounds are as long as their elements last. */
const loads = [
  { connections: 1, warmUp: 60, eachRound: 60, clients: 'one client' },
  { connections: 8, warmUp: 60, eachRound: 100, clients: '8 clients' },
] as const;
/** The first write makes the user, the second is recorded, the third is replayed and compared. */
const beforeLoad = 3;

export const measureCreateVersion = async (bench: Bench): Promise<readonly Figure[]> => {
  const ofEachSide = loads.reduce((sum, { warmUp, eachRound }) => sum + warmUp + bench.rounds * eachRound, 0);
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
  try {
    const elements = beforeLoad + writeSides.length * ofEachSide;
    bench.say(`importing ${elements} elements with ${contentOfEach} content elements each`);
    await writeBenchWorkspace(folder, { team: benchTeam, teamName: benchTeamName, storage, elements, contentOfEach });
    await applyWorkspace(bench.product, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const written = await openWrittenStorage(
    requireVariable(bench.product.environment, 'DATABASE_URL'),
    benchTeam,
    storage,
  );
  try {
    return await againstReplay(bench, written);
  } finally {
    await written.client.end();
  }
};

const againstReplay = async (bench: Bench, written: WrittenStorage): Promise<readonly Figure[]> => {
  const paths = written.elements.map(({ elementId }) => pathOf(elementId));
  const take: Recording = (count) => paths.splice(0, count);
  const options = await recordOne(bench, written, take);
  const process = startChild('./floor/write-floor-process.js');
  try {
    process.send(options);
    const floor = { origin: String(await process.next()), headers: {}, prefix: '' };
    const sided: Bench = { ...bench, floorProcess: process, sides: { ...bench.sides, floor } };
    await compareDrafts(sided, written, take(1));
    const figures: Figure[] = [];
    for (const load of loads) figures.push(...figuresOf(load.clients, await runLoad(sided, written, load, take)));
    return figures;
  } finally {
    await process.stop();
  }
};

const pathOf = (elementId: string): string => `${storagePathOf({ storage })}/release/${elementId}/createversion`;

type Recording = (count: number) => readonly string[];

/** Lets the product make one version and makes a template of what it sent. */
const recordOne = async (bench: Bench, written: WrittenStorage, take: Recording): Promise<WriteFloorOptions> => {
  const { product, sides } = bench;
  if (!product.recordStatements) throw new Error('Only a product that the benchmark has started can be recorded.');
  await post(sides.gateway, take(1));
  const [path = ''] = take(1);
  const element = written.elements.find(({ elementId }) => path === pathOf(elementId));
  const transactions = await product.recordStatements(pidOf(product, 'content-repo'), async () => {
    await post(sides.gateway, [path]);
  });
  const recorded = element && transactions.find((transaction) => names(transaction, element.elementId));
  if (!recorded) throw new Error('The transaction that made the version was not seen.');
  bench.say(`the product makes a version by ${recorded.length} statements`);
  const template = createTransactionTemplate(recorded, element, await written.madeVersion(element.elementId));
  const databaseUrl = requireVariable(product.environment, 'DATABASE_URL');
  return { databaseUrl, publicUrl: sides.gateway.origin, template, elements: written.elements };
};

const names = (transaction: Transaction, elementId: string): boolean =>
  transaction.some(({ values }) => values?.includes(elementId));

const post = async ({ origin, headers }: Bench['sides']['gateway'], [path]: readonly string[]): Promise<string> => {
  const response = await fetch(`${origin}${path}`, { method: 'POST', headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${origin}${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return text;
};

/** The differences between two equal drafts: identifiers, instants, addresses. */
const withoutIdentity = (text: string): unknown =>
  JSON.parse(
    text
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/g, 'instant')
      .replaceAll(/http:\/\/[^/]+/g, 'address'),
  );

/** The floor's draft, as the floor answers it and as the product reads it, says what the product's own says. */
const compareDrafts = async (
  { sides, say }: Bench,
  written: WrittenStorage,
  [path = '']: readonly string[],
): Promise<void> => {
  const answered = await post(sides.floor, [path]);
  const drafts = await written.drafts();
  const read = async (versionId: string): Promise<string> => {
    const address = `${storagePathOf({ storage })}/facets/${benchFacet}/views/detail/elements/${versionId}`;
    const response = await fetch(sides.gateway.origin + address, { headers: sides.gateway.headers });
    return response.text();
  };
  const isOfFloor = ({ elementId }: { readonly elementId: string }): boolean => path === pathOf(elementId);
  const own = drafts.find((draft) => !isOfFloor(draft));
  const replayed = drafts.find(isOfFloor);
  if (!own || !replayed) throw new Error('A draft is missing before anything is measured.');
  const [ownText, replayedText] = [await read(own.versionId), await read(replayed.versionId)];
  for (const [expected, other] of [
    [ownText, replayedText],
    [answerOf(ownText), answered],
  ] as const) {
    const difference = findFirstDifference(withoutIdentity(expected), withoutIdentity(other));
    if (difference !== undefined)
      throw new Error(`The drafts of product and floor differ at ${difference.slice(0, 500)}`);
  }
  say('product and floor make the same draft');
};

/** Who makes a version is answered the list twice. */
const answerOf = (read: string): string => `${read.slice(0, -1)},"values":${read.slice(read.indexOf('['), -1)}}`;

type Load = (typeof loads)[number];

const runLoad = async (
  bench: Bench,
  written: WrittenStorage,
  { connections, warmUp, eachRound }: Load,
  take: Recording,
): Promise<Readonly<Record<WriteSide, readonly RoundResult[]>>> => {
  const results: Record<WriteSide, RoundResult[]> = { gateway: [], floor: [] };
  const run = async (side: WriteSide, count: number): Promise<RoundResult> => {
    const before = await countDrafts(written);
    const order = { paths: take(count), connections, once: true, method: 'POST', durationMs: 600_000 } as const;
    const measured = await measureSide(bench, side, order);
    const created = (await countDrafts(written)) - before;
    if (created !== count || measured.requests !== count)
      throw new Error(`${side}: ${measured.requests} answers and ${created} drafts of ${count} requests.`);
    return measured;
  };
  for (const side of writeSides) await run(side, warmUp);
  for (let round = 0; round < bench.rounds; round++)
    for (const side of round % 2 === 0 ? writeSides : writeSides.toReversed())
      results[side].push(await run(side, eachRound));
  return results;
};

const figuresOf = (clients: string, rounds: Readonly<Record<WriteSide, readonly RoundResult[]>>): readonly Figure[] => {
  const what = `New version with ${contentOfEach} content elements, ${clients}`;
  const rate = (side: WriteSide) => rounds[side].map(({ requestsPerSecond }) => requestsPerSecond);
  const p99 = (side: WriteSide): string => median(rounds[side].map(({ p99Ms }) => p99Ms)).toFixed(0);
  const p50 = (side: WriteSide): string => median(rounds[side].map(({ p50Ms }) => p50Ms)).toFixed(0);
  const ratio = medianRatio(rate('gateway'), rate('floor'));
  return [
    {
      what: `${what}: rate, product / floor`,
      target: `>= ${rateRatioMin.toFixed(2)}`,
      actual: `${ratio.toFixed(2)} (${median(rate('gateway')).toFixed(0)} / ${median(rate('floor')).toFixed(0)} a second)`,
      holds: ratio >= rateRatioMin,
    },
    {
      what: `${what}: p99, product / floor`,
      actual: `${p99('gateway')} / ${p99('floor')} ms (p50 ${p50('gateway')} / ${p50('floor')} ms)`,
    },
    ...writeSides.map((side) => ({
      what: `${what}: processor time a request, ${side === 'gateway' ? 'product' : 'floor'}`,
      actual: describeProcessorTime(rounds[side]),
    })),
  ];
};
