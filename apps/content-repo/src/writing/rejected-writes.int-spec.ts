import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeleteElementHandler } from '../deletion/delete-element.handler.js';
import { PerformTransitionHandler } from '../release/perform-transition.handler.js';
import { findDraftVersionId, testElementIdOf, openWriteClient, type WriteClient } from '../testing/write-client.js';
import { readJsonReply, testPublicUrl, testStorageNames, createWriterContext } from '../testing/open-service.js';

let content: WriteClient;
beforeAll(async () => {
  content = await openWriteClient();
});
afterAll(() => content?.end());

const nobody = '00000000-0000-4000-8000-000000000000';
const named = { name: { 1033: 'Named' } };

describe('the faults of a rejected write', () => {
  it('are reported for each value with its path', async () => {
    const faults = await content.faults([
      {
        type: 'process',
        attributes: { cost: 'much', nam: 'x', critical: { 1033: true }, validFrom: '2026-13-01T00:00:00' },
      },
      { type: 'process', attributes: { name: { 1034: 'x' }, links: 'x', NAME: 'x' } },
      { type: 'process', related: { owner: ['ann', 'bob'], ownr: [], uses: ['pay', testElementIdOf('pay')] } },
      {
        type: 'process',
        content: [
          { type: 'step' },
          { key: 'a', type: 'symbol', attributes: { nam: '' } },
          { key: 'a', type: 'symbol' },
        ],
      },
      { attributes: named },
      { type: 'proces' },
      { type: 'symbol', state: 'hide', facetName: 'users', children: [] },
    ]);
    expect(faults).toEqual([
      'elements.0.attributes.cost: expected a number, got the string "much"',
      'elements.0.attributes.nam: unknown attribute of "process" "nam"; did you mean "name"?',
      'elements.0.attributes.critical.1033: "critical" is not localised; expected one value',
      'elements.0.attributes.validFrom: expected a date-time without zone such as 2026-06-30T00:00:00, got the string "2026-13-01T00:00:00"',
      'elements.1.attributes.NAME: the attribute "name" is given twice',
      'elements.1.attributes.name.1034: unknown culture "1034"; did you mean "1033"?',
      'elements.1.attributes.links: expected a list of links, got the string "x"',
      'elements.2.related.owner.1: "owner" leads to one element at most',
      'elements.2.related.ownr: unknown relation "ownr"; did you mean "owner"?',
      `elements.2.related.uses.1: "${testElementIdOf('pay')}" is given twice`,
      'elements.3.content.0.type: unknown content type of "process" "step"; expected one of symbol',
      'elements.3.content.1.attributes.nam: unknown attribute of "symbol" "nam"; did you mean "name"?',
      expect.stringMatching(/^elements\.3\.content\.2\.id: ".*" is in this content twice$/),
      'elements.4.type: is missing; a new element needs a type',
      'elements.5.type: unknown type "proces"; did you mean "process"?',
      'elements.6.children: children are written as elements with parentId',
      'elements.6.facetName: elements of the type "symbol" belong to the facet "processes"',
      'elements.6.state: what is new is in the state "show"; transitions change it when it is there',
    ]);
  });

  it('include too much content in one request, in one element or several', async () => {
    const symbols = Array.from({ length: 1_300 }, () => ({ type: 'symbol' }));
    const elements = [1, 2].map(() => ({ type: 'process', content: symbols }));
    expect(await content.faults(elements)).toEqual([
      'elements: expected at most 2500 content elements in one request, not 2600; send the elements in several.',
    ]);
  });

  it('include missing mandatory values for types without drafts', async () => {
    expect(await content.faults([{ type: 'rule' }, { type: 'rule', attributes: { name: { 1031: 'Nur' } } }])).toEqual([
      'elements.0.attributes: the attribute "name" is mandatory',
      'elements.1.attributes.name: "name" is mandatory in the culture 1033',
    ]);
    const papers = [
      { name: 'Form', url: 'https://papers.example/form.pdf', mediaType: 'application/pdf', sizeBytes: 12 },
    ];
    const [rule] = await content.write([{ key: 'rule', type: 'rule', attributes: { ...named, papers } }]);
    expect(rule.attributes.papers).toEqual({ 127: papers });
    expect(await content.faults([{ id: rule.id, attributes: { name: null } }])).toEqual([
      'elements.0.attributes: the attribute "name" is mandatory',
    ]);
  });

  it('include changes of read-only members and of the state', async () => {
    const draft = await findDraftVersionId(content, 'order');
    const [made] = await content.write([{ type: 'process', content: [{ key: 'a', type: 'symbol' }] }]);
    const [symbol] = made.content;
    expect(
      await content.faults([
        { id: draft, type: 'step', key: 'other', creationId: 'pay', state: 'released' },
        { id: made.id, content: [{ id: symbol.id, key: 'b', type: 'area', creationId: nobody, facetName: 'users' }] },
      ]),
    ).toEqual([
      `elements.0.state: it is in the state "inProcess", which transitions change: ${testPublicUrl}/Meridian/p2p/_api/rest/release/${draft}/transitions`,
      'elements.0.type: an element keeps its type, "process"',
      'elements.0.key: an element keeps the key that it was made with',
      `elements.0.creationId: an element keeps its creationId, "${testElementIdOf('order')}"`,
      'elements.1.content.0.facetName: content of the type "symbol" belongs to the facet "processes"',
      'elements.1.content.0.type: a content element keeps its type, "symbol"',
      'elements.1.content.0.key: a content element keeps the key that it was made with',
      `elements.1.content.0.creationId: a content element keeps its creationId, "${symbol.id}"`,
    ]);
  });

  it('include unknown elements and elements of another facet', async () => {
    const draft = await findDraftVersionId(content, 'order');
    expect(
      await content.faults([
        { id: nobody },
        { versionId: nobody },
        { id: testElementIdOf('pay'), versionId: draft },
        { id: testElementIdOf('ann') },
        { id: draft },
        { id: testElementIdOf('order'), versionId: draft },
        { key: 'new', type: 'area' },
        { key: 'new', type: 'area' },
        { type: 'user' },
      ]),
    ).toEqual([
      `elements.0.id: there is no element "${nobody}"`,
      `elements.1.versionId: there is no element "${nobody}"`,
      `elements.2.versionId: the element "${testElementIdOf('pay')}" has no version "${draft}"`,
      'elements.3.id: elements of the type "user" belong to the facet "users", not to "processes"',
      `elements.5.id: the element "${testElementIdOf('order')}" is given twice`,
      'elements.7.key: the element "new" is given twice',
      'elements.8.type: elements of the type "user" belong to the facet "users", not to "processes"',
    ]);
    expect(await content.faults([{ type: 'step' }, { id: testElementIdOf('pay') }], { viewId: 'areas' })).toEqual([
      'elements.0.type: the view "areas" does not show the type "step"; write it in the view "detail"',
      'elements.1.id: the view "areas" does not show the type "step"; write it in the view "detail"',
    ]);
  });

  it('include targets that are unknown, deleted or of a wrong type', async () => {
    await content.write([{ key: 'lost', type: 'step' }]);
    await content.rows('update content_repo.element set deleted_at = now() where element_id = $1', [
      testElementIdOf('lost'),
    ]);
    expect(
      await content.faults([
        { key: 'near', type: 'step', related: { uses: ['pay', 'nowhere', 'lost'], owner: ['pay'] } },
        { type: 'process', related: { owner: ['near'] }, content: [{ type: 'symbol', related: { uses: ['void'] } }] },
      ]),
    ).toEqual([
      'elements.0.related.uses.1: there is no element "nowhere"',
      'elements.0.related.uses.2: the element "lost" was deleted; restore it first',
      'elements.0.related.owner.0: "pay" is of the type "step"; "owner" leads to "user"',
      'elements.1.related.owner.0: "near" is of the type "step"; "owner" leads to "user"',
      'elements.1.content.0.related.uses.0: there is no element "void"',
    ]);
  });

  it('are reported before conflicts', async () => {
    const wrong = { type: 'area', attributes: { nam: 'x' } };
    expect(await content.faults([{ id: testElementIdOf('order'), attributes: { cost: 1 } }, wrong])).toHaveLength(1);
    expect(await content.faults([{ type: 'area' }], { ifMatch: '"1"' })).toEqual([
      'if-match: is for updates, and the body only makes new elements',
    ]);
  });

  it('are at most 100', async () => {
    const wrong = Array.from({ length: 150 }, () => ({ type: 'area', attributes: { nam: 'x', nme: 'x' } }));
    expect(await content.faults(wrong)).toHaveLength(100);
  });
});

