/**
 * The report of 10,000 elements while another client writes to the facet a hundred times a second, and whether a read
 * shows every write acknowledged before it. Fewer writes fail the measure.
 */
import pg from 'pg';
import { startLoadGenerator } from '../load/load-generator.js';
import type { RequestLoadOptions } from '../load/send-load.js';
import { requireVariable } from '../product/product.js';
import { benchTeam } from '../product/largest-facet.js';
import { median, medianRatio } from '../statistics.js';
import type { Bench, Figure } from './bench.js';

const writesPerSecond = 100;
/** Pacing is not exact; less than this would be another measurement. */
const writesPerSecondMin = 97;
const timeRatioMax = 2;
const writeConnections = 4;
const elementsWritten = 200;
const writesShown = 50;

const toExpire = 'ReleasedToRequestToExpire';
const toReleased = 'RequestToExpireToReleased';

export const measureWritesAndReport = async (bench: Bench): Promise<readonly Figure[]> => {
  const elementIds = await findReleased(bench);
  const shown = await countShown(bench, elementIds.slice(0, writesShown));
  const rounds = await measureRounds(bench, elementIds);
  const idle = rounds.map(({ idleMs }) => idleMs);
  const busy = rounds.map(({ busyMs }) => busyMs);
  const writes = median(rounds.map(({ writesPerSecond: perSecond }) => perSecond));
  const ratio = medianRatio(busy, idle);
  return [
    {
      what: `Report of ${bench.subject.elements} elements, one client: time with ${writesPerSecond} writes a second / idle`,
      target: `<= ${timeRatioMax}`,
      actual: `${ratio.toFixed(2)} (${median(busy).toFixed(0)} / ${median(idle).toFixed(0)} ms; ${writes.toFixed(0)} writes a second, p99 ${median(rounds.map(({ writeP99Ms }) => writeP99Ms)).toFixed(0)} ms)`,
      holds: ratio <= timeRatioMax && writes >= writesPerSecondMin,
    },
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

const findReleased = async ({ product, subject }: Bench): Promise<readonly string[]> => {
  const [, collection, storage] = subject.facetsPath.split('/');
  const client = new pg.Client({ connectionString: requireVariable(product.environment, 'DATABASE_URL') });
  await client.connect();
  try {
    const values = [benchTeam, collection, storage, subject.facet];
    const { rows } = await client.query<{ element_id: string }>(releasedText, values);
    if (rows.length < elementsWritten) throw new Error(`The facet has ${rows.length} elements to write to.`);
    return rows.map(({ element_id }) => element_id);
  } finally {
    await client.end();
  }
};

const pathOf = ({ subject }: Bench, elementId: string, transition: string): string =>
  `${subject.facetsPath.replace(/\/facets$/, '')}/release/${elementId}/transitions/${transition}?ignoreWarnings=true`;

/** How many of these elements the next report of another client shows in the state that their write has brought. */
const countShown = async (bench: Bench, elementIds: readonly string[]): Promise<number> => {
  const { gateway } = bench.sides;
  const reader = { AppKey: requireVariable(bench.product.environment, 'READONLY_KEY') };
  let shown = 0;
  for (const elementId of elementIds) {
    const write = async (transition: string): Promise<void> => {
      const address = gateway.origin + pathOf(bench, elementId, transition);
      const response = await fetch(address, { method: 'POST', headers: gateway.headers });
      if (response.status !== 200) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    };
    await write(toExpire);
    const report = await fetch(gateway.origin + bench.subject.reportPath, { headers: reader });
    if (findElementState(await report.json(), elementId) === 'requestToExpire') shown++;
    await write(toReleased);
  }
  return shown;
};

/** The state of an element anywhere in a document of elements; a reference has none. */
export const findElementState = (document: unknown, elementId: string): unknown => {
  if (typeof document !== 'object' || document === null) return undefined;
  if ('id' in document && document.id === elementId && 'attributes' in document && 'state' in document)
    return document.state;
  for (const member of Object.values(document)) {
    const found = findElementState(member, elementId);
    if (found !== undefined) return found;
  }
  return undefined;
};

type Round = {
  readonly idleMs: number;
  readonly busyMs: number;
  readonly writesPerSecond: number;
  readonly writeP99Ms: number;
};

const measureRounds = async (bench: Bench, elementIds: readonly string[]): Promise<readonly Round[]> => {
  const { generator, sides, subject, sideMs, rounds } = bench;
  const writer = startLoadGenerator();
  // A report takes long: twice the time for a few of them.
  const durationMs = 2 * sideMs;
  const report: RequestLoadOptions = { ...sides.gateway, paths: [subject.reportPath], connections: 1, durationMs };
  const idle = () => generator.send(report);
  const busy = async () => {
    const writing = writer.send({ ...sides.gateway, ...writesTo(bench, elementIds), durationMs });
    const read = await generator.send(report);
    const written = await writing;
    await writer.send({ ...sides.gateway, ...releaseAll(bench, elementIds), durationMs }, [200, 409]);
    return { read, written };
  };
  try {
    await busy();
    const results: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      const first = round % 2 === 0 ? await idle() : undefined;
      const { read, written } = await busy();
      const { p50Ms: idleMs } = first ?? (await idle());
      const { requestsPerSecond, p99Ms } = written;
      results.push({ idleMs, busyMs: read.p50Ms, writesPerSecond: requestsPerSecond, writeP99Ms: p99Ms });
    }
    return results;
  } finally {
    await writer.stop();
  }
};

type Writes = Pick<RequestLoadOptions, 'paths' | 'connections' | 'method' | 'requestsPerSecond' | 'once'>;

/** Each connection requests the expiry of its own elements and releases them again. */
const writesTo = (bench: Bench, elementIds: readonly string[]): Writes => ({
  paths: elementIds.flatMap((id) => [pathOf(bench, id, toExpire), pathOf(bench, id, toReleased)]),
  connections: writeConnections,
  method: 'POST',
  requestsPerSecond: writesPerSecond,
});

/** The end of a round may come between the two; afterwards every element is released again. */
const releaseAll = (bench: Bench, elementIds: readonly string[]): Writes => ({
  paths: elementIds.map((id) => pathOf(bench, id, toReleased)),
  connections: writeConnections,
  method: 'POST',
  once: true,
});
