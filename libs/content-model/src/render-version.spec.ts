import { describe, expect, it } from '@jest/globals';
import { publicUrlPlaceholder } from './addresses.js';
import { fillAttributes, omitComputedAttributes, toStoredAttributes } from './attributes.js';
import { renderContentElement, renderVersion, type VersionToRender } from './render-version.js';
import { findType } from './storage-model.js';
import { sampleStorage } from './testing/sample-storage.js';

const process = findType(sampleStorage, 'process');
if (!process) throw new Error('The trial storage has no process.');

const facts = {
  elementId: 'e1',
  versionId: 'v1',
  major: 1,
  minor: 2,
  state: 'released',
  createdAt: new Date('2026-01-02T03:04:05.000Z'),
  changedAt: new Date('2026-06-30T00:00:00.250Z'),
};

const owner = { facet: 'users', elementId: 'u1', creationId: 'u1', type: 'user' };

const version = (more: Partial<VersionToRender> = {}): VersionToRender => ({
  elementId: 'e1',
  versionId: 'v1',
  creationId: 'e0',
  facet: 'processes',
  type: 'process',
  stereotype: 'core',
  state: 'released',
  attributes: {},
  references: {},
  content: [],
  ...more,
});

const asObject = (text: string): unknown => JSON.parse(text.replaceAll(publicUrlPlaceholder, 'https://here'));

describe('the rendition of a version', () => {
  it('consists of JSON fragments that combine in any selection', () => {
    const attributes = fillAttributes(sampleStorage, process, toStoredAttributes(process, { weight: 3 }), facts);
    const text = renderVersion(sampleStorage, version({ attributes, references: { owner: [owner] } }));
    expect(text.identity).toBe(
      '{"facetName":"processes","id":"e1","versionId":"v1","creationId":"e0","type":"process","state":"released","stereotype":"core"',
    );
    expect(text.displayNames).toBe(',"displayNames":{"1031":"Prozess","1033":"Process"}');
    expect(text.related).toBe(
      `,"related":{"owner":[{"facetName":"users","id":"u1","creationId":"u1","type":"user","expandUri":"${publicUrlPlaceholder}/trial/house.one/_api/rest/facets/users/views/detail/elements/u1"}]}`,
    );
    expect(text.content).toBe('');
    expect(asObject(`${text.identity}${text.attributes}}`)).toEqual({
      facetName: 'processes',
      id: 'e1',
      versionId: 'v1',
      creationId: 'e0',
      type: 'process',
      state: 'released',
      stereotype: 'core',
      attributes: {
        weight: { 127: 3 },
        createdOn: { 127: '2026-01-02T03:04:05' },
        changedOn: { 127: '2026-06-30T00:00:00.250' },
        state1: { 127: 'released' },
        gotoUrl: { 127: 'https://here/trial/house.one/_api/rest/facets/processes/views/detail/elements/v1' },
        version: { 127: '1.2' },
        majorVersion: { 127: 1 },
        minorVersion: { 127: 2 },
        isReleased: { 127: true },
      },
    });
  });

  it('shows the stereotype of a referenced element after its state', () => {
    const references = { uses: [{ ...owner, state: 'show', stereotype: 'clerk' }, owner] };
    const related = renderVersion(sampleStorage, version({ references })).related;
    expect(related).toContain('"type":"user","state":"show","stereotype":"clerk","expandUri":');
    expect(related).toContain('"type":"user","expandUri":');
  });

  it('leaves out a missing version identifier and stereotype', () => {
    const text = renderVersion(
      sampleStorage,
      version({ type: 'user', facet: 'users', stereotype: undefined, state: 'show' }),
    );
    expect(text.identity).toBe('{"facetName":"users","id":"e1","creationId":"e0","type":"user","state":"show"');
    expect(text.attributes + text.related + text.content).toBe('');
  });

  it('references a version by both identifiers, its state and its address', () => {
    const references = { releaseHistory: [{ ...owner, facet: 'processes', versionId: 'v0', state: 'expired' }] };
    expect(renderVersion(sampleStorage, version({ references })).related).toContain(
      '"id":"u1","versionId":"v0","creationId":"u1","type":"user","state":"expired","expandUri":',
    );
    expect(renderVersion(sampleStorage, version({ references })).related).toContain('elements/v0"');
  });

  it('orders attributes and relations as they are defined and leaves empty relations out', () => {
    const attributes = { weight: { 127: 1 }, unknown: { 127: 'x' }, name: { 1033: 'Order' } };
    const references = { author: [owner], uses: [owner], owner: [] };
    const text = renderVersion(sampleStorage, version({ attributes, references }));
    expect(Object.keys((asObject(`{${text.attributes.slice(1)}}`) as { attributes: object }).attributes)).toEqual([
      'name',
      'weight',
      'unknown',
    ]);
    expect(Object.keys((asObject(`{${text.related.slice(1)}}`) as { related: object }).related)).toEqual([
      'uses',
      'author',
    ]);
  });

  it('contains complete content elements, each with its address', () => {
    const content = {
      contentId: 'c1',
      creationId: 'c0',
      type: 'symbol',
      state: 'show',
      attributes: { name: { 1033: 'Start' } },
      references: { uses: [owner] },
    };
    const text = renderVersion(sampleStorage, version({ content: [content] })).content;
    expect(asObject(`{${text.slice(1)}}`)).toEqual({
      content: [
        {
          facetName: 'processes',
          id: 'c1',
          creationId: 'c0',
          type: 'symbol',
          state: 'show',
          displayNames: { 1033: 'Symbol' },
          attributes: { name: { 1033: 'Start' } },
          related: {
            uses: [
              {
                facetName: 'users',
                id: 'u1',
                creationId: 'u1',
                type: 'user',
                expandUri: 'https://here/trial/house.one/_api/rest/facets/users/views/detail/elements/u1',
              },
            ],
          },
          expandUri: 'https://here/trial/house.one/_api/rest/facets/processes/views/detail/elements/c1',
        },
      ],
    });
    const alone = renderContentElement(sampleStorage, content);
    expect(text).toContain(
      `${alone.identity}${alone.displayNames}${alone.attributes}${alone.related},"expandUri":"${alone.expandUri}"}`,
    );
  });

  it('writes the placeholder of the public URL only at the start of addresses', () => {
    const hostile = `${publicUrlPlaceholder}/x"\\ \u2028 ${publicUrlPlaceholder}`;
    const attributes = { name: { 1033: hostile }, gotoUrl: { 127: `${publicUrlPlaceholder}/a"b` } };
    const text = renderVersion(sampleStorage, version({ attributes }));
    expect(text.attributes.split(publicUrlPlaceholder)).toHaveLength(2);
    expect(asObject(`{${text.attributes.slice(1)}}`)).toEqual({
      attributes: { name: { 1033: hostile }, gotoUrl: { 127: 'https://here/a"b' } },
    });
  });
});

describe('attributes that the server computes', () => {
  it('can be removed again to restore the values of the file', () => {
    const given = toStoredAttributes(process, {
      NAME: { 1033: 'Order' },
      weight: 3,
      createdOn: '2020-01-01T00:00:00',
      authorNote: 'x',
    });
    expect(Object.keys(given)).toEqual(['name', 'weight', 'createdOn', 'authorNote']);
    expect(omitComputedAttributes(fillAttributes(sampleStorage, process, given, facts), facts)).toEqual(given);
  });
});
