import { describe, expect, it } from '@jest/globals';
import type { StorageDefinition } from '@tessera/contracts';
import { checkDefinition } from './check-definition.js';
import { parseStorageDefinition, parseElementDocument } from './schema-faults.js';
import { sampleDefinition } from './testing/sample-storage.js';

const faultsOf = (more: Partial<StorageDefinition>) =>
  checkDefinition({ ...sampleDefinition, ...more }).map(({ path, message }) => `${path}: ${message}`);

const [process, symbol, user] = sampleDefinition.types;
if (!process || !symbol || !user) throw new Error('The trial storage has three types.');
const withType = (type: typeof process) => ({ types: [type, symbol, user] });

describe('checkDefinition', () => {
  it('finds no faults in a valid definition', () => {
    expect(faultsOf({})).toEqual([]);
  });

  it('reports duplicate names in any letter case', () => {
    const facets = [...sampleDefinition.facets, { name: 'USERS', displayNames: {} }];
    const relations = [...(sampleDefinition.relations ?? []), { name: 'Owner' }];
    expect(faultsOf({ facets, relations })).toEqual([
      'facets.2.name: "USERS" is defined twice',
      'relations.2.name: "Owner" is defined twice',
    ]);
  });

  it('reports unknown types with the nearest known one', () => {
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

  it('rejects unknown states, and transitions between states that the type lacks', () => {
    const states = ['inProcess', 'released', 'done'];
    const transitions = [{ from: 'inProcess', to: 'expired' }];
    expect(faultsOf(withType({ ...process, states, transitions }))).toEqual([
      expect.stringContaining('types.0.states.2: unknown state "done"; expected one of inProcess'),
      'types.0.transitions.0.to: unknown state "expired"; expected one of inProcess, released, done',
    ]);
  });

  it('rejects cultures that the storage does not have', () => {
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

  it('rejects transitions that return to a draft or skip the release', () => {
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

  it('rejects names of system attributes and relations', () => {
    const relations = [{ name: 'releaseHistory' }];
    expect(faultsOf({ ...withType({ ...process, attributes: [{ name: 'State1' }] }), relations })).toEqual([
      'types.0.attributes.0.name: "State1" is kept by the server for every type and cannot be defined',
      'relations.0.name: "releaseHistory" is kept by the server for every type and cannot be defined',
    ]);
  });
});

describe('the schema of a document', () => {
  const lines = (parsed: ReturnType<typeof parseElementDocument> | ReturnType<typeof parseStorageDefinition>) =>
    parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`);

  it('reports unknown members with the nearest known one, and missing members', () => {
    expect(lines(parseElementDocument({ typ: 'process', versions: [{ version: '1', stat: 'released' }] }))).toEqual([
      'id: is missing; expected string',
      'type: is missing; expected string',
      'versions.0.version: expected a version such as "1.0"',
      'versions.0.stat: unknown member "stat"; did you mean "state"?',
      'typ: unknown member "typ"; did you mean "type"?',
    ]);
  });

  it('lists the allowed types of an attribute value', () => {
    expect(lines(parseElementDocument({ id: 'a', type: 'process', attributes: { name: { en: 'x' } } }))).toEqual([
      'attributes.name: expected a text, a number, true, false, a list of links, or such values per culture (1033: ...)',
    ]);
  });

  it('rejects text that PostgreSQL cannot store', () => {
    expect(
      lines(parseElementDocument({ id: 'a', type: 'process', attributes: { name: 'a\u0000b', note: 'half \ud83d' } })),
    ).toHaveLength(2);
  });

  it('accepts a definition as written', () => {
    expect(parseStorageDefinition(structuredClone(sampleDefinition))).toEqual({ ok: true, value: sampleDefinition });
    expect(lines(parseStorageDefinition({ ...sampleDefinition, cultures: [] }))).toEqual([
      expect.stringMatching(/^cultures: /),
    ]);
  });
});
