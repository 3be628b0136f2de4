import { describe, expect, it } from '@jest/globals';
import { elementIdOf, normaliseDefinition, parseStorageDefinition, collectReferences } from '@tessera/content-model';
import type { ElementDocument } from '@tessera/contracts';
import { readYamlDocument } from '../files/yaml-text.js';
import { storageText } from '../testing/test-workspace.js';
import { ElementIndex } from './element-index.js';

const parsed = parseStorageDefinition(readYamlDocument(storageText).value);
if (!parsed.ok) throw new Error('the trial storage has faults');
const model = normaliseDefinition(parsed.value);

const indexOf = (documents: readonly ElementDocument[], partial = false): ElementIndex => {
  const index = new ElementIndex(model, partial);
  documents.forEach((document, ordinal) => {
    index.add(ordinal, document);
    index.refer(document);
  });
  index.unite();
  return index;
};

const process = (id: string, more: Partial<ElementDocument> = {}): ElementDocument => ({
  id,
  type: 'process',
  ...more,
});
const user = (id: string): ElementDocument => ({ id, type: 'user' });

const targetsOf = (index: ElementIndex, document: ElementDocument) =>
  collectReferences(document).map((reference) => index.wrongTarget(reference));

describe('element ids', () => {
  it('are reported as duplicates, also when a UUID differs only in case', () => {
    const uuid = 'ABCDEF00-0000-4000-8000-000000000000';
    expect(indexOf([process('a'), user('b'), process('a'), user(uuid), user(uuid.toLowerCase())]).twice).toEqual([
      2, 4,
    ]);
  });

  it('are duplicates when one is the UUID derived from the other', () => {
    const derived = elementIdOf(model, 'anna');
    expect(indexOf([user('anna'), user(derived)]).twice).toEqual([1]);
    const index = indexOf([user('anna'), process('a', { relations: { owner: [derived] } })]);
    expect(index.hasWrongTargets).toBe(false);
  });
});

describe('relation targets', () => {
  it('may be defined before or after the element that refers to them', () => {
    const index = indexOf([process('a', { relations: { owner: ['anna'] } }), user('anna')]);
    expect(index.hasWrongTargets).toBe(false);
  });

  it('are reported when missing, with the nearest existing name', () => {
    const document = process('a', { relations: { owner: ['ana'] } });
    const index = indexOf([document, user('anna')]);
    expect(index.hasWrongTargets).toBe(true);
    expect(targetsOf(index, document)).toEqual(['there is no element "ana" in the files; did you mean "anna"?']);
  });

  it('must have a type that the relation allows', () => {
    const document = process('a', { relations: { owner: ['a'] } });
    expect(targetsOf(indexOf([document]), document)).toEqual(['"a" is of the type "process"; "owner" leads to "user"']);
  });

  it('are checked in versions and contents', () => {
    const document = process('a', {
      versions: [
        {
          version: '0.1',
          relations: { owner: ['x'] },
          content: [{ id: 'c', type: 'user', relations: { owner: ['y'] } }],
        },
      ],
    });
    expect(collectReferences(document).map(({ path, target }) => [path, target])).toEqual([
      ['versions.0.relations.owner.0', 'x'],
      ['versions.0.content.0.relations.owner.0', 'y'],
    ]);
    expect(indexOf([document]).hasWrongTargets).toBe(true);
  });

  it('may be missing when the storage is partial or a file could not be read', () => {
    const document = process('a', { parent: 'z', relations: { owner: ['x'] } });
    expect(indexOf([document], true).hasWrongTargets).toBe(false);
    expect(indexOf([document], true).wrongParents()).toEqual([]);
    const index = indexOf([document]);
    index.expectMore();
    expect(index.hasWrongTargets).toBe(false);
  });

  it('of a wrong type are reported in a partial storage too', () => {
    expect(indexOf([process('a', { relations: { owner: ['a'] } })], true).hasWrongTargets).toBe(true);
  });
});

describe('parents of elements', () => {
  const wrongOf = (documents: readonly ElementDocument[]) => {
    const index = indexOf(documents);
    return index.wrongParents().map(({ ordinal }) => {
      const document = documents[ordinal];
      return [ordinal, document && index.wrongParent(document)];
    });
  };

  it('are accepted when their type allows the child', () => {
    expect(wrongOf([process('b', { parent: 'a' }), process('a')])).toEqual([]);
  });

  it('are reported when missing', () => {
    expect(wrongOf([process('order'), process('a', { parent: 'oder' })])).toEqual([
      [1, 'there is no element "oder" in the files; did you mean "order"?'],
    ]);
  });

  it('must be in the same facet and have a type that allows the child', () => {
    expect(wrongOf([user('anna'), process('a', { parent: 'anna' })])).toEqual([
      [1, '"anna" belongs to the facet "users", expected one of "processes"'],
    ]);
    expect(wrongOf([user('anna'), { ...user('bob'), parent: 'anna' }])).toEqual([
      [1, 'elements of the type "user" may not stand under "anna", which is of the type "user"; expected no parent'],
    ]);
  });

  it('must not form a cycle; each cycle is reported once, at its first element', () => {
    const chain = [
      process('d', { parent: 'a' }),
      process('b', { parent: 'c' }),
      process('a', { parent: 'b' }),
      process('c', { parent: 'a' }),
    ];
    expect(wrongOf(chain)).toEqual([[1, 'stands in a circle: following its parents never ends at a root']]);
  });

  it('are checked in a very long chain without exhausting the stack', () => {
    const chain = Array.from({ length: 50_000 }, (_, n) => process(`p${n}`, n > 0 ? { parent: `p${n - 1}` } : {}));
    expect(indexOf(chain).wrongParents()).toEqual([]);
  });
});
