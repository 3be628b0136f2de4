import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listChanges, listBin, purgeBin, restoreFromBin } from '@tessera/contracts/content-repo';
import { nonEmptyLines, runTessera, testKey } from '../testing/run-tessera.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';

let gateway: FakeGateway;
beforeAll(async () => void (gateway = await startFakeGateway(testKey)));
afterAll(() => gateway.stop());

const [elementId, versionId] = ['0197b5e2-0000-7000-8000-000000000001', '0197b5e2-0000-7000-8000-000000000002'];
const content = (command: string, ...more: readonly string[]) =>
  runTessera(['content', command, 'meridian/p2p', '--team', 'meridian', ...more], { gatewayUrl: gateway.url });

const entry = { id: elementId, facet: 'processes', type: 'process', deletedAt: '2026-06-30T09:15:00.000Z' };
const next = `2026-06-30T09:15:00.000Z~${elementId}`;

describe('content deleted', () => {
  it('lists the deleted elements and versions of all pages as a table, with the ids that content restore takes', async () => {
    const draft = { ...entry, versionId, version: '2.1', name: 'Order', deletedBy: 'ann' };
    gateway.script(listBin, [{ deleted: [draft], next }, { deleted: [entry] }]);
    const { exitCode, out } = await content('deleted');
    expect(exitCode).toBe(0);
    expect(nonEmptyLines(out)).toEqual([
      'ID                                    VERSION  FACET      TYPE     NAME   DELETED           BY',
      `${versionId}  2.1      processes  process  Order  2026-06-30 09:15  ann`,
      `${elementId}  -        processes  process  -      2026-06-30 09:15  -`,
    ]);
    expect(gateway.requests.slice(-2)).toMatchObject([{ collection: 'meridian', storage: 'p2p' }, { after: next }]);
    gateway.script(listBin, [{ deleted: [entry] }]);
    expect(JSON.parse((await content('deleted', '--json')).out)).toEqual({ deleted: [entry] });
  });
});

describe('content restore', () => {
  it('rejects a malformed id and shows the expected form', async () => {
    const { exitCode, err } = await content('restore', 'order');
    expect(exitCode).toBe(2);
    expect(err).toContain('id: expected a UUID');
  });

  it('prints what was restored', async () => {
    expect((await content('restore', elementId)).out).toBe(
      `The element ${elementId} (process of processes) is restored.\n`,
    );
    const restored = { id: elementId, versionId, facet: 'processes', type: 'process' };
    gateway.script(restoreFromBin, [restored]);
    expect((await content('restore', versionId)).out).toContain(`The version ${versionId} of the element ${elementId}`);
    expect(JSON.parse((await content('restore', versionId, '--json')).out)).toEqual(restored);
    expect(gateway.requests.at(-1)).toMatchObject({ team: 'meridian', id: versionId });
  });

  it("prints the gateway's error with its hint", async () => {
    const detail = 'Version 2.2 is in the state inProcess already; release or delete it first.';
    gateway.script(restoreFromBin, [{ status: 409, title: 'Conflict', detail }]);
    const { exitCode, err } = await content('restore', versionId);
    expect([exitCode, nonEmptyLines(err)[0]]).toEqual([3, `Conflict: ${detail}`]);
  });
});

describe('content purge', () => {
  it('sends new requests until nothing is left to purge, and prints the total', async () => {
    gateway.script(purgeBin, [
      { elements: 200, versions: 1, more: true },
      { elements: 7, versions: 0, more: false },
    ]);
    const before = gateway.idempotencyKeys.length;
    expect((await content('purge', '--older-than-days', '30')).out).toBe('Purged: elements 207, versions 1\n');
    expect(new Set(gateway.idempotencyKeys.slice(before)).size).toBe(2);
    expect(gateway.requests.at(-1)).toMatchObject({ purge: { olderThanDays: 30 } });
    gateway.script(purgeBin, [{ elements: 0, versions: 2, more: false }]);
    const { out } = await content('purge', '--older-than-days', '0', '--json');
    expect(JSON.parse(out)).toEqual({ elements: 0, versions: 2 });
  });
});

describe('content changes', () => {
  const change = {
    sequence: '12',
    changedAt: '2026-06-30T09:15:01.250Z',
    operation: 'content.versions.create',
    subject: 'ann',
    requestId: 'r-1',
    entries: [{ action: 'versionCreated', elementId, versionId, detail: { version: '2.1', counts: { a: 1 } } }],
  };
  const empty = { ...change, sequence: '3', operation: 'content.bin.purge', entries: [] };

  it('prints a line for each change', async () => {
    gateway.script(listChanges, [{ changes: [change], next: '12' }, { changes: [empty] }]);
    const { out } = await content('changes', '--limit', '5');
    expect(nonEmptyLines(out).map((line) => line.replaceAll(/ {2,}/g, '  '))).toEqual([
      'CHANGE  WHEN  WHO  REQUEST  ACTION  ELEMENT  VERSION  DETAIL',
      `12  2026-06-30 09:15:01  ann  r-1  versionCreated  ${elementId}  ${versionId}  version=2.1 counts={"a":1}`,
      '3  2026-06-30 09:15:01  ann  r-1  content.bin.purge  -  -',
    ]);
    expect(gateway.requests.slice(-2)).toMatchObject([{ pageSize: 5 }, { pageSize: 4, after: '12' }]);
    gateway.script(listChanges, [{ changes: [change], next: '12' }]);
    expect(JSON.parse((await content('changes', '--limit', '1', '--json')).out)).toEqual({ changes: [change] });
  });

  it('sends its options as filters', async () => {
    gateway.script(listChanges, [{ changes: [] }]);
    const of = ['--element', elementId, '--version', versionId, '--subject', 'ann', '--oldest'];
    await content('changes', ...of, '--from', '2026-06-01', '--to', '2026-07-01T12:00:00Z');
    expect(gateway.requests.at(-1)).toEqual({
      team: 'meridian',
      collection: 'meridian',
      storage: 'p2p',
      elementId,
      versionId,
      subject: 'ann',
      from: '2026-06-01T00:00:00Z',
      to: '2026-07-01T12:00:00Z',
      order: 'oldest',
      pageSize: 100,
    });
  });
});

describe('invalid arguments of content commands', () => {
  it.each([
    [['deleted', 'p2p', '--team', 'meridian'], '"p2p" is no storage, expected collection/storage.'],
    [['deleted', 'a/b/c', '--team', 'meridian'], '"a/b/c" is no storage, expected collection/storage.'],
    [['restore', 'a/b', 'order', '--team', 'meridian'], 'id: '],
    [['purge', 'a/b', '--team', 'meridian', '--older-than-days', 'many'], 'purge.olderThanDays: '],
    [['purge', 'a/b', '--team', 'meridian', '--older-than-days', ' '], 'purge.olderThanDays: '],
    [['purge', 'a/b', '--team', 'meridian'], "required option '--older-than-days <days>' not specified"],
    [['changes', 'a/b', '--team', 'meridian', '--limit', '0'], '--limit: expected a number of changes, from 1.'],
    [['changes', 'a/b', '--team', 'meridian', '--from', 'yesterday'], 'from: '],
  ])('are rejected without a request: %j', async (words, message) => {
    const before = gateway.calls.length;
    const { exitCode, err } = await runTessera(['content', ...words], { gatewayUrl: gateway.url });
    expect([exitCode, gateway.calls.length]).toEqual([2, before]);
    expect(err).toContain(`error: ${message}`);
  });
});
