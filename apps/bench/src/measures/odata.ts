/**
 * OData over a table of a million rows: filtered pages, related entries, `$apply`, `$batch`, and the whole table page by page and as CSV,
 * against handwritten SQL, COPY, or the same without the option.
 */
import { to as copyTo } from 'pg-copy-streams';
import { expectSame, type Place, readJson, readText } from '../answers.js';
import * as engine from '../engine.js';
import { withDatabase } from '../product/largest-facet.js';
import { median } from '../statistics.js';
import { salesRowCount } from '../workload/bench-model.js';
import * as urls from './sales-queries.js';

type Entry = Readonly<Record<string, unknown>>;
type Answer = { readonly value: readonly Entry[]; readonly '@odata.nextLink'?: string };

const million = salesRowCount.toLocaleString('en');
const services = ['gateway', 'knowledge-models'];
const pullRounds = 3;
const batchParts = 20;

export const measureOData = async (bench: engine.Bench): Promise<readonly engine.Figure[]> => {
  await compareEntries(bench);
  await checkRelated(bench);
  return [
    ...(await engine.runContests(bench, pageContests(bench))),
    ...(await measurePulls(bench)),
    ...(await engine.runContests(bench, requestContests(bench))),
    ...(await measureCsv(bench)),
    ...(await measureDocuments(bench)),
  ];
};

const compareEntries = async ({ floor, gateway, say }: engine.Bench): Promise<void> => {
  const read = async (place: Place, path: string) =>
    (await readJson<Answer>(place, path, { headers: { prefer: 'odata.maxpagesize=100' } })).value;
  for (const path of [urls.odataSalesPageUrl(100), urls.odataSalesPageUrl(5_000), urls.allSalesODataUrl])
    expectSame(path, await read(floor, path), await read(gateway, path));
  say('product and floor answer the same entries');
};

/** Each page has the same fifty customers, each with its ten visits. */
const checkRelated = async ({ gateway }: engine.Bench): Promise<void> => {
  const read = async (path: (number: number) => string) => (await readJson<Answer>(gateway, path(1))).value;
  const plain = await read(urls.customersByFilterUrl);
  const expanded = await read(urls.customersWithVisitsUrl);
  const visits = expanded.map(({ VISIT }) => (Array.isArray(VISIT) ? VISIT.length : 0));
  if (plain.length !== 50 || !visits.every((count) => count === 10))
    throw new Error('There are not fifty customers with ten visits.');
  expectSame('a key', plain, await read(urls.customersByPathUrl));
  const own = expanded.map(({ VISIT: _visits, ...entry }) => entry);
  expectSame('visits', plain, own);
};

const pageContests = (bench: engine.Bench): readonly engine.Contest[] => {
  const what = `OData page of 50 of ${million} rows, $filter, $orderby`;
  const fresh = engine.numbered(24_000, (number) => urls.odataSalesPageUrl(100 + number / 1_000));
  return (
    [
      ['asked again', '>= 0.4', [urls.odataSalesPageUrl(100)]],
      ['none asked twice', '>= 0.6', fresh],
    ] as const
  ).map(([how, target, requests]) => ({
    what: `${what}, ${how}`,
    clients: 16,
    warmUp: 4_000,
    sides: engine.toBoth(bench, requests),
    figures: [engine.compareRates(target), engine.processorTime('product'), engine.processorTime('floor')],
  }));
};

type Pull = { readonly rowsPerSecond: number; readonly pageMs: readonly number[] };
const pagesCompared = 20;
const latePages = ({ pageMs }: Pull): number =>
  median(pageMs.slice(-pagesCompared)) / median(pageMs.slice(0, pagesCompared));

