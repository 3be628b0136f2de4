import { describe, expect, it } from '@jest/globals';
import {
  toCanonicalElement,
  elementIdOf,
  toElementRows,
  planElement,
  renderVersion,
  standardStates,
  findType,
} from '@tessera/content-model';
import type { ElementDocument } from '@tessera/contracts';
import { largeFacetElementCount, createMeridianStorage } from './meridian.js';
import { threeVersionsElementId } from './process-house.js';
import { listVersionStates } from './tiny-selection.js';

const facets = ['processes', 'organization', 'roles', 'risks', 'it', 'knowledge', 'kpi', 'users'];

type Size = 'tiny' | 'demo' | 'load';
/** A storage makes its elements each time it is read; here they are read once. */
const readOnce = (size: Size) => {
  const { definition, model, elements } = createMeridianStorage(size);
  const byFacet = new Map([...elements].map(([facet, list]) => [facet, [...list]] as const));
  return { definition, model, elements: byFacet, all: [...byFacet.values()].flat() };
};
type ReadStorage = ReturnType<typeof readOnce>;
const storages = { tiny: readOnce('tiny'), demo: readOnce('demo'), load: readOnce('load') };

const find = (storage: ReadStorage, id: string): ElementDocument => {
  const found = storage.all.find((element) => element.id === id);
  if (!found) throw new Error(`There is no ${id}.`);
  return found;
};
const versionsOf = (element: ElementDocument) => element.versions ?? [element];
const nameOf = (element: ElementDocument): Readonly<Record<string, string>> =>
  Object(versionsOf(element)[0]?.attributes?.['name']);

