import { describe, expect, it } from '@jest/globals';
import type { StorageDefinition } from '@tessera/contracts';
import { checkDefinition } from './check-definition.js';
import { parseDefinition, parseElement } from './schema-faults.js';
import { trialDefinition } from './testing/trial-storage.js';

const faultsOf = (more: Partial<StorageDefinition>) =>
  checkDefinition({ ...trialDefinition, ...more }).map(({ path, message }) => `${path}: ${message}`);

const [process, symbol, user] = trialDefinition.types;
if (!process || !symbol || !user) throw new Error('The trial storage has three types.');
const withType = (type: typeof process) => ({ types: [type, symbol, user] });

describe('the checks of a definition', () => {
  it('find nothing in one that is whole', () => {
    expect(faultsOf({})).toEqual([]);
  });

  it('name what is defined twice, whatever its case', () => {
    const facets = [...trialDefinition.facets, { name: 'USERS', displayNames: {} }];
    const relations = [...(trialDefinition.relations ?? []), { name: 'Owner' }];
    expect(faultsOf({ facets, relations })).toEqual([
      'facets.2.name: "USERS" is defined twice',
      'relations.2.name: "Owner" is defined twice',
    ]);
  });

  it('name types that lead nowhere, with the nearest right one', () => {
    expect(
      faultsOf(withType({ ...process, facet: 'processs', childTypes: ['proces'], contentTypes: ['process'] })),
    ).toEqual([
      'types.0.facet: unknown facet "processs"; did you mean "processes"?',
      'types.0.childTypes.0: unknown type "proces"; did you mean "process"?',
      'types.0.contentTypes.0: "process" has versions; content has the version of what holds it',
    ]);
    expect(faultsOf(withType({ ...process, childTypes: ['user'] }))).toEqual([
      'types.0.childTypes.0: "user" belongs to the facet "users", expected a type of "processes"',
    ]);
  });

  it('refuse states that no type can have and transitions between states that the type has not', () => {
    const states = ['inProcess', 'released', 'done'];
    const transitions = [{ from: 'inProcess', to: 'expired' }];
    expect(faultsOf(withType({ ...process, states, transitions }))).toEqual([
      expect.stringContaining('types.0.states.2: unknown state "done"; expected one of inProcess'),
      'types.0.transitions.0.to: unknown state "expired"; expected one of inProcess, released, done',
    ]);
  });

  it('refuse cultures that the storage does not have', () => {
    const attributes = [
      { name: 'name', localised: true, mandatoryCultures: [1036] },
      { name: 'size', mandatoryCultures: [1033] },
    ];
    expect(
      faultsOf({ ...withType({ ...process, attributes, displayNames: { 3082: 'Proceso' } }), defaultCulture: 1036 }),
    ).toEqual([
      'defaultCulture: 1036 is not one of the cultures',
      'types.0.displayNames.3082: unknown culture "3082"; expected one of 1033, 1031',
      'types.0.attributes.0.mandatoryCultures.0: 1036 is not one of the cultures of the storage',
      'types.0.attributes.1.mandatoryCultures: only a localised attribute can be mandatory in cultures',
    ]);
  });

  it('have transitions by which no version is a draft twice, or past its release without one', () => {
    const transitions = [
      { from: 'inProcess', to: 'released' },
      { from: 'released', to: 'inProcess' },
      { from: 'inReview', to: 'expired' },
      { from: 'expired', to: 'released' },
    ];
    expect(faultsOf(withType({ ...process, transitions }))).toEqual([
      'types.0.transitions.1.to: a version that was released cannot be inProcess; a new version can',
      'types.0.transitions.2.to: a version is released before it can be expired',
    ]);
  });

  it('keep the names that the server keeps', () => {
    const relations = [{ name: 'releaseHistory' }];
    expect(faultsOf({ ...withType({ ...process, attributes: [{ name: 'State1' }] }), relations })).toEqual([
      'types.0.attributes.0.name: "State1" is kept by the server for every type and cannot be defined',
      'relations.0.name: "releaseHistory" is kept by the server for every type and cannot be defined',
    ]);
  });
});

describe('the shape of a document', () => {
  const lines = (parsed: ReturnType<typeof parseElement> | ReturnType<typeof parseDefinition>) =>
    parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`);

  it('names unknown members with the nearest right one, and what is missing', () => {
    expect(lines(parseElement({ typ: 'process', versions: [{ version: '1', stat: 'released' }] }))).toEqual([
      'id: is missing; expected string',
      'type: is missing; expected string',
      'versions.0.version: expected a version such as "1.0"',
      'versions.0.stat: unknown member "stat"; did you mean "state"?',
      'typ: unknown member "typ"; did you mean "type"?',
    ]);
  });

  it('says what an attribute may hold', () => {
    expect(lines(parseElement({ id: 'a', type: 'process', attributes: { name: { en: 'x' } } }))).toEqual([
      'attributes.name: expected a text, a number, true, false, a list of links, or such values per culture (1033: ...)',
    ]);
  });

  it('refuses text that PostgreSQL cannot keep', () => {
    expect(
      lines(parseElement({ id: 'a', type: 'process', attributes: { name: 'a\u0000b', note: 'half \ud83d' } })),
    ).toHaveLength(2);
  });

  it('takes a definition as it is written', () => {
    expect(parseDefinition(structuredClone(trialDefinition))).toEqual({ ok: true, value: trialDefinition });
    expect(lines(parseDefinition({ ...trialDefinition, cultures: [] }))).toEqual([
      expect.stringMatching(/^cultures: /),
    ]);
  });
});
