import { describe, expect, it } from '@jest/globals';
import type { ElementDocument } from '@tessera/contracts';
import { checkElement } from './check-element.js';
import { createProcessElement, sampleStorage } from './testing/sample-storage.js';

const faultsOf = (document: ElementDocument) =>
  checkElement(sampleStorage, document).map(({ path, message }) => `${path}: ${message}`);

describe('checkElement', () => {
  it('finds no faults in a valid element', () => {
    expect(
      faultsOf(
        createProcessElement({
          state: 'released',
          relations: { owner: ['user.anna'] },
          content: [{ id: 'a', type: 'symbol' }],
        }),
      ),
    ).toEqual([]);
  });

  it('names the nearest type for one that is misspelled', () => {
    expect(faultsOf(createProcessElement({ type: 'proces' }))).toEqual([
      'type: unknown type "proces"; did you mean "process"?',
    ]);
  });

  it('reports every fault of an element at once, each with its path', () => {
    const document = createProcessElement({
      state: 'relesed',
      attributes: {
        nam: 'x',
        weight: 'heavy',
        validFrom: '2026-02-30T00:00:00',
        gotoUrl: 'x',
        name: { 3082: 'Pedir' },
      },
      relations: { ownr: ['user.anna'], owner: ['user.anna', 'user.ben'], releaseHistory: ['order'] },
      content: [
        { id: 'a', type: 'symbol' },
        { id: 'a', type: 'user' },
      ],
    });
    expect(faultsOf(document)).toEqual([
      'state: unknown state "relesed"; did you mean "released"?',
      'attributes.nam: unknown attribute of "process" "nam"; did you mean "name"?',
      'attributes.weight: expected a number, got the string "heavy"',
      'attributes.validFrom: expected a date-time without zone such as 2026-06-30T00:00:00, got the string "2026-02-30T00:00:00"',
      'attributes.gotoUrl: "gotoUrl" is kept by the server',
      'attributes.name.3082: unknown culture "3082"; expected one of 1033, 1031',
      'relations.ownr: unknown relation "ownr"; did you mean "owner"?',
      'relations.owner.1: "owner" leads to one element at most',
      'relations.releaseHistory: "releaseHistory" is kept by the server',
      'content.1.id: "a" is in this content twice',
      'content.1.type: unknown content type of "process" "user"; expected one of symbol',
    ]);
  });

  it('requires mandatory values for a released version, not for a draft', () => {
    const attributes = { name: { 1031: 'Bestellen' } };
    expect(faultsOf(createProcessElement({ attributes, state: 'inProcess' }))).toEqual([]);
    expect(faultsOf(createProcessElement({ attributes, state: 'released' }))).toEqual([
      'attributes.name: "name" is mandatory in the culture 1033',
    ]);
    expect(faultsOf({ id: 'anna', type: 'user' })).toEqual(['attributes: the attribute "name" is mandatory']);
  });

  it('rejects versions for unversioned types, duplicate numbers and two released versions', () => {
    const name = { name: { 1033: 'Order' } };
    const version = (number: string) => ({ version: number, state: 'released', attributes: name });
    expect(faultsOf({ id: 'anna', type: 'user', version: '1.0', attributes: { name: 'Anna' } })).toEqual([
      'version: elements of the type "user" have no versions',
    ]);
    expect(faultsOf({ id: 'order', type: 'process', versions: [version('1.0'), version('1.0')] })).toEqual([
      'versions.1.version: version 1.0 is given twice',
      'versions.1.state: version 1.0 is released already; one version can be',
    ]);
  });
});
