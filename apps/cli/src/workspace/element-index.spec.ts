import { describe, expect, it } from '@jest/globals';
import { elementIdOf, normaliseDefinition, parseDefinition, referencesIn } from '@tessera/content-model';
import type { ElementDocument } from '@tessera/contracts';
import { readYamlText } from '../files/yaml-text.js';
import { storageText } from '../testing/test-workspace.js';
import { ElementIndex } from './element-index.js';

const parsed = parseDefinition(readYamlText(storageText).value);
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
  referencesIn(document).map((reference) => index.wrongTarget(reference));

describe('ids', () => {
  it('are told when they come a second time, also in another case of a UUID', () => {
    const uuid = 'ABCDEF00-0000-4000-8000-000000000000';
    expect(indexOf([process('a'), user('b'), process('a'), user(uuid), user(uuid.toLowerCase())]).twice).toEqual([
      2, 4,
    ]);
  });

  it('are the same when one is derived from the other', () => {
    const derived = elementIdOf(model, 'anna');
    expect(indexOf([user('anna'), user(derived)]).twice).toEqual([1]);
    const index = indexOf([user('anna'), process('a', { relations: { owner: [derived] } })]);
    expect(index.hasWrongTargets).toBe(false);
  });
});

describe('targets', () => {
  it('are fine when they are there, before or after', () => {
    const index = indexOf([process('a', { relations: { owner: ['anna'] } }), user('anna')]);
    expect(index.hasWrongTargets).toBe(false);
  });

  it('are missed, with the nearest right name', () => {
    const document = process('a', { relations: { owner: ['ana'] } });
    const index = indexOf([document, user('anna')]);
    expect(index.hasWrongTargets).toBe(true);
    expect(targetsOf(index, document)).toEqual(['there is no element "ana" in the files; did you mean "anna"?']);
  });

  it('are of a type that the relation leads to', () => {
    const document = process('a', { relations: { owner: ['a'] } });
    expect(targetsOf(indexOf([document]), document)).toEqual(['"a" is of the type "process"; "owner" leads to "user"']);
  });

  it('are looked for in versions and contents', () => {
    const document = process('a', {
      versions: [
        {
          version: '0.1',
          relations: { owner: ['x'] },
          content: [{ id: 'c', type: 'user', relations: { owner: ['y'] } }],
        },
      ],
    });
    expect(referencesIn(document).map(({ path, target }) => [path, target])).toEqual([
      ['versions.0.relations.owner.0', 'x'],
      ['versions.0.content.0.relations.owner.0', 'y'],
    ]);
    expect(indexOf([document]).hasWrongTargets).toBe(true);
  });

  it('may be elsewhere when the files hold a part of the storage, or could not be read', () => {
    const document = process('a', { parent: 'z', relations: { owner: ['x'] } });
    expect(indexOf([document], true).hasWrongTargets).toBe(false);
    expect(indexOf([document], true).wrongParents()).toEqual([]);
    const index = indexOf([document]);
    index.expectMore();
    expect(index.hasWrongTargets).toBe(false);
  });

  it('of a wrong type are wrong in a partial storage too', () => {
    expect(indexOf([process('a', { relations: { owner: ['a'] } })], true).hasWrongTargets).toBe(true);
  });
});

describe('parents', () => {
  const wrongOf = (documents: readonly ElementDocument[]) => {
    const index = indexOf(documents);
    return index.wrongParents().map(({ ordinal }) => {
      const document = documents[ordinal];
      return [ordinal, document && index.wrongParent(document)];
    });
  };

  it('are fine when their type may have such children', () => {
    expect(wrongOf([process('b', { parent: 'a' }), process('a')])).toEqual([]);
  });

  it('are missed', () => {
    expect(wrongOf([process('order'), process('a', { parent: 'oder' })])).toEqual([
      [1, 'there is no element "oder" in the files; did you mean "order"?'],
    ]);
  });

  it('are of the same facet and of a type that may have such children', () => {
    expect(wrongOf([user('anna'), process('a', { parent: 'anna' })])).toEqual([
      [1, '"anna" belongs to the facet "users", expected one of "processes"'],
    ]);
    expect(wrongOf([user('anna'), { ...user('bob'), parent: 'anna' }])).toEqual([
      [1, 'elements of the type "user" may not stand under "anna", which is of the type "user"; expected no parent'],
    ]);
  });

  it('never come back to where they began; each circle is told once, at its first element', () => {
    const chain = [
      process('d', { parent: 'a' }),
      process('b', { parent: 'c' }),
      process('a', { parent: 'b' }),
      process('c', { parent: 'a' }),
    ];
    expect(wrongOf(chain)).toEqual([[1, 'stands in a circle: following its parents never ends at a root']]);
  });

  it('of a very long chain do not exhaust the stack', () => {
    const chain = Array.from({ length: 50_000 }, (_, n) => process(`p${n}`, n > 0 ? { parent: `p${n - 1}` } : {}));
    expect(indexOf(chain).wrongParents()).toEqual([]);
  });
});
