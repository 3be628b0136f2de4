/** Writes beside reads: a report while a hundred writes a second come, reads after acknowledged writes, and a large import. */
import { readJson, readText } from '../answers.js';
import * as engine from '../engine.js';
import { type LoadRequest, sendLoad } from '../load.js';
import { measureGrowth, readResidentMb } from '../processes.js';
import { withDatabase } from '../product/largest-facet.js';
import { benchTeam } from '../product/product.js';
import { median } from '../statistics.js';
import { writeBenchWorkspace } from '../workload/bench-storage.js';
import { runTessera, type TesseraRunResult, withFolder } from '../workload/run-tessera.js';
import type { ContentBench } from './content.js';

const requestsPerSecond = 100;
/** Pacing is not exact; less than this would be another measurement. */
const writesPerSecondMin = 97;
const elementsWritten = 200;
const writesShown = 50;
const toExpire = 'ReleasedToRequestToExpire';
const toReleased = 'RequestToExpireToReleased';

export const measureWritesAndReport = async (bench: ContentBench): Promise<readonly engine.Figure[]> => {
  const elementIds = await findReleased(bench);
  const shown = await countShown(bench, elementIds.slice(0, writesShown));
  return [
    await measureReportBesideWrites(bench, elementIds),
    {
      what: 'Report after an acknowledged write of another client: shows it',
      target: `${writesShown} of ${writesShown}`,
      actual: `${shown} of ${writesShown}`,
      holds: shown === writesShown,
    },
  ];
};

/** Released elements of the facet without a draft: what is done to them is seen in the report. */
const releasedText = `
select e.element_id from content_repo.element e join content_repo.storage s using (tenant, storage_id)
join content_repo.element_version v using (tenant, storage_id, element_id)
where e.tenant = $1 and s.collection_name = $2 and s.storage_name = $3 and e.facet = $4 and e.deleted_at is null
group by e.element_id having bool_and(v.state in ('released', 'expired')) and bool_or(v.state = 'released')
order by md5(e.element_id::text) limit ${elementsWritten}`;

const findReleased = ({ product, subject }: ContentBench): Promise<readonly string[]> =>
  withDatabase(product, async (client) => {
    const [, collection, storage] = subject.facetsPath.split('/');
    const values = [benchTeam, collection, storage, subject.facet];
    const { rows } = await client.query<{ element_id: string }>(releasedText, values);
    if (rows.length < elementsWritten) throw new Error(`The facet has ${rows.length} elements to write to.`);
    return rows.map(({ element_id }) => element_id);
  });

const pathOf = ({ subject }: ContentBench, elementId: string, transition: string): string =>
  `${subject.facetsPath.replace(/\/facets$/, '')}/release/${elementId}/transitions/${transition}?ignoreWarnings=true`;

/** How many of these elements the next report of another client shows in the state that their write has brought. */
const countShown = async (bench: ContentBench, elementIds: readonly string[]): Promise<number> => {
  const reader = { ...bench.gateway, headers: { AppKey: bench.product.variable('READONLY_KEY') } };
  let shown = 0;
  for (const id of elementIds) {
    await readText(bench.gateway, pathOf(bench, id, toExpire), { method: 'POST' });
    if (findElementState(await readJson(reader, bench.subject.reportPath), id) === 'requestToExpire') shown++;
    await readText(bench.gateway, pathOf(bench, id, toReleased), { method: 'POST' });
  }
  return shown;
};

/** The state of an element anywhere in a document of elements; a reference has none. */
const findElementState = (document: unknown, elementId: string): unknown => {
  if (typeof document !== 'object' || document === null) return undefined;
  if ('id' in document && document.id === elementId && 'attributes' in document && 'state' in document)
    return document.state;
  for (const member of Object.values(document)) {
    const found = findElementState(member, elementId);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Each client requests the expiry of its own elements and releases them again. */
const measureReportBesideWrites = async (
  bench: ContentBench,
  elementIds: readonly string[],
): Promise<engine.Figure> => {
  const { gateway, subject } = bench;
  // A report takes long: twice the time for a few of them.
  const durationMs = 2 * bench.sideMs;
  const read = () =>
    engine.measureLoad(bench, { ...gateway, requests: [subject.reportPath] }, { clients: 1, durationMs });
  const post = (id: string, transition: string): LoadRequest => ({
    method: 'POST',
    path: pathOf(bench, id, transition),
  });
  const pairs = elementIds.flatMap((id) => [post(id, toExpire), post(id, toReleased)]);
  const written: { readonly perSecond: number; readonly p99Ms: number }[] = [];
  const readBesideWrites = async (): Promise<engine.Sample> => {
    const order = { ...gateway, clients: 4, durationMs };
    const writing = sendLoad({ ...order, requests: pairs, once: false, requestsPerSecond });
    const sample = await read();
    const { requestsPerSecond: perSecond, p99Ms } = await writing;
    written.push({ perSecond, p99Ms });
    // The end may have come between the two; afterwards every element is released again.
    const releases = elementIds.map((id) => post(id, toReleased));
    await sendLoad({ ...order, requests: releases, once: true, expected: [200, 409] });
    return sample;
  };
  await readBesideWrites();
  const rounds = await engine.takeTurns(bench.rounds, { idle: read, busy: readBesideWrites });
  const writes = median(written.slice(1).map(({ perSecond }) => perSecond));
  const p99 = median(written.slice(1).map(({ p99Ms }) => p99Ms)).toFixed(0);
  const suffix = `: time with ${requestsPerSecond} writes a second / idle`;
  const compared = engine.compare(suffix, engine.time, '<= 2', ['busy', 'idle']);
  const figure = compared(`Report of ${subject.elements} elements, one client`, rounds);
  const actual = `${figure.actual}, ${writes.toFixed(0)} writes a second, their p99 ${p99} ms`;
  return { ...figure, actual, holds: figure.holds === true && writes >= writesPerSecondMin };
};

const imported = 100_000;

/** `tessera apply` of 100,000 elements into a new team; a few first: what the command line needs for those it needs for nothing. */
export const measureImport = async ({ product, say }: ContentBench): Promise<readonly engine.Figure[]> => {
  const apply = (storage: string, elements: number): Promise<TesseraRunResult> =>
    withFolder(async (folder) => {
      const size = { elements, contentOfEach: 0, underEachRoot: 100 };
      await writeBenchWorkspace(folder, { team: 'bench', teamName: 'Benchmark', storage, ...size });
      say(`importing ${elements} elements`);
      return runTessera(product, ['apply', folder]);
    });
  const few = await apply('few', 10);
  const [gateway, contentRepo] = ['gateway', 'content-repo'].map((name) => engine.pidOf(product, name));
  const reads = {
    gateway: () => readResidentMb(gateway ?? 0),
    'content-repo': () => readResidentMb(contentRepo ?? 0),
  };
  const { value: all, growthMb, peakMb } = await measureGrowth(reads, () => apply('many', imported));
  const own = 'command line';
  const growth = {
    growthMb: { ...growthMb, [own]: all.ownPeakMb - few.ownPeakMb },
    peakMb: { ...peakMb, [own]: all.ownPeakMb },
  };
  const what = `Import of ${imported.toLocaleString('en')} elements`;
  const perSecond = (imported / all.seconds).toFixed(0);
  return [
    engine.judge(
      `${what}: time`,
      '< 180 s',
      all.seconds,
      `${all.seconds.toFixed(0)} s (${perSecond} elements a second)`,
    ),
    ...engine.growthFigures(`${what}: growth of %s`, '< 150 MB', [own, 'gateway', 'content-repo'], growth),
  ];
};
