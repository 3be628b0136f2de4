import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reportFacet } from '@tessera/contracts/content-repo';
import { createPool, RequestAbandonedError } from '@tessera/persistence';
import { waitUntil } from '@tessera/testing';
import { ReportFacetHandler } from '../reports/report-facet.handler.js';
import { companyContent, companyElements } from '../testing/company.js';
import { importTestContent } from '../testing/load-content.js';
import { openSnapshot, streamFromSnapshot } from './snapshot.js';
import {
  readBodyText,
  createReaderContext,
  type Json,
  openTestService,
  testStorageNames,
  type TestService,
} from '../testing/open-service.js';

describe('a snapshot', () => {
  let service: TestService;
  beforeAll(async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => ({
      id: `user-${index}`,
      type: 'user',
      attributes: { name: `User ${index} ${'ü'.repeat(index % 500 === 0 ? 31_000 : 200)}` },
      relations: { uses: ['ann'] },
    }));
    const content = { ...companyContent, elements: [...companyElements, ...many] };
    service = await openTestService([content], { environment: { REPORT_CACHE_BYTES: '0' } });
  });
  afterAll(() => service?.end());

  const running = async (which = 'true'): Promise<number> => {
    const rows = await service.rows(
      `select count(*) from pg_stat_activity where application_name = 'content-repo-reports' and state <> 'idle'
       and datname = current_database() and ${which}`,
    );
    return Number(rows[0]?.count);
  };
  const untilNothingRuns = (): Promise<void> => waitUntil(async () => (await running()) === 0);
  const report = async (signal = new AbortController().signal, query: object = {}) => {
    const handler = service.get(ReportFacetHandler);
    const result = await handler.report(
      reportFacet.request.parse({ ...testStorageNames, facetId: 'users', ...query }),
      createReaderContext('meridian', signal),
    );
    if (!result.ok || result.value.body instanceof Uint8Array) throw new Error('A report streams.');
    return result.value.body;
  };

  it('shows a consistent state while rows change', async () => {
    const body = await report();
    const first = body[Symbol.asyncIterator]();
    const begun = Buffer.from((await first.next()).value ?? '').toString();
    await importTestContent(service, {
      ...companyContent,
      elements: [{ id: 'new', type: 'user', attributes: { name: 'New' } }],
    });
    const rest = await readBodyText({ contentType: '', body: { [Symbol.asyncIterator]: () => first } });
    const values: Json[] = JSON.parse(begun + rest).values;
    expect(values.map((user) => user.attributes.name[127])).not.toContain('New');
    expect(values).toHaveLength(2_002);
  });

  it('streams chunks of bounded size and releases its connection', async () => {
    const pieces: number[] = [];
    for await (const piece of await report()) pieces.push(piece.length);
    expect(pieces.length).toBeGreaterThan(4);
    expect(Math.max(...pieces)).toBeLessThan(400_000);
    await untilNothingRuns();
    await waitUntil(() => service.pools.reports.idleCount === service.pools.reports.totalCount);
  });

  it('reads large rows one by one with every option', async () => {
    for (const query of [{}, { $select: ['name'] }, { $expandRelated: ['uses'] }]) {
      const body = await report(undefined, query);
      const values: Json[] = JSON.parse(await readBodyText({ contentType: '', body })).values;
      const large = values.filter((user) => user.attributes.name[127].length > 31_000);
      expect(large.map((user) => user.attributes.name[127].split(' ')[1])).toEqual(['0', '500', '1000', '1500']);
      expect(new Set(values.map((user) => user.id)).size).toBeGreaterThan(2_000);
    }
  });

  it('ends when the reader disconnects midway', async () => {
    for await (const piece of await report()) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    await untilNothingRuns();
    expect(service.pools.reports.waitingCount).toBe(0);
  });

  it('ends when the call is aborted before the first read', async () => {
    const controller = new AbortController();
    await report(controller.signal);
    expect(await running()).toBe(1);
    controller.abort();
    await untilNothingRuns();
  });

  it('cancels a running statement when the call is aborted', async () => {
    const controller = new AbortController();
    const patient = createPool({
      url: service.serviceUrl,
      applicationName: 'content-repo-reports',
      connectionsMax: 1,
      statementTimeoutMs: 600_000,
    });
    const snapshot = await openSnapshot(patient, 'meridian', controller.signal);
    const sleeping = snapshot.read({ name: '', text: 'select pg_sleep(600)', values: [] });
    const cut = expect(sleeping).rejects.toThrow('Connection terminated');
    await waitUntil(async () => (await running("wait_event = 'PgSleep'")) === 1);
    controller.abort();
    await cut;
    await untilNothingRuns();
    await patient.end();
    await expect(snapshot.read({ name: '', text: 'select 1', values: [] })).rejects.toThrow(RequestAbandonedError);
  });

  it('stops waiting for a connection when the call is aborted', async () => {
    const single = createPool({
      url: service.serviceUrl,
      applicationName: 'content-repo-reports',
      connectionsMax: 1,
      statementTimeoutMs: 600_000,
      connectTimeoutMs: 20_000,
    });
    const held = await openSnapshot(single, 'northgate', new AbortController().signal);
    const controller = new AbortController();
    const answer = streamFromSnapshot(single, createReaderContext('meridian', controller.signal), () =>
      Promise.reject(new Error('There is no snapshot to work in.')),
    );
    await new Promise(setImmediate);
    controller.abort();
    const detail = 'The answer was not ready in time; ask for less at once.';
    expect(await answer).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE', detail } });
    await held.close();
    await single.end();
  });

  it('closes at once when the call is already aborted', async () => {
    const handler = service.get(ReportFacetHandler);
    const request = reportFacet.request.parse({ ...testStorageNames, facetId: 'users' });
    const answer = await handler.report(request, createReaderContext('meridian', AbortSignal.abort()));
    expect(answer).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE' } });
    await untilNothingRuns();
  });
});