/** One client follows the links to the end; requests go to the place itself, whatever host its links have. */
const pullTable = async (place: Place): Promise<Pull> => {
  const pageMs: number[] = [];
  const begunMs = performance.now();
  let rows = 0;
  for (let next: string | undefined = urls.allSalesODataUrl; next !== undefined;) {
    const pageBegunMs = performance.now();
    const page = await readText(place, next, { headers: { prefer: 'odata.maxpagesize=5000' } });
    pageMs.push(performance.now() - pageBegunMs);
    // Every entry has this key, and nothing else; the link stands at the end.
    rows += page.split('"ID":').length - 1;
    const link = /"@odata\.nextLink":"([^"]+)"\}\s*$/.exec(page.slice(-4_000))?.[1];
    const { pathname = '', search = '' } = link === undefined ? {} : new URL(link);
    next = link && pathname + search;
  }
  if (rows !== salesRowCount) throw new Error(`${place.origin} answered ${rows} rows instead of ${salesRowCount}.`);
  return { rowsPerSecond: (1_000 * rows) / (performance.now() - begunMs), pageMs };
};

const rowsFigure = (what: string, target: string, product: readonly number[], floor: readonly number[]) =>
  engine.ratio(
    what,
    target,
    [product, floor],
    (value) => `${value} (${median(product).toFixed(0)} / ${median(floor).toFixed(0)} rows a second)`,
  );

const measurePulls = async ({ product, gateway, floor, say }: engine.Bench): Promise<readonly engine.Figure[]> => {
  say('pulling the table page by page');
  await pullTable(gateway);
  const grown = `OData pull: growth of %s over ${pullRounds} pulls after the first`;
  const { value: pulls, figures } = await engine.withGrowth(product, services, grown, '< 64 MB', () =>
    engine.takeTurns(pullRounds, { floor: () => pullTable(floor), product: () => pullTable(gateway) }),
  );
  const rates = (side: string) => pulls(side).map(({ rowsPerSecond }) => rowsPerSecond);
  const late = median(pulls('product').map(latePages));
  const page = median(pulls('product').flatMap(({ pageMs }) => pageMs)).toFixed(1);
  const what = 'OData pull of the whole table by nextLink, 5,000 rows a page: rows a second, product / floor';
  return [
    rowsFigure(what, '>= 0.5', rates('product'), rates('floor')),
    engine.judge(
      `OData pull: time of the last ${pagesCompared} pages / the first ${pagesCompared}`,
      '<= 1.25',
      late,
      `${late.toFixed(2)} (median of all pages ${page} ms)`,
    ),
    ...figures,
  ];
};

/** Both sides are the product; each has questions of its own, and none is asked twice unless that is said. */
const requestContests = ({ gateway }: engine.Bench): readonly engine.Contest[] => {
  const fresh = (count: number, url: (number: number) => string) => ({
    ...gateway,
    requests: engine.numbered(count, url),
  });
  const related = [1, 16].map((clients): engine.Contest => {
    const suffix = `, ${engine.clientsText(clients)}, none asked twice: time / that of the plain page`;
    return {
      what: 'OData page of 50 entries',
      clients,
      warmUp: 2_000,
      sides: {
        plain: fresh(8_000, urls.customersByFilterUrl),
        behind: fresh(8_000, urls.customersByPathUrl),
        expanded: fresh(8_000, urls.customersWithVisitsUrl),
      },
      figures: [
        engine.compare(` behind a key${suffix}`, engine.time, '<= 3', ['behind', 'plain']),
        engine.compare(` with ten expanded entries each${suffix}`, engine.time, '<= 3', ['expanded', 'plain']),
      ],
    };
  });
  const apply = '$apply=groupby((PLANT),aggregate(REVENUE)) against the same /query';
  const page = (number: number): string => urls.odataSalesPageUrl(100 + number / 1_000);
  const batch = (number: number) => {
    const parts = Array.from({ length: batchParts }, (_, part) => page(number * batchParts + part + 0.5));
    return { method: 'POST', path: urls.odataBatchUrl, body: urls.createODataBatch(parts) } as const;
  };
  const timeOfParts: engine.Reading = (what, rounds) => {
    const [batchMs, aloneMs] = [rounds('batch').map(engine.time.of), rounds('alone').map(engine.time.of)];
    const allMs = aloneMs.map((ms) => batchParts * ms);
    const told = `(median ${median(batchMs).toFixed(1)} / ${median(allMs).toFixed(1)} ms)`;
    return engine.ratio(what, '< 1', [batchMs, allMs], (value) => `${value} ${told}`);
  };
  return [
    ...related,
    {
      what: `${apply}, never asked before`,
      clients: 2,
      warmUp: 20,
      sides: {
        query: fresh(2_000, (number) => urls.revenueByPlantUrl(number / 500)),
        apply: fresh(2_000, (number) => urls.odataRevenueByPlantUrl((number + 0.5) / 500)),
      },
      figures: [engine.compareRates('>= 0.9', '', ['apply', 'query'])],
    },
    {
      what: `${apply}, asked again`,
      clients: 16,
      warmUp: 2_000,
      sides: {
        query: { ...gateway, requests: [urls.revenueByPlantUrl(100)] },
        apply: { ...gateway, requests: [urls.odataRevenueByPlantUrl(100)] },
      },
      figures: [engine.compareRates('>= 0.9', '', ['apply', 'query'])],
    },
    {
      what: `$batch of ${batchParts} pages of 50, none asked twice: time / that of ${batchParts} requests one after the other`,
      clients: 1,
      warmUp: 400,
      sides: { alone: fresh(12_000, page), batch: { ...gateway, requests: engine.numbered(600, batch) } },
      figures: [timeOfParts],
    },
  ];
};