describe('Meridian Coatings', () => {
  it('has the facets of the specification in this order', () => {
    expect(storages.demo.definition.facets.map(({ name }) => name)).toEqual(facets);
  });

  it('has the documented number of elements in each size', () => {
    const counts = (storage: ReadStorage) =>
      Object.fromEntries([...storage.elements].map(([facet, elements]) => [facet, elements.length]));
    const usual = {
      ...{ processes: 333, organization: 34, roles: 30, risks: 47 },
      ...{ it: 36, knowledge: 27, kpi: 23, users: 55 },
    };
    expect(counts(storages.tiny)).toEqual({
      ...{ processes: 35, organization: 3, roles: 4, risks: 3 },
      ...{ it: 6, knowledge: 2, kpi: 2, users: 8 },
    });
    expect(counts(storages.demo)).toEqual(usual);
    expect(counts(storages.load)).toEqual({ ...usual, processes: largeFacetElementCount });
  });

  it.each(['tiny', 'demo', 'load'] as const)('has every type and every state in the size %s', (size) => {
    const elements = storages[size].all;
    const content = elements.flatMap((element) => versionsOf(element).flatMap((version) => version.content ?? []));
    const types = new Set([...elements, ...content].map(({ type }) => type));
    expect([...types].sort()).toEqual(storages[size].definition.types.map(({ name }) => name).sort());
    const states = new Set(elements.flatMap(listVersionStates));
    expect([...states].sort()).toEqual([...standardStates(true), 'hide'].sort());
  });

  it.each(['tiny', 'demo', 'load'] as const)(
    'has a container with three versions and their content in the size %s',
    (size) => {
      const { versions = [] } = find(storages[size], threeVersionsElementId);
      expect(versions.map(({ version, state }) => [version, state])).toEqual([
        ['1.0', 'expired'],
        ['2.0', 'released'],
        ['2.1', 'inProcess'],
      ]);
      expect(versions.map(({ attributes }) => Object(attributes?.['name'])['1033'])).toEqual([
        'Check invoices',
        'Verify invoices',
        'Verify invoices automatically',
      ]);
      expect(versions.map(({ content = [] }) => content.length)).toEqual([10, 11, 11]);
      const represents = versions[1]?.content?.flatMap(({ relations }) => relations?.['represents'] ?? []);
      expect(represents).toContain('p2p.invoice-verification.match-invoice');
      expect(represents).toContain('role.accounts-clerk');
    },
  );

  it('has relations across facets even in the smallest size', () => {
    const relations = new Set(
      storages.tiny.all.flatMap((element) =>
        versionsOf(element).flatMap((version) =>
          Object.entries(version.relations ?? {}).flatMap(([name, targets]) => (targets.length > 0 ? [name] : [])),
        ),
      ),
    );
    for (const name of ['owner', 'author', 'qualityManager', 'reviewer', 'secondaryAuthors', 'executes', 'mitigates'])
      expect(relations).toContain(name);
    for (const name of ['uses', 'measures', 'threatens', 'describedBy']) expect(relations).toContain(name);
  });

  it('leaves out German in every twelfth and Spanish in every fifth element of a facet', () => {
    const users = storages.demo.elements.get('users') ?? [];
    const without = (culture: string) =>
      users.flatMap((element, ordinal) => (nameOf(element)[culture] === undefined ? [ordinal] : []));
    expect(without('1033')).toEqual([]);
    expect(without('1031')).toEqual([7, 19, 31, 43]);
    expect(without('3082')).toEqual([3, 8, 13, 18, 23, 28, 33, 38, 43, 48, 53]);
  });

  it('names activities in the grammar of each language', () => {
    const id = 'p2p.order-to-receipt.create-order.select-supplier';
    expect(nameOf(find(storages.demo, id))).toEqual({
      '1031': 'Lieferanten auswählen',
      '1033': 'Select supplier',
      '3082': 'Seleccionar al proveedor',
    });
  });

  it('has dates in order, all before 2026-06-30 except the ends of validity', () => {
    const wrong = storages.demo.all.flatMap((element) =>
      versionsOf(element).flatMap(({ attributes = {} }) => {
        const dateOf = (name: string): readonly string[] =>
          typeof attributes[name] === 'string' ? [attributes[name]] : [];
        const dates = ['createdOn', 'changedOn', 'relOn', 'validFrom'].flatMap(dateOf);
        const ordered = dates.every((date, index) => index === 0 || (dates[index - 1] ?? '') < date);
        const ended = dateOf('validUntil').every((end) => dateOf('validFrom').every((begin) => begin < end));
        return ordered && ended && dates.every((date) => date < '2026-06-30') ? [] : [element.id];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('begins the large size with the processes of the demo size', () => {
    const house = storages.demo.elements.get('processes') ?? [];
    const large = storages.load.elements.get('processes') ?? [];
    expect(large.slice(0, house.length)).toEqual(house);
    expect(new Set(large.slice(house.length).map(({ id }) => id.split('.')[0])).size).toBeGreaterThan(20);
  });

  it('renders the large facet as a report of about 12 MB', () => {
    const { model, elements } = storages.load;
    const types = new Map(storages.load.all.map(({ id, type }) => [elementIdOf(model, id), type]));
    const every = 7;
    const sample = (elements.get('processes') ?? []).filter((_, ordinal) => ordinal % every === 0);
    const length = sample.reduce((sum, element) => sum + renderedLength(storages.load, element, types), 0) * every;
    expect(length / 1_000_000).toBeGreaterThan(11);
    expect(length / 1_000_000).toBeLessThan(13.5);
  });

  it('is written in the canonical form that an export has', () => {
    for (const element of storages.demo.all) {
      const once = toCanonicalElement(storages.demo.model, element);
      expect(JSON.stringify(toCanonicalElement(storages.demo.model, once))).toBe(JSON.stringify(once));
    }
  });
});

/** The address in `expandUri` and the brackets around children. */
const restLength = 140;

const renderedLength = (
  { model }: ReadStorage,
  element: ElementDocument,
  types: ReadonlyMap<string, string>,
): number => {
  const type = findType(model, element.type);
  if (!type) return 0;
  const plan = planElement(model, type, element);
  const { versions, relations, content } = toElementRows(model, plan, [], new Date('2026-06-30T00:00:00Z'));
  const shown = versions.find(({ state }) => state === 'released') ?? versions.at(-1);
  if (!shown) return 0;
  const reference = (targetId: string) => {
    const target = types.get(targetId) ?? '';
    const facet = findType(model, target)?.facet ?? '';
    return { facet, elementId: targetId, creationId: targetId, type: target };
  };
  const references = (owner: string) =>
    Object.fromEntries(
      [
        ...Map.groupBy(
          relations.filter(({ ownerId }) => ownerId === owner),
          ({ relation }) => relation,
        ),
      ].map(([name, rows]) => [name, rows.map(({ targetId }) => reference(targetId))]),
    );
  const rendition = renderVersion(model, {
    ...shown,
    creationId: plan.creationId,
    facet: type.facet,
    type: type.name,
    references: references(shown.versionId),
    content: content
      .filter(({ versionId }) => versionId === shown.versionId)
      .map((row) => ({ ...row, references: references(row.contentId) })),
  });
  return Object.values(rendition).reduce((sum, text) => sum + text.length, restLength);
};
