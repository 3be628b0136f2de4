import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentIdOf, elementIdOf, versionIdOf } from '@tessera/content-model';
import { createVersion, reportFacet } from '@tessera/contracts/content-repo';
import { succeed } from '@tessera/failures';
import { waitUntil } from '@tessera/testing';
import { createWorkWithoutReads } from '../change/change-storage.js';
import { DeleteElementHandler } from '../deletion/delete-element.handler.js';
import { CreateVersionHandler } from '../release/create-version.handler.js';
import { PerformTransitionHandler } from '../release/perform-transition.handler.js';
import { ReportFacetHandler } from '../reports/report-facet.handler.js';
import { companyContent, companyElements } from '../testing/company.js';
import { createReadsByName, readReplyText } from '../testing/all-reads.js';
import { importTestContent, type TestContent } from '../testing/load-content.js';
import {
  readJsonReply,
  createReaderContext,
  openTestService,
  readFailure,
  testStorageNames,
  type TestService,
  createWriterContext,
} from '../testing/open-service.js';

const idOf = (key: string): string => elementIdOf({ collection: 'Meridian', id: 'p2p' }, key);
const order = idOf('order');
const draft = versionIdOf(order, 2, 1);
const context = createWriterContext('meridian');

/** The company with one element replaced. */
const withElement = (id: string, change: object): TestContent => ({
  ...companyContent,
  elements: companyElements.map((element) => (element.id === id ? { ...element, ...change } : element)),
});
const orderOf = (change: object): object => {
  const [older, released, ...rest] = companyElements.find(({ id }) => id === 'order')?.versions ?? [];
  return { versions: [older, { ...released, ...change }, ...rest] };
};

