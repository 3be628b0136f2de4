import { describe, expect, it } from '@jest/globals';
import { createNewVersionRows, checkNewVersion, type StoredVersion } from './new-version.js';
import { normaliseDefinition } from './storage-model.js';
import { findVersionHead, findDraftVersion, formatVersion, type VersionHead } from './version-heads.js';

const storage = normaliseDefinition({
  kind: 'Storage',
  collection: 'acme',
  id: 'main',
  title: 'Main',
  cultures: [1033],
  defaultCulture: 1033,
  facets: [{ name: 'processes', displayNames: {} }],
  types: [
    {
      name: 'process',
      facet: 'processes',
      displayNames: {},
      versioned: true,
      attributes: [
        { name: 'name', localised: true },
        { name: 'relOn', type: 'date-time' },
        { name: 'validFrom', type: 'date-time' },
        { name: 'validUntil', type: 'date-time' },
        { name: 'reasonForRevision' },
      ],
    },
    { name: 'area', facet: 'processes', displayNames: {} },
  ],
  relations: [{ name: 'owner' }, { name: 'relBy' }],
});
const [process, area] = storage.types;
if (!process || !area) throw new Error('The trial storage has no types.');

const head = (version: string, state: string): VersionHead => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return { versionId: `v${version}`, major, minor, state };
};
const now = new Date('2026-06-30T12:00:00.000Z');
const parts: StoredVersion = {
  attributes: {
    name: { 1033: 'Order' },
    relOn: { 127: '2026-01-01T00:00:00' },
    validFrom: { 127: '2026-01-01T00:00:00' },
    validUntil: { 127: '2026-12-31T00:00:00' },
    reasonForRevision: { 127: 'new law' },
    createdOn: { 127: '2026-01-01T00:00:00' },
    changedOn: { 127: '2026-01-02T00:00:00' },
    version: { 127: '1.0' },
  },
  relations: [
    { relation: 'owner', targetId: 'role' },
    { relation: 'relBy', targetId: 'bob' },
    { relation: 'author', targetId: 'bob' },
  ],
  content: [
    {
      contentId: '0199e2a0-0000-7000-8000-000000000001',
      key: 'start',
      position: 0,
      creationId: 'older',
      type: 'symbol',
      stereotype: undefined,
      state: 'show',
      attributes: {},
      relations: [{ relation: 'owner', targetId: 'role' }],
    },
  ],
};
const made = createNewVersionRows(
  storage,
  process,
  { ...head('1.0', 'released'), ...parts },
  {
    elementId: 'e',
    versionId: 'new',
    heads: [head('0.7', 'expired'), head('1.0', 'released')],
    now,
    callerId: 'ann',
  },
);

describe('a new version', () => {
  it('is in process, with the next minor number', () => {
    expect(made.versions).toMatchObject([{ versionId: 'new', elementId: 'e', major: 1, minor: 1, state: 'inProcess' }]);
    expect(made.versions[0]?.attributes).toMatchObject({ version: { 127: '1.1' }, isReleased: { 127: false } });
  });

  it('skips version numbers that files have used', () => {
    const source = head('1.0', 'released');
    const facts = { elementId: 'e', versionId: 'new', heads: [source, head('1.1', 'expired')], now, callerId: 'ann' };
    const rows = createNewVersionRows(storage, process, { ...source, ...parts }, facts);
    expect(rows.versions).toMatchObject([{ major: 1, minor: 2 }]);
  });

  it('keeps declared attributes, drops release attributes and resets its dates', () => {
    const attributes = made.versions[0]?.attributes ?? {};
    expect(attributes['name']).toEqual({ 1033: 'Order' });
    expect(Object.keys(attributes)).not.toEqual(expect.arrayContaining(['relOn', 'validFrom', 'reasonForRevision']));
    expect(attributes['validUntil']).toEqual({ 127: '9999-12-31T00:00:00' });
    expect(attributes['createdOn']).toEqual({ 127: '2026-06-30T12:00:00' });
    expect(attributes['changedOn']).toEqual({ 127: '2026-06-30T12:00:00' });
  });

  it('keeps its relations except those of the release; the caller becomes author, creator and changer', () => {
    const own = made.relations.filter(({ ownerId }) => ownerId === 'new');
    expect(own.map(({ relation, targetId }) => `${relation} ${targetId}`)).toEqual([
      'owner role',
      'author ann',
      'createdBy ann',
      'changedBy ann',
    ]);
  });

  it('has a deep copy of the content, with new ids and references to the originals', () => {
    const [copy] = made.content;
    expect(copy).toMatchObject({ versionId: 'new', key: 'start', creationId: '0199e2a0-0000-7000-8000-000000000001' });
    expect(copy?.contentId).not.toBe('0199e2a0-0000-7000-8000-000000000001');
    expect(made.relations).toContainEqual({
      ownerId: copy?.contentId,
      relation: 'owner',
      position: 0,
      targetId: 'role',
    });
  });

  it('has no author when the storage has no user type', () => {
    const facts = { elementId: 'e', versionId: 'new', heads: [], now, callerId: undefined };
    const rows = createNewVersionRows(storage, process, { ...head('1.0', 'released'), ...parts }, facts);
    expect(rows.relations.map(({ relation }) => relation)).not.toContain('author');
  });
});

describe('creating a new version', () => {
  it.each([
    ['of a type without versions', area, [head('1.0', 'show')], 0, 'have no versions'],
    [
      'beside a draft in any state',
      process,
      [head('1.0', 'released'), head('1.1', 'inReview')],
      0,
      'Version 1.1 (v1.1) is in the state inReview',
    ],
    ['of a version that was never released', process, [head('0.1', 'inProcess')], 0, 'Version 0.1 (v0.1)'],
    [
      'of an expired version beside a released one',
      process,
      [head('1.0', 'expired'), head('2.0', 'released')],
      0,
      'Use the released version 2.0 (v2.0).',
    ],
    [
      'of a version with a pending expiry',
      process,
      [head('1.0', 'requestToExpire')],
      0,
      'The transition RequestToExpireToReleased',
    ],
    ['of an element whose only version has expired', process, [head('1.0', 'expired')], 0, 'create a new element'],
  ] as const)('is rejected %s', (_case, type, heads, source, message) => {
    expect(checkNewVersion(type, heads, heads[source] ?? heads[0])).toContain(message);
  });

  it('is allowed for a released version without a draft', () => {
    expect(checkNewVersion(process, [head('1.0', 'released')], head('1.0', 'released'))).toBeUndefined();
  });
});

describe('the version addressed by an id', () => {
  const heads = [head('1.0', 'expired'), head('2.0', 'released'), head('2.1', 'inProcess')];
  it('is the released version for an element id, and the exact version for a version id', () => {
    expect(findVersionHead(heads, 'e')?.versionId).toBe('v2.0');
    expect(findVersionHead(heads, 'v1.0')?.versionId).toBe('v1.0');
  });
  it('is the newest version when none is released', () => {
    expect(findVersionHead([head('1.0', 'expired'), head('1.1', 'inReview')], 'e')?.versionId).toBe('v1.1');
  });
  it('is the draft of an element when its state is not yet released', () => {
    expect(findDraftVersion(heads)?.versionId).toBe('v2.1');
    expect(findDraftVersion([head('1.0', 'requestToExpire')])).toBeUndefined();
    expect(formatVersion(head('12.3', 'released'))).toBe('12.3');
  });
});