/** Rows a second of a stream of CSV in which no value has a line end. */
const readCsv = async (what: string, pieces: AsyncIterable<Uint8Array>): Promise<number> => {
  const begunMs = performance.now();
  const lineEnd = 10;
  let lines = 0;
  for await (const piece of pieces)
    for (let at = piece.indexOf(lineEnd); at >= 0; at = piece.indexOf(lineEnd, at + 1)) lines++;
  if (lines !== salesRowCount + 1) throw new Error(`${what} answered ${lines} lines.`);
  return (1_000 * salesRowCount) / (performance.now() - begunMs);
};

const measureCsv = ({ product, gateway, say }: engine.Bench): Promise<readonly engine.Figure[]> =>
  withDatabase(product, async (client) => {
    say('reading all rows as CSV');
    const copy = () =>
      readCsv('COPY', client.query(copyTo('copy "meridian.bench".sale to stdout (format csv, header)')));
    const read = async () => {
      const { body } = await fetch(gateway.origin + urls.allSalesCsvUrl, { headers: gateway.headers });
      return readCsv('CSV', body ?? new ReadableStream());
    };
    await read();
    const grown = `CSV: growth of %s over ${pullRounds} answers after the first`;
    const { value: rates, figures } = await engine.withGrowth(product, services, grown, '< 64 MB', () =>
      engine.takeTurns(pullRounds, { copy, product: read }),
    );
    const what = `CSV of ${million} rows of 20 columns: rows a second, product / COPY of PostgreSQL`;
    return [rowsFigure(what, '>= 0.8', rates('product'), rates('copy')), ...figures];
  });

/** Documents that callers ask for again and again, against the same bytes from the floor's memory. */
const measureDocuments = async (bench: engine.Bench): Promise<readonly engine.Figure[]> => {
  const documents = { ...bench, floor: { ...bench.floor, prefix: '/documents' } };
  const figures: engine.Figure[] = [];
  for (const [name, path] of Object.entries(urls.modelDocumentUrls)) {
    const text = await readText(bench.gateway, path);
    await readText(documents.floor, path, { method: 'PUT', body: JSON.stringify({ text }) });
    for (const clients of [1, 16]) {
      const contest = {
        what: `${name} (${(text.length / 1024).toFixed(0)} KB), ${engine.clientsText(clients)}`,
        clients,
        warmUp: 10_000,
        sides: engine.toBoth(documents, [path]),
        figures: [engine.compareRates('>= 0.5')],
      };
      figures.push(...(await engine.runContest(bench, contest)));
    }
  }
  return figures;
};
