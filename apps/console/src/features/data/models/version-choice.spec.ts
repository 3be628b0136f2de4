import { describe, expect, it } from '@jest/globals';
import { choosableVersions, comparedVersions, shownVersion, type ModelVersions } from './version-choice.js';

const at = '2026-11-27T12:00:00Z';
const found = (numbers: readonly number[], published?: number, hasDraft = false): ModelVersions => ({
  versions: numbers.map((version) => ({
    ...{ version, digest: 'x', publishedAt: at, publishedBy: 'member:x' },
    isPublished: version === published,
  })),
  ...(hasDraft && { draft: { digest: 'y', changedAt: at, changedBy: 'member:x' } }),
});

it('the draft comes first, then the newest version', () => {
  expect(choosableVersions(found([2, 1], 2, true))).toEqual(['draft', 2, 1]);
  expect(choosableVersions(found([]))).toEqual([]);
});

describe('what is compared', () => {
  it.each([
    ['the draft with what is published', found([2, 1], 2, true), undefined, undefined, [2, 'draft']],
    ['the last version with the one before', found([3, 2, 1], 3), undefined, undefined, [2, 3]],
    ['what the address asks for', found([3, 2, 1], 3, true), 1, 3, [1, 3]],
    ['what is published, by its number', found([3, 2], 3, true), 'published', 'draft', [3, 'draft']],
    ['what there is, for what is not there', found([2, 1], 2), 7, 'draft', [1, 2]],
    ['the one before an older version', found([3, 2, 1], 3), undefined, 2, [1, 2]],
    ['nothing with a first version', found([1], 1), undefined, undefined, [undefined, 1]],
    ['nothing when there is none', found([]), 'published', undefined, [undefined, undefined]],
  ] as const)('is %s', (_, versions, from, to, expected) => {
    const compared = comparedVersions(versions, from, to);
    expect([compared.from, compared.to]).toEqual(expected);
  });
});

it('what is shown is the draft, or the newest version', () => {
  expect(shownVersion(found([2, 1], 2, true), undefined)).toBe('draft');
  expect(shownVersion(found([2, 1], 2), undefined)).toBe(2);
  expect(shownVersion(found([2, 1], 2, true), 'published')).toBe(2);
  expect(shownVersion(found([2, 1], 2), 1)).toBe(1);
  expect(shownVersion(found([]), undefined)).toBeUndefined();
});
