import { describe, expect, it } from '@jest/globals';
import type { WrittenElement } from '@tessera/contracts/content-repo';
import { runAtOnce } from '@tessera/fair-queue';
import { faultList } from '@tessera/failures';
import { elementIdOf, versionIdOf } from './element-ids.js';
import type { ElementToUpdate, Target } from './merge-element.js';
import type { StoredVersion } from './new-version.js';
import type { KnownElement } from './place-elements.js';
import { findTarget, planWriting, type WritingFacts } from './plan-writing.js';
import { trialStorage } from './testing/trial-storage.js';

const idOf = (key: string): string => elementIdOf(trialStorage, key);
const known = (key: string, type = 'process', more: Partial<KnownElement> = {}): KnownElement => {
  const facet = type === 'user' ? 'users' : 'processes';
  return { elementId: idOf(key), facet, type, parentId: null, treePath: '00000000', isDeleted: false, ...more };
};
const facts = (more: Partial<WritingFacts> = {}, others: readonly KnownElement[] = []): WritingFacts => ({
  storage: trialStorage,
  publicUrl: 'https://trial.example',
  seed: 'seed',
  facet: 'processes',
  shown: undefined,
  known: new Map(others.map((other) => [other.elementId, other])),
  ...more,
});

const fresh = (key: string): Target => ({ ids: { elementId: idOf(key), versionId: versionIdOf(idOf(key), 0, 1) } });

const stored = (said: Partial<StoredVersion> = {}, more: Partial<ElementToUpdate> = {}): Target => {
  const version = {
    versionId: versionIdOf(idOf('order'), 0, 1),
    major: 0,
    minor: 1,
    state: 'inProcess',
    createdAt: new Date(0),
  };
  const element: ElementToUpdate = {
    elementId: idOf('order'),
    facet: 'processes',
    type: 'process',
    stereotype: null,
    creationId: idOf('order'),
    parentId: null,
    key: 'order',
    heads: [version],
    version,
    said: { attributes: {}, relations: [], content: [], ...said },
    ...more,
  };
  return { ids: { elementId: element.elementId, versionId: element.version.versionId }, stored: element };
};

const plan = (asked: readonly WrittenElement[], targets: readonly Target[], with_ = facts()) =>
  runAtOnce(planWriting(faultList('body'), with_, asked, targets));
const order = { id: idOf('order') };