describe('the conflicts of a rejected write', () => {
  const conflict = async (elements: readonly unknown[]): Promise<readonly string[]> => {
    const { code, faults = [] } = await content.refusal(elements);
    expect(code).toBe('CONTENT_CONFLICT');
    return faults.map(({ path, message }) => `${path}: ${message}`);
  };

  const perform = (elementId: string, transitionId: string) =>
    readJsonReply(
      content
        .get(PerformTransitionHandler)
        .perform(
          { ...testStorageNames, elementId, transitionId, ignoreWarnings: true, apiVersion: '4.0' },
          createWriterContext('meridian'),
        ),
    );
  const remove = (elementId: string) =>
    readJsonReply(
      content
        .get(DeleteElementHandler)
        .delete(
          { ...testStorageNames, facetId: 'processes', viewId: 'detail', elementId, apiVersion: '2.0' },
          createWriterContext('meridian'),
        ),
    );

  it('include keys already in use', async () => {
    await content.write([{ key: 'buried', type: 'step' }]);
    await content.rows('update content_repo.element set deleted_at = now() where element_id = $1', [
      testElementIdOf('buried'),
    ]);
    expect(
      await conflict([
        { key: 'pay', type: 'step' },
        { key: 'fresh', type: 'step' },
        { key: 'buried', type: 'step' },
      ]),
    ).toEqual([
      `elements.0.key: the key "pay" belongs to the element ${testElementIdOf('pay')} already; update it by this id`,
      'elements.2.key: the key "buried" belongs to an element that was deleted; choose another key, or have it restored',
    ]);
  });

  it('include versions that are not in process, each with a hint', async () => {
    const draft = await findDraftVersionId(content, 'order');
    const update = (id: string) => conflict([{ id, attributes: { cost: 1 } }]);
    const [told] = await update(testElementIdOf('order'));
    expect(told).toBe(
      `elements.0.id: version 2.0 is in the state released, and only what is in process can be changed; write to its draft 2.1 by its own id, ${draft}`,
    );
    await perform(draft, 'InProcessToInReview');
    expect((await update(testElementIdOf('order')))[0]).toMatch(
      /by its own id, .*, when InReviewToInProcess has brought it back$/,
    );
    expect((await update(draft))[0]).toMatch(/bring it back by InReviewToInProcess first$/);
    await perform(draft, 'InReviewToInProcess');
    await remove(draft);
    expect((await update(testElementIdOf('order')))[0]).toContain(
      `create a version of what is released first, by POST ${testPublicUrl}/Meridian/p2p/_api/rest/release/${testElementIdOf('order')}/createversion`,
    );
  });
});
