import { describe, expect, it } from '@jest/globals';
import { chooseVersions, draftOf, readVersions } from './versions.js';

const version = (id: string, number: string, state: string, attributes: object = {}) => ({
  ...{ id: 'e', versionId: id, state },
  attributes: { version: { 127: number }, ...attributes },
});
const versions = readVersions({
  elements: [
    version('v1', '1.0', 'expired', { createdOn: { 127: '2025-01-01T00:00:00Z' } }),
    version('v2', '2.0', 'released', { isReleased: { 127: true }, changedOn: { 127: '2026-01-01T00:00:00Z' } }),
    version('v3', '2.1', 'inProcess'),
  ],
});

describe('the versions of an element', () => {
  it('are listed with the newest first', () => {
    expect(versions.map(({ id, number, state }) => [id, number, state])).toEqual([
      ['v3', '2.1', 'inProcess'],
      ['v2', '2.0', 'released'],
      ['v1', '1.0', 'expired'],
    ]);
    expect(versions.map(({ isReleased }) => isReleased)).toEqual([false, true, false]);
    expect(versions.map(({ changedOn }) => changedOn?.slice(0, 4))).toEqual([undefined, '2026', '2025']);
  });

  it('of a type without versions are one, with the id of the element', () => {
    const [only] = readVersions({ elements: [{ id: 'e', state: 'show' }] });
    expect(only).toMatchObject({ id: 'e', number: '', state: 'show' });
    expect(readVersions({})).toEqual([]);
  });

  it.each([
    [undefined, undefined, 'v2', 'v3'],
    ['v1', undefined, 'v1', 'v3'],
    ['v1', 'v2', 'v1', 'v2'],
    [undefined, 'v2', 'v1', 'v2'],
    ['nothing', 'nothing', 'v2', 'v3'],
    [undefined, 'v1', 'v1', 'v1'],
  ])('are compared from %s to %s: %s and %s', (from, to, before, after) => {
    const chosen = chooseVersions(versions, from, to);
    expect([chosen?.before.id, chosen?.after.id]).toEqual([before, after]);
  });

  it('have one draft at most, which is none that was released', () => {
    expect(draftOf(versions)?.id).toBe('v3');
    expect(draftOf(versions.slice(1))).toBeUndefined();
  });

  it('are not compared where there is one', () => {
    expect(chooseVersions(versions.slice(0, 1), undefined, undefined)).toBeUndefined();
  });
});
