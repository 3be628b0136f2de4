import { describe, expect, it } from '@jest/globals';
import { standardTransitions } from './states.js';
import { normaliseDefinition } from './storage-model.js';
import {
  attributesAfterTransition,
  relationsSetToCaller,
  chooseTransition,
  planRelease,
  findReleaseErrors,
  findReleaseWarnings,
  transitionsFrom,
} from './transition.js';
import type { VersionHead } from './version-heads.js';

const storage = normaliseDefinition({
  kind: 'Storage',
  collection: 'acme',
  id: 'main',
  title: 'Main',
  cultures: [1033, 1031, 3082],
  defaultCulture: 1033,
  facets: [{ name: 'processes', displayNames: {} }],
  types: [
    {
      name: 'process',
      facet: 'processes',
      displayNames: {},
      versioned: true,
      attributes: [
        { name: 'name', localised: true, mandatory: true, mandatoryCultures: [1033] },
        { name: 'purpose', mandatory: true },
        { name: 'relOn', type: 'date-time' },
        { name: 'validFrom', type: 'date-time' },
        { name: 'validUntil', type: 'date-time' },
      ],
    },
  ],
  relations: [{ name: 'relBy' }],
});
const [process] = storage.types;
if (!process) throw new Error('The trial storage has no type.');
const type = { name: 'process', transitions: standardTransitions(true) };
const head = (version: string, state: string): VersionHead & { readonly createdAt: Date } => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return { versionId: `v${version}`, major, minor, state, createdAt: new Date(0) };
};
const now = new Date('2026-06-30T12:00:00.000Z');

describe('a transition', () => {
  it('is found by its id, in any letter case, among the transitions of the state', () => {
    expect(chooseTransition(type, head('0.1', 'inProcess'), 'inprocesstoreleased')).toMatchObject({ to: 'released' });
    expect(transitionsFrom(type, 'released')).toEqual([
      { id: 'ReleasedToRequestToExpire', from: 'released', to: 'requestToExpire' },
    ]);
  });

  it('is rejected for an unknown id, listing the possible transitions', () => {
    expect(chooseTransition(type, head('0.1', 'inProcess'), 'Publish')).toBe(
      'There is no transition "Publish" for the type "process"; possible now: InProcessToInReview, InProcessToReleased.',
    );
  });

  it('is rejected when it starts at another state', () => {
    expect(chooseTransition(type, head('1.0', 'expired'), 'InProcessToReleased')).toBe(
      '"InProcessToReleased" does not begin at the state expired; nothing can follow this state.',
    );
  });
});

describe('a release', () => {
  it('takes the next whole number and expires the previous version', () => {
    const heads = [head('1.0', 'released'), head('1.1', 'inProcess')];
    expect(planRelease(heads, head('1.1', 'inProcess'), 'released')).toEqual({
      isRelease: true,
      number: { major: 2, minor: 0 },
      expires: heads[0],
    });
  });

  it('also expires a previous version whose expiry was requested', () => {
    const heads = [head('1.0', 'requestToExpire'), head('1.1', 'inProcess')];
    expect(planRelease(heads, head('1.1', 'inProcess'), 'released').expires).toBe(heads[0]);
  });

  it('keeps the number of a version that was released before', () => {
    const heads = [head('3.0', 'requestToExpire')];
    expect(planRelease(heads, head('3.0', 'requestToExpire'), 'released')).toEqual({
      isRelease: false,
      number: { major: 3, minor: 0 },
      expires: undefined,
    });
  });

  it('leaves one version released when another is released again', () => {
    const heads = [head('1.0', 'expired'), head('2.0', 'released')];
    expect(planRelease(heads, head('1.0', 'expired'), 'released')).toEqual({
      isRelease: false,
      number: { major: 1, minor: 0 },
      expires: heads[1],
    });
  });

  it('is blocked by missing mandatory values and cultures, one error each', () => {
    const faults = findReleaseErrors(process, { name: { 1031: 'Bestellen' } });
    expect(faults.map(({ message }) => message)).toEqual([
      '"name" is mandatory in the culture 1033',
      'the attribute "purpose" is mandatory',
    ]);
  });

  it('warns of names missing in a culture', () => {
    const faults = findReleaseWarnings(storage, process, { name: { 1033: 'Order', 1031: ' ' }, purpose: { 127: 'x' } });
    expect(faults.map(({ message }) => message)).toEqual([
      'there is no value in the culture 1031',
      'there is no value in the culture 3082',
    ]);
  });

  it('sets the release dates that its type declares, and keeps given dates', () => {
    const facts = {
      elementId: 'e',
      version: head('0.1', 'inProcess'),
      to: 'released',
      number: { major: 1, minor: 0 },
      now,
    };
    const before = { validFrom: { 127: '2027-01-01T00:00:00' }, changedOn: { 127: '2026-01-01T00:00:00' } };
    expect(attributesAfterTransition(storage, process, before, facts)).toMatchObject({
      relOn: { 127: '2026-06-30T12:00:00' },
      validFrom: { 127: '2027-01-01T00:00:00' },
      validUntil: { 127: '9999-12-31T00:00:00' },
      changedOn: { 127: '2026-06-30T12:00:00' },
      version: { 127: '1.0' },
      state1: { 127: 'released' },
      isReleased: { 127: true },
    });
  });

  it('ends the validity of an expired version', () => {
    const facts = {
      elementId: 'e',
      version: head('1.0', 'released'),
      to: 'expired',
      number: { major: 1, minor: 0 },
      now,
    };
    const endAfter = (validUntil: string): unknown =>
      attributesAfterTransition(storage, process, { validUntil: { 127: validUntil } }, facts)['validUntil'];
    expect(endAfter('9999-12-31T00:00:00')).toEqual({ 127: '2026-06-30T12:00:00' });
    expect(endAfter('2027-01-01T00:00:00')).toEqual({ 127: '2026-06-30T12:00:00' });
    expect(endAfter('2026-01-01T00:00:00')).toEqual({ 127: '2026-01-01T00:00:00' });
  });

  it('sets the changer, and the releaser when the storage has that relation', () => {
    expect(relationsSetToCaller(storage, true)).toEqual(['changedBy', 'relBy']);
    expect(relationsSetToCaller(storage, false)).toEqual(['changedBy']);
    expect(relationsSetToCaller({ ...storage, relationByName: new Map() }, true)).toEqual(['changedBy']);
  });
});
