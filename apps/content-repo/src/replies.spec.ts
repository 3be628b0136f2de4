import { describe, expect, it } from '@jest/globals';
import { isNoneMatch } from '@tessera/contracts';
import { etagOf, revisionOfEtag, notModifiedReply } from './replies.js';

const state = { revision: '7', storageId: 'storage-1', changeSequence: '12', storageRevision: '3' };
const publicUrl = 'https://tessera.example';
const request = { facetId: 'processes', $select: ['name'] };
const etag = etagOf(state, request, publicUrl);

describe('an ETag', () => {
  it('begins with the revision, then names the last change and the definition', () => {
    expect(etag).toMatch(/^"7-12\.3-[\w-]{16}"$/);
    expect(etagOf({ ...state, revision: undefined }, request, publicUrl)).toMatch(/^"0-12\.3-/);
  });

  it('is equal for equal requests of any caller', () => {
    expect(etagOf(state, { ...request, ...{ ifNoneMatch: '"x"' } }, publicUrl)).toBe(etag);
  });

  it.each([
    ['revision', { ...state, revision: '8' }, request, publicUrl],
    ['change', { ...state, changeSequence: '13' }, request, publicUrl],
    ['definition', { ...state, storageRevision: '4' }, request, publicUrl],
    ['storage', { ...state, storageId: 'storage-2' }, request, publicUrl],
    ['option', state, { ...request, $select: ['cost'] }, publicUrl],
    ['address', state, request, 'https://other.example'],
  ])('changes with %s', (_what, ...requested) => {
    expect(etagOf(...requested)).not.toBe(etag);
  });

  it('yields its revision in its full, shortened and weak form', () => {
    expect(revisionOfEtag(etag)).toBe('7');
    expect(revisionOfEtag('"7"')).toBe('7');
    expect(revisionOfEtag(`W/${etag}`)).toBe('7');
    for (const other of ['7', '*', '"x-1"', '""', `"${'9'.repeat(20)}"`]) expect(revisionOfEtag(other)).toBeUndefined();
  });
});

describe('If-None-Match', () => {
  it.each([etag, `W/${etag}`, `"a,b", ${etag}`, `${etag},"b"`, '*', ' * '])('matches %s', (header) => {
    expect(isNoneMatch(header, etag)).toBe(false);
    expect(notModifiedReply({ ifNoneMatch: header }, etag)).toMatchObject({
      value: { status: 304, headers: { etag }, body: new Uint8Array(0) },
    });
  });

  it.each([undefined, '', '"7"', etag.slice(1, -1), '"*"'])('does not match %s', (header) => {
    expect(isNoneMatch(header, etag)).toBe(true);
    expect(notModifiedReply({ ifNoneMatch: header }, etag)).toBeUndefined();
  });
});
