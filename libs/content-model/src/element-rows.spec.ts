import { describe, expect, it } from '@jest/globals';
import type { ElementDocument } from '@tessera/contracts';
import { contentIdOf, elementIdOf, isUuid, versionIdOf } from './element-ids.js';
import { toElementRows } from './element-rows.js';
import { formatTreeSegment } from './place-elements.js';
import { planElement } from './plan-element.js';
import { findType } from './storage-model.js';
import { createProcessElement, sampleStorage } from './testing/sample-storage.js';

const now = new Date('2026-06-30T00:00:00Z');

const planned = (document: ElementDocument) => {
  const type = findType(sampleStorage, document.type);
  if (!type) throw new Error(`no type ${document.type}`);
  return planElement(sampleStorage, type, document);
};

describe('the identifier derived from a key', () => {
  it('is the same on every machine and differs between storages', () => {
    expect(elementIdOf(sampleStorage, 'order')).toBe('8a59eb20-7595-8996-a1bb-ceef55cff914');
    expect(elementIdOf({ collection: 'trial', id: 'other' }, 'order')).not.toBe(elementIdOf(sampleStorage, 'order'));
    expect(elementIdOf({ collection: 'a', id: 'bc' }, 'd')).not.toBe(elementIdOf({ collection: 'ab', id: 'c' }, 'd'));
  });

  it('is the key itself when that is a UUID', () => {
    const uuid = '0197B5E2-0000-7000-8000-000000000001';
    expect(elementIdOf(sampleStorage, uuid)).toBe(uuid.toLowerCase());
    expect(planned({ id: uuid, type: 'user', attributes: { name: 'A' } })).not.toHaveProperty('key');
    expect(isUuid('order')).toBe(false);
  });
});

describe('the rows of an element', () => {
  const symbols = [
    { id: 'start', type: 'symbol' },
    { id: 'end', type: 'symbol', relations: { uses: ['order'] } },
  ];
  const document: ElementDocument = {
    id: 'order',
    type: 'process',
    parent: 'buying',
    versions: [
      { version: '2.0', state: 'released', content: symbols },
      { version: '1.0', state: 'expired', content: symbols.slice(0, 1), relations: { uses: ['b', 'a'] } },
    ],
  };

  it('give each version its own copy of the content, with the first version as the original', () => {
    const { versions, content, relations } = toElementRows(sampleStorage, planned(document), [], now);
    const elementId = elementIdOf(sampleStorage, 'order');
    const [first, second] = [versionIdOf(elementId, 1, 0), versionIdOf(elementId, 2, 0)];
    expect(versions.map(({ versionId, state }) => [versionId, state])).toEqual([
      [first, 'expired'],
      [second, 'released'],
    ]);
    const original = contentIdOf(first, 'start');
    expect(content.map(({ contentId, creationId, position }) => [contentId, creationId, position])).toEqual([
      [original, original, 0],
      [contentIdOf(second, 'start'), original, 0],
      [contentIdOf(second, 'end'), contentIdOf(second, 'end'), 1],
    ]);
    expect(relations.map(({ ownerId, targetId, position }) => [ownerId, targetId, position])).toEqual([
      [first, elementIdOf(sampleStorage, 'b'), 0],
      [first, elementIdOf(sampleStorage, 'a'), 1],
      [contentIdOf(second, 'end'), elementId, 0],
    ]);
  });

  it('keep the identifier and the creation date of a stored version', () => {
    const createdAt = new Date('2020-01-01T00:00:00Z');
    const stored = { versionId: '0197b5e2-0000-7000-8000-000000000009', major: 2, minor: 0, createdAt };
    const { versions } = toElementRows(sampleStorage, planned(document), [stored], now);
    expect(versions[1]).toMatchObject({ versionId: stored.versionId, createdAt, changedAt: now });
    expect(versions[1]?.attributes).toMatchObject({
      createdOn: { 127: '2020-01-01T00:00:00' },
      changedOn: { 127: '2026-06-30T00:00:00' },
    });
    expect(versions[0]?.createdAt).toEqual(now);
  });

  it('keep the identifier of a stored version by its original number, each at most once', () => {
    const elementId = elementIdOf(sampleStorage, 'order');
    const began = { versionId: versionIdOf(elementId, 2, 0), major: 3, minor: 0, createdAt: now };
    const idsOf = (...numbers: readonly string[]) =>
      toElementRows(
        sampleStorage,
        planned({ ...document, versions: numbers.map((version) => ({ version })) }),
        [began],
        now,
      ).versions.map(({ versionId }) => versionId);
    expect(idsOf('2.0')).toEqual([began.versionId]);
    const [second, third] = idsOf('2.0', '3.0');
    expect(third).toBe(began.versionId);
    expect(second).not.toBe(third);
    expect(idsOf('2.0', '3.0')[0]).toBe(second);
  });

  it('default to the first version number of their state', () => {
    const numberOf = (document: ElementDocument) =>
      toElementRows(sampleStorage, planned(document), [], now).versions.map(({ major, minor }) => `${major}.${minor}`);
    expect(numberOf(createProcessElement({ state: 'inReview' }))).toEqual(['0.1']);
    expect(numberOf(createProcessElement({ state: 'released' }))).toEqual(['1.0']);
    expect(numberOf(createProcessElement({ state: 'released', version: '3.1' }))).toEqual(['3.1']);
    expect(numberOf({ id: 'anna', type: 'user' })).toEqual(['1.0']);
  });
});

describe('a tree path', () => {
  it('sorts as text in tree order', () => {
    const [root, child, next] = [
      formatTreeSegment(1),
      formatTreeSegment(1) + formatTreeSegment(10),
      formatTreeSegment(2),
    ];
    expect([next, child, root].sort()).toEqual([root, child, next]);
    expect(child).toBe('000000010000000a');
  });
});