describe('the plan of an update', () => {
  const said = {
    attributes: {
      name: { '1033': 'Order', '1031': 'Bestellen' },
      weight: { '127': 3 },
      createdOn: { '127': '2026-01-01T00:00:00' },
      changedOn: { '127': '2026-01-02T00:00:00' },
      gotoUrl: { '127': '\u0001/trial' },
    },
    relations: [
      { relation: 'createdBy', targetId: idOf('anna') },
      { relation: 'uses', targetId: idOf('a') },
      { relation: 'uses', targetId: idOf('b') },
    ],
  };

  it('has what is named, replaced whole, beside what is not, and names what changes', () => {
    const asked = {
      ...order,
      attributes: { NAME: { '1033': 'Ordered' }, weight: null },
      related: { uses: [idOf('b')] },
    };
    const { faults, elements } = plan([asked], [stored(said)], facts({}, [known('b')]));
    expect(faults).toEqual([]);
    expect(elements[0]).toMatchObject({
      attributes: { name: { '1033': 'Ordered' }, createdOn: { '127': '2026-01-01T00:00:00' } },
      relations: [{ relation: 'uses', targetIds: [idOf('b')] }],
      changed: ['name', 'weight', 'uses'],
      parent: undefined,
      content: undefined,
    });
    expect(Object.keys(elements[0]?.attributes ?? {})).toEqual(['name', 'createdOn']);
  });

  it('is empty for what was read, whatever the order of cultures and whoever asks', () => {
    const asked: WrittenElement = {
      ...order,
      facetName: 'processes',
      type: 'process',
      state: 'inProcess',
      creationId: idOf('order').toUpperCase(),
      displayNames: { '1033': 'Process' },
      expandUri: 'https://trial.example/somewhere',
      attributes: {
        ...said.attributes,
        name: { '1031': 'Bestellen', '1033': 'Order' },
        gotoUrl: { '127': 'http://other.example/trial' },
      },
      related: { createdBy: [{ id: idOf('anna') }], uses: [{ id: idOf('a') }, idOf('b')] },
      parentId: null,
      stereotype: null,
    };
    const { faults, conflicts, elements } = plan([asked], [stored(said)], facts({}, [known('a'), known('b')]));
    expect([...faults, ...conflicts]).toEqual([]);
    expect(elements[0]?.changed).toEqual([]);
  });

  it('removes an attribute by null or by an empty object, and not what it does not know', () => {
    const { elements } = plan([{ ...order, attributes: { name: {}, weight: null } }], [stored(said)]);
    expect(elements[0]?.changed).toEqual(['name', 'weight']);
    const { faults } = plan([{ ...order, attributes: { wight: null } }], [stored(said)]);
    expect(faults).toMatchObject([{ path: 'elements.0.attributes.wight', rule: 'unknown', suggestion: 'weight' }]);
  });

  it('finds nothing behind names that objects have by themselves', () => {
    const hostile = ['__proto__', 'constructor', 'toString'];
    const asked = {
      ...order,
      attributes: Object.fromEntries(hostile.map((name) => [name, 'x'])),
      related: Object.fromEntries(hostile.map((name) => [name, [idOf('a')]])),
    };
    const { faults } = plan([asked], [stored(said)], facts({}, [known('a')]));
    expect(faults.map(({ path }) => path)).toEqual(
      ['attributes', 'related'].flatMap((member) => hostile.map((name) => `elements.0.${member}.${name}`)),
    );
  });

  it('takes a release history as it was read', () => {
    const heads = ['expired', 'released', 'inProcess'].map((state, index) => ({
      versionId: versionIdOf(idOf('order'), index, 0),
      major: index,
      minor: 0,
      state,
      createdAt: new Date(0),
    }));
    const target = stored({}, { heads });
    const history = (count: number) => ({ ...order, related: { releaseHistory: Array(count).fill(idOf('order')) } });
    expect(plan([history(2)], [target]).faults).toEqual([]);
    expect(plan([history(1)], [target]).faults).toMatchObject([
      { path: 'elements.0.related.releaseHistory', rule: 'kept' },
    ]);
  });
});

describe('the plan of content', () => {
  const symbol = (key: string, position: number) => ({
    contentId: idOf(`content ${key}`),
    key,
    position,
    creationId: idOf('original'),
    type: 'symbol',
    stereotype: undefined,
    state: 'show',
    attributes: { name: { '1033': key } },
    relations: [{ relation: 'uses', targetId: idOf('a') }],
  });
  const target = stored({ content: [symbol('x', 0), symbol('y', 1)] });
  const with_ = facts({}, [known('a')]);

  it('keeps what is there, by id or key, makes the rest, and says what goes', () => {
    const asked = {
      ...order,
      content: [
        { key: 'z', type: 'symbol' },
        { id: idOf('content y').toUpperCase(), type: 'Symbol' },
      ],
    };
    const change = plan([asked], [target], with_).elements[0]?.content;
    expect(change?.goneIds).toEqual([idOf('content x')]);
    expect(change?.rows).toMatchObject([
      { key: 'z', position: 0, attributes: {} },
      {
        contentId: idOf('content y'),
        position: 1,
        creationId: idOf('original'),
        attributes: { name: { '1033': 'y' } },
      },
    ]);
    expect(change?.rows[0]?.creationId).toBe(change?.rows[0]?.contentId);
    expect(change?.relations).toEqual([]);
  });

  it('is none when the list is the one that is there', () => {
    const same = {
      ...order,
      content: [
        { key: 'x', type: 'symbol' },
        { key: 'y', type: 'symbol' },
      ],
    };
    expect(plan([same], [target], with_).elements[0]?.content).toBeUndefined();
    const turned = { ...order, content: [...same.content].reverse() };
    expect(plan([turned], [target], with_).elements[0]?.changed).toEqual(['content']);
  });

  it('gives what has no key identifiers that no other request makes', () => {
    const asked = { ...order, content: [{ type: 'symbol' }, { type: 'symbol' }] };
    const made = ['one', 'two'].flatMap(
      (seed) => plan([asked], [target], facts({ seed })).elements[0]?.content?.rows ?? [],
    );
    expect(new Set(made.map(({ contentId }) => contentId)).size).toBe(4);
  });
});

