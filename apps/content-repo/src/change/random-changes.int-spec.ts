/**
 * Whatever several clients do at once: versions, numbers, trees, renditions and the record of changes stay true, nothing
 * that was acknowledged is lost, and the past does not change.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { normaliseDefinition } from '@tessera/content-model';
import { StorageDefinition } from '@tessera/contracts';
import { checkCoverage, contentViolationQueries, getRandomRunCount, getRandomSeed } from '@tessera/testing';
import fc from 'fast-check';
import { openTenantTransaction } from '@tessera/persistence';
import { startChange } from './change.repository.js';
import { replaceRenditions } from './rendition.repository.js';
import { ReportFacetHandler } from '../reports/report-facet.handler.js';
import { companyContent } from '../testing/company.js';
import { importTestContent } from '../testing/load-content.js';
import { arbitraryClientSteps, runClientSteps, type AcknowledgedStep } from '../testing/random-changes.js';
import {
  readBodyText,
  openTestService,
  testStorageNames,
  type TestService,
  createWriterContext,
} from '../testing/open-service.js';

let service: TestService;
let reports: ReportFacetHandler;
let teams = 0;

beforeAll(async () => {
  service = await openTestService([]);
  reports = service.get(ReportFacetHandler);
});
afterAll(() => service.end());

const newTeam = async (): Promise<string> => {
  const team = `team-${++teams}`;
  await importTestContent(service, { team, definition: companyContent.definition, elements: [] });
  return team;
};

const report = async (team: string, asOf?: string): Promise<string> => {
  const request = { ...testStorageNames, facetId: 'processes', apiVersion: '4.0' as const, ...(asOf && { asOf }) };
  const result = await reports.report(request, createWriterContext(team));
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.detail}`);
  return readBodyText(result.value);
};

const lastInstant = async (team: string): Promise<string> => {
  const [row] = await service.rows(
    `select to_char(max(changed_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as instant
     from content_repo.change where tenant = $1`,
    [team],
  );
  return String(row?.['instant']);
};

const expectInvariants = async (team: string): Promise<void> => {
  for (const [what, text] of Object.entries(contentViolationQueries))
    expect({ [what]: await service.rows(text, [team]) }).toEqual({ [what]: [] });
};

/** Rendering everything anew gives the same texts: what is shown is what is stored. */
const expectTrueRenditions = async (team: string): Promise<void> => {
  const [storage] = await service.rows('select storage_id::text as id from content_repo.storage where tenant = $1', [
    team,
  ]);
  const storageId = String(storage?.['id']);
  const { client, rollback } = await openTenantTransaction(service.pools.writes, team);
  const text = `select version_id, tree_path, identity, display_names, attributes, related, content, major, minor, state, revision
    from content_repo.rendition where tenant = $1 order by version_id`;
  try {
    await startChange(client, team, storageId, { hasNow: false });
    const before = (await client.query<{ version_id: string }>(text, [team])).rows;
    const model = normaliseDefinition(StorageDefinition.parse(companyContent.definition));
    const ids = before.map(({ version_id }) => version_id);
    await replaceRenditions({ client, tenant: team, storageId, model }, ids);
    expect((await client.query(text, [team])).rows).toEqual(before);
  } finally {
    await rollback();
  }
};

/** Each acknowledged call is one recorded change, and nothing else was done. */
const expectRecorded = async (team: string, acknowledged: readonly AcknowledgedStep[]): Promise<void> => {
  const recorded = await service.rows(
    `select request_id from content_repo.change where tenant = $1 and sequence > 0 and operation <> 'content.imports.commit'`,
    [team],
  );
  const changedSomething = acknowledged.map(({ requestId }) => requestId);
  const requestIds = recorded.map((row) => String(row['request_id']));
  expect(new Set(requestIds).size).toBe(requestIds.length);
  expect(changedSomething).toEqual(expect.arrayContaining(requestIds));
  const missing = acknowledged.filter(({ requestId, step }) => !requestIds.includes(requestId) && step.kind !== 'move');
  expect(missing).toEqual([]);
};

/** The last acknowledged name of a version is what it is called, unless it is gone. */
const expectNames = async (team: string, acknowledged: readonly AcknowledgedStep[]): Promise<void> => {
  const order = new Map(
    (await service.rows('select request_id, sequence::text from content_repo.change where tenant = $1', [team])).map(
      (row) => [String(row['request_id']), Number(row['sequence'])],
    ),
  );
  const named = acknowledged.filter(({ step }) => step.kind === 'create' || step.kind === 'rename');
  const last = new Map<string, AcknowledgedStep>();
  for (const each of named.toSorted((a, b) => (order.get(a.requestId) ?? 0) - (order.get(b.requestId) ?? 0)))
    last.set(each.element.versionId ?? each.element.id, each);
  const stored = await service.rows(
    `select v.version_id::text, v.element_id::text, v.attributes #>> '{name,1033}' as name, v.minor
     from content_repo.element_version v where v.tenant = $1`,
    [team],
  );
  const names = new Map<string, unknown>();
  for (const row of stored) {
    names.set(String(row['version_id']), row['name']);
    names.set(String(row['element_id']), row['name']);
  }
  for (const [id, { element }] of last)
    if (names.has(id)) expect(names.get(id)).toBe(element.attributes?.['name']?.['1033']);
};

describe('random changes of a storage', () => {
  it('keep the invariants, lose no acknowledged change and leave reads of the past unchanged', async () => {
    let refusals = 0;
    const done = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(arbitraryClientSteps(3, 25), async (clients) => {
        const team = await newTeam();
        const past: { readonly asOf: string; readonly text: string }[] = [];
        let isLooking = false;
        const lived = await runClientSteps(service, team, clients, async () => {
          if (isLooking) return;
          isLooking = true;
          const asOf = await lastInstant(team);
          past.push({ asOf, text: await report(team, asOf) });
          isLooking = false;
        });
        await expectInvariants(team);
        await expectTrueRenditions(team);
        await expectRecorded(team, lived.acknowledged);
        await expectNames(team, lived.acknowledged);
        for (const failure of lived.refused) {
          expect(failure.code).toMatch(/^(CONTENT_CONFLICT|CONTENT_NOTFOUND|GENERAL_CONSTRAINT_VIOLATION)$/);
          expect(failure.detail).not.toBe('');
        }
        for (const { asOf, text } of past) expect(await report(team, asOf)).toBe(text);
        expect(await report(team, await lastInstant(team))).toBe(await report(team));
        refusals += lived.refused.length;
        for (const { step } of lived.acknowledged) done.set(step.kind, (done.get(step.kind) ?? 0) + 1);
      }),
      { numRuns: getRandomRunCount(25), endOnFailure: true, seed: getRandomSeed(20_261_128) },
    );
    checkCoverage(() => {
      for (const kind of ['create', 'rename', 'move', 'transition', 'createVersion', 'delete'])
        expect({ kind, isOftenDone: (done.get(kind) ?? 0) > 5 }).toEqual({ kind, isOftenDone: true });
      expect(refusals).toBeGreaterThan(10);
    });
  });
});
