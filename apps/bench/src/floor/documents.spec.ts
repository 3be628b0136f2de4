import { describe, expect, it } from '@jest/globals';
import { toElementDocument, toFacetDocument, createStorageContext } from './documents.js';
import type { ContentRow, ElementRow, RelationRow } from './element-rows.js';

const around = createStorageContext(
  {
    collection: 'meridian',
    id: 'p2p',
    types: [
      { name: 'group', facet: 'processes', displayNames: { '1033': 'Group' } },
      { name: 'process', facet: 'processes', versioned: true, displayNames: {} },
      { name: 'symbol', facet: 'diagrams', displayNames: {} },
    ],
  },
  'http://gateway.test',
);
const prefix = 'http://gateway.test/meridian/p2p/_api/rest';

const element = (id: string, parent: string | null, more: Partial<ElementRow> = {}): ElementRow => ({
  element_id: id,
  parent_id: parent,
  facet: 'processes',
  type: 'process',
  stereotype: null,
  creation_id: id,
  version_id: `${id}-v`,
  state: 'released',
  attributes: {},
  ...more,
});

const relation = (owner: string, target: string, more: Partial<RelationRow> = {}): RelationRow => ({
  owner_id: owner,
  relation: 'owner',
  target_id: target,
  target_version_id: null,
  target_state: null,
  facet: 'roles',
  type: 'role',
  creation_id: target,
  ...more,
});

const content = (id: string, version: string): ContentRow => ({
  content_id: id,
  version_id: version,
  creation_id: 'original',
  type: 'symbol',
  stereotype: null,
  state: 'show',
  attributes: { name: { '127': id } },
});

describe("the floor's report", () => {
  it('nests children to any depth and sorts siblings by position', () => {
    const rows = [
      element('c', 'a', { position: 2 }),
      element('b', 'a', { position: 1 }),
      element('a', null, { position: 7 }),
      element('d', 'b', { position: 0 }),
    ];
    const document = toFacetDocument(around, { elements: rows, content: [], relations: [], history: [] });
    expect(document['count']).toBe(1);
    expect(document['values']).toMatchObject([
      { id: 'a', children: [{ id: 'b', children: [{ id: 'd' }] }, { id: 'c' }] },
    ]);
  });

  it('shows an element whose parent is in another facet as a root', () => {
    const document = toFacetDocument(around, {
      elements: [element('a', 'elsewhere')],
      content: [],
      relations: [],
      history: [],
    });
    expect(document).toMatchObject({
      count: 1,
      values: [{ id: 'a', expandUri: `${prefix}/facets/processes/reporting/a` }],
    });
  });

  it('adds content and references and leaves empty lists out', () => {
    const document = toFacetDocument(around, {
      elements: [element('a', null), element('b', null)],
      content: [content('s', 'a-v')],
      relations: [relation('a-v', 'r'), relation('s', 'r')],
      history: [{ element_id: 'a', version_id: 'a-old', state: 'expired' }],
    });
    const roleUri = `${prefix}/facets/roles/views/detail/elements/r`;
    const role = { facetName: 'roles', id: 'r', creationId: 'r', type: 'role', expandUri: roleUri };
    expect(document['values']).toEqual([
      {
        facetName: 'processes',
        id: 'a',
        versionId: 'a-v',
        creationId: 'a',
        type: 'process',
        state: 'released',
        related: {
          owner: [role],
          releaseHistory: [
            {
              facetName: 'processes',
              id: 'a',
              versionId: 'a-old',
              creationId: 'a',
              type: 'process',
              state: 'expired',
              expandUri: `${prefix}/facets/processes/views/detail/elements/a-old`,
            },
          ],
        },
        content: [
          {
            facetName: 'diagrams',
            id: 's',
            creationId: 'original',
            type: 'symbol',
            state: 'show',
            attributes: { name: { '127': 's' } },
            related: { owner: [role] },
            expandUri: `${prefix}/facets/diagrams/views/detail/elements/s`,
          },
        ],
        expandUri: `${prefix}/facets/processes/reporting/a`,
      },
      expect.objectContaining({ id: 'b' }),
    ]);
    expect(Object.keys((document['values'] as object[])[1] ?? {})).not.toContain('related');
  });
});

describe("the floor's element", () => {
  it('has its type and its children, with the public address in place of the placeholder', () => {
    const row = {
      ...element('a', null, {
        type: 'group',
        state: 'show',
        attributes: { gotoUrl: { '127': '\u0001/meridian/p2p/x' } },
      }),
      relations: null,
      content: null,
      history: null,
      children: [element('b', 'a')],
    };
    expect(toElementDocument(around, row)).toEqual({
      count: 1,
      elements: [
        {
          facetName: 'processes',
          id: 'a',
          creationId: 'a',
          type: 'group',
          state: 'show',
          displayNames: { '1033': 'Group' },
          attributes: { gotoUrl: { '127': 'http://gateway.test/meridian/p2p/x' } },
          children: [expect.objectContaining({ id: 'b', versionId: 'b-v' })],
          expandUri: `${prefix}/facets/processes/reporting/a`,
        },
      ],
    });
  });
});