describe('the plan of several elements', () => {
  it('lets them refer to each other, and tells a fault of one only once', () => {
    const asked: readonly WrittenElement[] = [
      { key: 'first', type: 'process', related: { uses: ['second', 'third'] }, parentId: 'second' },
      { key: 'second', type: 'process' },
      { key: 'third', type: 'unheard' },
    ];
    const { faults } = plan(asked, ['first', 'second', 'third'].map(fresh));
    expect(faults.map(({ path }) => path)).toEqual(['elements.2.type']);
  });

  it('has conflicts beside faults: keys that are taken and versions that are closed', () => {
    const released = {
      ...stored().stored,
      versionId: idOf('v'),
      major: 1,
      minor: 0,
      state: 'released',
      createdAt: new Date(0),
    };
    const closed = stored({}, { version: released, heads: [released] });
    const { faults, conflicts } = plan(
      [order, { key: 'taken', type: 'process' }],
      [closed, fresh('taken')],
      facts({}, [known('taken')]),
    );
    expect(faults).toEqual([]);
    expect(conflicts.map(({ path, message }) => `${path} ${message}`)).toEqual([
      `elements.0.id version 1.0 is in the state released, and only what is in process can be changed; create a version of what is released first, by POST https://trial.example/trial/house.one/_api/rest/release/${idOf('order')}/createversion`,
      `elements.1.key the key "taken" belongs to the element ${idOf('taken')} already; update it by this id`,
    ]);
  });

  it('refuses types that the facet or the view does not have', () => {
    const shown = { view: 'narrow', types: ['symbol'] };
    const asked = [
      { key: 'u', type: 'user' },
      { key: 'p', type: 'process' },
    ];
    const { faults } = plan(asked, [fresh('u'), fresh('p')], facts({ shown }));
    expect(faults.map(({ path, rule }) => `${path} ${rule}`)).toContain('elements.0.type facet');
    expect(faults.map(({ path, rule }) => `${path} ${rule}`)).toContain('elements.1.type view');
  });
});

describe('the target of an update', () => {
  const heads = ['released', 'inProcess'].map((state, minor) => ({ versionId: `v${minor}`, major: 1, minor, state }));
  const elements = [
    { elementId: 'e', heads },
    { elementId: 'f', heads: [] },
  ];
  const find = (asked: Pick<WrittenElement, 'id' | 'versionId'>) => {
    const list = faultList('body');
    const target = findTarget(list, 0, asked, elements);
    return target?.version.versionId ?? list.faults.map(({ path }) => path).join();
  };

  it('is the released version of an element, or exactly the version that is named', () => {
    expect(find({ id: 'E' })).toBe('v0');
    expect(find({ id: 'v1' })).toBe('v1');
    expect(find({ versionId: 'V1' })).toBe('v1');
    expect(find({ id: 'e', versionId: 'v1' })).toBe('v1');
    expect(find({ id: 'v0', versionId: 'v1' })).toBe('v1');
  });

  it('is refused where the version is not of the element', () => {
    expect(find({ id: 'f', versionId: 'v1' })).toBe('elements.0.versionId');
    expect(find({ id: 'g', versionId: 'v1' })).toBe('elements.0.id');
    expect(find({ versionId: 'v9' })).toBe('elements.0.versionId');
  });
});
