import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { elementIdOf } from '@tessera/content-model';
import { readElement, reportFacet } from '@tessera/contracts/content-repo';
import { toOutageFailure } from '@tessera/persistence';
import { openWire } from '@tessera/testing';
import pg from 'pg';
import { ReadElementHandler } from '../elements/read-element.handler.js';
import { ReportFacetHandler } from '../reports/report-facet.handler.js';
import { companyContent, companyDefinition, companyElements } from '../testing/company.js';
import {
  readJsonReply,
  createReaderContext,
  openTestService,
  readFailure,
  testStorageNames,
  type TestService,
} from '../testing/open-service.js';

/** A report of them takes more than one batch of rows. */
const many = Array.from({ length: 100 }, (_, index) => ({ id: `below-${index}`, type: 'process', parent: 'pay' }));

describe('an outage of PostgreSQL', () => {
  let service: TestService;
  let wire: Awaited<ReturnType<typeof openWire>>;
  beforeAll(async () => {
    service = await openTestService([{ ...companyContent, elements: [...companyElements, ...many] }], {
      environment: { REPORT_CACHE_BYTES: '0' },
      proxy: async (url) => (wire = await openWire(url)).url,
    });
  });
  afterAll(async () => {
    await service?.end();
    wire?.end();
  });

  const path = { ...testStorageNames, facetId: 'processes' };
  const readOne = () => {
    const elementId = elementIdOf({ collection: companyDefinition.collection, id: companyDefinition.id }, 'order');
    const handler = service.get(ReadElementHandler);
    return handler.read(
      readElement.request.parse({ ...path, viewId: 'detail', elementId }),
      createReaderContext('meridian'),
    );
  };
  const readReport = () =>
    service.get(ReportFacetHandler).report(reportFacet.request.parse(path), createReaderContext('meridian'));

  it('returns "unavailable" and recovers as soon as the server is back', async () => {
    await readJsonReply(readOne());
    await readJsonReply(readReport());
    wire.cut();
    for (const ask of [readOne, readReport, readOne, readReport])
      expect(await readFailure(ask())).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    wire.join();
    expect(await readJsonReply(readOne())).toHaveProperty('count', 1);
    expect(await readJsonReply(readReport())).toHaveProperty('count', 3);
  });

  it('breaks the stream of a running report, and the next report is complete', async () => {
    const result = await readReport();
    if (!result.ok || result.value.body instanceof Uint8Array) throw new Error('A report streams.');
    wire.cut();
    await expect(
      (async () => {
        for await (const piece of result.value.body as AsyncIterable<Uint8Array>)
          expect(piece.length).toBeGreaterThan(0);
        throw new Error('ended');
      })(),
    ).rejects.toThrow();
    wire.join();
    expect(await readJsonReply(readReport())).toHaveProperty('count', 3);
  });

  it('counts a closed connection as an outage, not as a bug', async () => {
    const result = await readReport();
    if (!result.ok || result.value.body instanceof Uint8Array) throw new Error('A report streams.');
    const body = result.value.body[Symbol.asyncIterator]();
    const admin = new pg.Client({ connectionString: service.adminUrl });
    await admin.connect();
    const { rows } = await admin.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where usename = 'tessera_content_repo' and datname = current_database() and state = 'idle in transaction'`,
    );
    expect(rows).toEqual([{ pg_terminate_backend: true }]);
    await admin.end();
    const broken: unknown = await (async () => {
      while ((await body.next()).done !== true);
    })().catch((error: unknown) => error);
    expect(toOutageFailure(broken)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await readJsonReply(readReport())).toHaveProperty('count', 3);
  });
});
