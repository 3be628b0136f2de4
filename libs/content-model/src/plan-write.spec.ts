import { describe, expect, it } from '@jest/globals';
import type { WrittenElement } from '@tessera/contracts/content-repo';
import { runUnsliced } from '@tessera/fair-queue';
import { createFaultList } from '@tessera/failures';
import { elementIdOf, versionIdOf } from './element-ids.js';
import type { ElementToUpdate, WriteTarget } from './merge-element.js';
import type { StoredVersion } from './new-version.js';
import type { ExistingElement } from './place-elements.js';
import { findWriteTarget, planWrite, type WriteFacts } from './plan-write.js';
import { sampleStorage } from './testing/sample-storage.js';

const idOf = (key: string): string => elementIdOf(sampleStorage, key);
const known = (key: string, type = 'process', more: Partial<ExistingElement> = {}): ExistingElement => {
  const facet = type === 'user' ? 'users' : 'processes';
  return { elementId: idOf(key), facet, type, parentId: null, treePath: '00000000', isDeleted: false, ...more };
};
const facts = (more: Partial<WriteFacts> = {}, others: readonly ExistingElement[] = []): WriteFacts => ({
  storage: sampleStorage,
  publicUrl: 'https://trial.example',
  seed: 'seed',
  facet: 'processes',
  shown: undefined,
  known: new Map(others.map((other) => [other.elementId, other])),
  ...more,
});

const fresh = (key: string): WriteTarget => ({
  ids: { elementId: idOf(key), versionId: versionIdOf(idOf(key), 0, 1) },
});

const stored = (parts: Partial<StoredVersion> = {}, more: Partial<ElementToUpdate> = {}): WriteTarget => {
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
    parts: { attributes: {}, relations: [], content: [], ...parts },
    ...more,
  };
  return { ids: { elementId: element.elementId, versionId: element.version.versionId }, stored: element };
};

const plan = (requested: readonly WrittenElement[], targets: readonly WriteTarget[], with_ = facts()) =>
  runUnsliced(planWrite(createFaultList('body'), with_, requested, targets));
const order = { id: idOf('order') };

describe('the plan of an update', () => {
  const parts = {
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

  it('replaces given members, keeps the others and lists the changes', () => {
    const requested = {
      ...order,
      attributes: { NAME: { '1033': 'Ordered' }, weight: null },
      related: { uses: [idOf('b')] },
    };
    const { faults, elements } = plan([requested], [stored(parts)], facts({}, [known('b')]));
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

  it('is empty for unchanged input with cultures in any order', () => {
    const requested: WrittenElement = {
      ...order,
      facetName: 'processes',
      type: 'process',
      state: 'inProcess',
      creationId: idOf('order').toUpperCase(),
      displayNames: { '1033': 'Process' },
      expandUri: 'https://trial.example/somewhere',
      attributes: {
        ...parts.attributes,
        name: { '1031': 'Bestellen', '1033': 'Order' },
        gotoUrl: { '127': 'http://other.example/trial' },
      },
      related: { createdBy: [{ id: idOf('anna') }], uses: [{ id: idOf('a') }, idOf('b')] },
      parentId: null,
      stereotype: null,
    };
    const { faults, conflicts, elements } = plan([requested], [stored(parts)], facts({}, [known('a'), known('b')]));
    expect([...faults, ...conflicts]).toEqual([]);
    expect(elements[0]?.changed).toEqual([]);
  });

  it('removes an attribute by null or an empty object, and rejects unknown ones', () => {
    const { elements } = plan([{ ...order, attributes: { name: {}, weight: null } }], [stored(parts)]);
    expect(elements[0]?.changed).toEqual(['name', 'weight']);
    const { faults } = plan([{ ...order, attributes: { wight: null } }], [stored(parts)]);
    expect(faults).toMatchObject([{ path: 'elements.0.attributes.wight', rule: 'unknown', suggestion: 'weight' }]);
  });

  it('does not resolve names inherited from Object', () => {
    const hostile = ['__proto__', 'constructor', 'toString'];
    const requested = {
      ...order,
      attributes: Object.fromEntries(hostile.map((name) => [name, 'x'])),
      related: Object.fromEntries(hostile.map((name) => [name, [idOf('a')]])),
    };
    const { faults } = plan([requested], [stored(parts)], facts({}, [known('a')]));
    expect(faults.map(({ path }) => path)).toEqual(
      ['attributes', 'related'].flatMap((member) => hostile.map((name) => `elements.0.${member}.${name}`)),
    );
  });

  it('accepts an unchanged release history', () => {
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
    expect(plan([history(2)], [target]).elements[0]?.ignored).toEqual([]);
    expect(plan([history(1)], [target])).toMatchObject({
      faults: [],
      elements: [{ ignored: [['elements', 0, 'related', 'releaseHistory']], changed: [] }],
    });
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

  it('keeps entries by id or key, creates the rest and lists the removed ones', () => {
    const requested = {
      ...order,
      content: [
        { key: 'z', type: 'symbol' },
        { id: idOf('content y').toUpperCase(), type: 'Symbol' },
      ],
    };
    const change = plan([requested], [target], with_).elements[0]?.content;
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

  it('is empty for an unchanged list', () => {
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

  it('gives entries without a key unique identifiers', () => {
    const requested = { ...order, content: [{ type: 'symbol' }, { type: 'symbol' }] };
    const made = ['one', 'two'].flatMap(
      (seed) => plan([requested], [target], facts({ seed })).elements[0]?.content?.rows ?? [],
    );
    expect(new Set(made.map(({ contentId }) => contentId)).size).toBe(4);
  });
});

describe('the plan of several elements', () => {
  it('lets elements refer to each other, and reports each fault once', () => {
    const requested: readonly WrittenElement[] = [
      { key: 'first', type: 'process', related: { uses: ['second', 'third'] }, parentId: 'second' },
      { key: 'second', type: 'process' },
      { key: 'third', type: 'unheard' },
    ];
    const { faults } = plan(requested, ['first', 'second', 'third'].map(fresh));
    expect(faults.map(({ path }) => path)).toEqual(['elements.2.type']);
  });

  it('reports keys in use and closed versions as conflicts beside faults', () => {
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

  it('rejects types outside the facet or the view', () => {
    const shown = { view: 'narrow', types: ['symbol'] };
    const requested = [
      { key: 'u', type: 'user' },
      { key: 'p', type: 'process' },
    ];
    const { faults } = plan(requested, [fresh('u'), fresh('p')], facts({ shown }));
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
  const find = (requested: Pick<WrittenElement, 'id' | 'versionId'>) => {
    const list = createFaultList('body');
    const target = findWriteTarget(list, 0, requested, elements);
    return target?.version.versionId ?? list.faults.map(({ path }) => path).join();
  };

  it('is the released version of an element or the exact version given', () => {
    expect(find({ id: 'E' })).toBe('v0');
    expect(find({ id: 'v1' })).toBe('v1');
    expect(find({ versionId: 'V1' })).toBe('v1');
    expect(find({ id: 'e', versionId: 'v1' })).toBe('v1');
    expect(find({ id: 'v0', versionId: 'v1' })).toBe('v1');
  });

  it('is rejected when the version belongs to another element', () => {
    expect(find({ id: 'f', versionId: 'v1' })).toBe('elements.0.versionId');
    expect(find({ id: 'g', versionId: 'v1' })).toBe('elements.0.id');
    expect(find({ versionId: 'v9' })).toBe('elements.0.versionId');
  });
});