/** The address of the next page is one of the same instant. */
const withoutInstant = (text: string): string => text.replace(/asOf=[^&"]*&/, '');

describe('a read as of an instant', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openTestService([companyContent]);
  });
  afterAll(() => service?.end());

  const load = (content: TestContent) => importTestContent(service, content);
  const perform = async (elementId: string, transitionId: string): Promise<unknown> =>
    readJsonReply(
      service
        .get(PerformTransitionHandler)
        .perform({ ...testStorageNames, elementId, transitionId, ignoreWarnings: true, apiVersion: '4.0' }, context),
    );
  const remove = async (elementId: string): Promise<unknown> =>
    readJsonReply(
      service
        .get(DeleteElementHandler)
        .delete({ ...testStorageNames, facetId: 'processes', viewId: 'detail', elementId, apiVersion: '2.0' }, context),
    );
  const newDraft = async (): Promise<string> => {
    const handler = service.get(CreateVersionHandler);
    const made = await readJsonReply(
      handler.create({ ...testStorageNames, elementId: order, apiVersion: '4.0' }, context),
    );
    return made.elements[0].versionId;
  };
  const lastInstant = async (): Promise<Date> => {
    const [row] = await service.rows('select max(changed_at) as instant from content_repo.change');
    return new Date(String(row?.['instant'] instanceof Date ? row['instant'].toISOString() : ''));
  };

  it('returns the same bytes as at that instant', async () => {
    const ids = [order, idOf('pay'), draft, contentIdOf(versionIdOf(order, 2, 0), 'start')];
    const reads = createReadsByName(service, ids);
    const remembered: { readonly instant: Date; readonly answers: ReadonlyMap<string, string> }[] = [];
    const remember = async (): Promise<void> => {
      const answers = new Map<string, string>();
      for (const [name, read] of reads) answers.set(name, await readReplyText(read({})));
      remembered.push({ instant: await lastInstant(), answers });
    };
    const happened: (() => Promise<unknown>)[] = [
      () => load(withElement('approve', { attributes: { name: { 1033: 'Sign off' } }, stereotype: 'gate' })),
      () => load(withElement('receive', { parent: 'paying' })),
      () => load(withElement('order', { parent: 'paying', stereotype: undefined, ...orderOf({ relations: {} }) })),
      () => load(withElement('order', orderOf({ relations: { uses: ['sign'] }, content: [] }))),
      () => perform(draft, 'InProcessToReleased'),
      newDraft,
      () => perform(order, 'ReleasedToRequestToExpire'),
      () => remove(idOf('pay')),
      () => remove(idOf('sign')),
      () => remove(idOf('approve')),
    ];
    await remember();
    for (const happens of happened) {
      await happens();
      await remember();
    }
    expect(new Set(remembered.map(({ answers }) => JSON.stringify([...answers]))).size).toBe(happened.length + 1);
    for (const [index, { instant, answers }] of remembered.entries()) {
      const compare = async (name: string, at: Date): Promise<void> => {
        const asOf = at.toISOString();
        expect([name, asOf, withoutInstant(await readReplyText(reads.get(name)?.({ asOf })))]).toEqual([
          name,
          asOf,
          answers.get(name),
        ]);
      };
      for (const name of answers.keys()) await compare(name, instant);
      const next = remembered[index + 1]?.instant;
      if (next) await compare('the report', new Date(next.getTime() - 1));
    }
  });

  const report = (query: object, team = 'meridian') =>
    service
      .get(ReportFacetHandler)
      .report(
        reportFacet.request.parse({ ...testStorageNames, facetId: 'processes', ...query }),
        createReaderContext(team),
      );

  it('accepts an instant with any zone, and reads it as UTC without one', async () => {
    const instant = (await lastInstant()).toISOString();
    const ahead = new Date(Date.parse(instant) + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
    const texts = await Promise.all(
      [instant, instant.slice(0, -1), ahead, ahead.replace('+', ' ')].map((asOf) => readReplyText(report({ asOf }))),
    );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/^ \{"count":/);
  });

  it('returns 404 before the storage existed and for another team', async () => {
    const asOf = (await lastInstant()).toISOString();
    const [created] = await service.rows('select min(changed_at) as instant from content_repo.change');
    const first = created?.['instant'] instanceof Date ? created['instant'].getTime() : 0;
    const before = new Date(first - 1).toISOString();
    for (const answer of [
      report({ asOf: before }),
      report({ asOf: '0001-01-01T00:00' }),
      report({ asOf }, 'northgate'),
    ])
      expect(await readFailure(answer)).toMatchObject({ code: 'CONTENT_NOTFOUND' });
  });

  it("is rejected for a future instant, naming the server's time", async () => {
    expect(await readFailure(report({ asOf: '9999-12-31T23:59:59Z' }))).toMatchObject({
      code: 'GENERAL_PARAMETER_ILLEGAL',
      faults: [{ path: 'asOf', message: expect.stringMatching(/server's time is \d{4}-\d\d-\d\dT[\d:.]+Z/) }],
    });
  });

  it('waits for uncommitted changes with an earlier instant', async () => {
    const begun = Promise.withResolvers<Date>();
    const mayEnd = Promise.withResolvers<void>();
    const work = createWorkWithoutReads(async ({ changedAt, ...scope }) => {
      await scope.client.query(
        `update content_repo.rendition set identity = replace(identity, '"type":"area"', '"type":"waited"')
         where tenant = $1 and storage_id = $2`,
        [scope.tenant, scope.storageId],
      );
      begun.resolve(changedAt);
      await mayEnd.promise;
      return succeed({
        entries: [{ action: 'updated', facet: 'processes', elementId: order, detail: {} }],
        body: '{}',
      });
    });
    const change = service.changes.run(createVersion, testStorageNames, context, work);
    const asOf = (await begun.promise).toISOString();
    const read = readReplyText(report({ asOf }));
    await waitUntil(async () => {
      const waiting = await service.rows(
        `select 1 from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
      );
      return waiting.length > 0;
    });
    mayEnd.resolve();
    expect(await change).toMatchObject({ ok: true });
    expect(await read).toContain('"type":"waited"');
    const before = new Date(Date.parse(asOf) - 1).toISOString();
    expect(await readReplyText(report({ asOf: before }))).not.toContain('"type":"waited"');
  });
});
