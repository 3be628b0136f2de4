import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentIdOf, elementIdOf, versionIdOf } from '@tessera/content-model';
import { listTransitions, performTransition } from '@tessera/contracts/content-repo';
import { companyContent, companyDefinition, companyElements } from '../testing/company.js';
import { ListTransitionsHandler } from './list-transitions.handler.js';
import { PerformTransitionHandler } from './perform-transition.handler.js';
import {
  readJsonReply,
  openTestService,
  readFailure,
  testStorageNames,
  type TestService,
  createWriterContext,
} from '../testing/open-service.js';

const idOf = (key: string): string => elementIdOf({ collection: 'Meridian', id: 'p2p' }, key);
const order = idOf('order');
const context = createWriterContext('meridian');

/** A type whose versions cannot be released without some values, and warn of others. */
const policy = {
  name: 'policy',
  facet: 'processes',
  versioned: true,
  displayNames: { 1033: 'Policy' },
  attributes: [
    { name: 'name', localised: true, mandatory: true, mandatoryCultures: [1033] },
    { name: 'purpose', mandatory: true },
  ],
};
const policies = [
  { id: 'nameless', type: 'policy', attributes: { name: { 1031: 'Regel' } } },
  { id: 'english', type: 'policy', attributes: { name: { 1033: 'Rule' }, purpose: 'Order' } },
];

let service: TestService;
let lists: ListTransitionsHandler;
let transitions: PerformTransitionHandler;
beforeAll(async () => {
  const content = {
    ...companyContent,
    definition: { ...companyDefinition, types: [...companyDefinition.types, policy] },
    elements: [...companyElements, ...policies],
  };
  service = await openTestService([content]);
  lists = service.get(ListTransitionsHandler);
  transitions = service.get(PerformTransitionHandler);
});
afterAll(() => service?.end());

const list = (elementId: string, query: object = {}) =>
  lists.list(listTransitions.request.parse({ ...testStorageNames, elementId, apiVersion: '4.0', ...query }), context);
const perform = (elementId: string, transitionId: string, query: object = {}) =>
  transitions.perform(
    performTransition.request.parse({ ...testStorageNames, elementId, transitionId, ...query }),
    context,
  );

describe('the transitions of a version', () => {
  it('are those that its state allows, with the ids to POST to', async () => {
    const draft = versionIdOf(order, 2, 1);
    const expected = [
      { id: 'InProcessToInReview', from: 'inProcess', to: 'inReview' },
      { id: 'InProcessToReleased', from: 'inProcess', to: 'released' },
    ];
    const body = await readJsonReply(list(draft));
    expect(body).toEqual({ count: 2, elements: expected });
    expect(listTransitions.reply.schema.safeParse(body).success).toBe(true);
    const older = await readJsonReply(list(draft, { apiVersion: undefined }));
    expect(older).toEqual({
      count: 2,
      values: [
        { transitionId: 'InProcessToInReview', sourceState: 'inProcess', targetState: 'inReview' },
        { transitionId: 'InProcessToReleased', sourceState: 'inProcess', targetState: 'released' },
      ],
    });
    expect(listTransitions.reply.schema.safeParse(older).success).toBe(true);
  });

  it('are those of the released version for an element id, and none for expired versions', async () => {
    const idsOf = async (id: string) => (await readJsonReply(list(id))).elements.map((each: { id: string }) => each.id);
    expect(await idsOf(order)).toEqual(['ReleasedToRequestToExpire']);
    expect(await idsOf(versionIdOf(order, 1, 0))).toEqual([]);
    expect(await idsOf(idOf('pay'))).toEqual(['ShowToHide']);
  });

  it('return 404 for content elements and unknown ids', async () => {
    const missing = [contentIdOf(versionIdOf(order, 2, 0), 'start'), '00000000-0000-4000-8000-000000000000', 'no-uuid'];
    for (const id of missing) {
      expect(await readFailure(list(id))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
      expect(await readFailure(perform(id, 'InProcessToReleased'))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
    }
  });
});

describe('a transition', () => {
  it('is found by its id in any letter case and returns the version in its new state', async () => {
    const draft = versionIdOf(order, 2, 1);
    const body = await readJsonReply(perform(draft, 'inprocesstoINREVIEW'));
    expect(body.elements).toMatchObject([
      { id: order, versionId: draft, state: 'inReview', attributes: { state1: { 127: 'inReview' } } },
    ]);
    expect(performTransition.reply.schema.safeParse(body).success).toBe(true);
    const back = await readJsonReply(perform(draft, 'InReviewToInProcess', { apiVersion: '1.0' }));
    expect([back.count, back.values[0].state]).toEqual([1, 'inProcess']);
  });

  it('hides an element without versions and shows it again', async () => {
    const of = async (id: string) => (await readJsonReply(perform(idOf('pay'), id))).elements[0].state;
    expect([await of('ShowToHide'), await of('HideToShow')]).toEqual(['hide', 'show']);
    const rows = await service.rows(
      `select detail from content_repo.change_entry where action = 'transitioned' and element_id = $1`,
      [idOf('pay')],
    );
    expect(rows).toHaveLength(2);
    for (const { detail } of rows) expect(detail).not.toHaveProperty('version');
  });

  it('is rejected when unknown or not allowed in this state, listing the possible transitions', async () => {
    const none = await readFailure(perform(order, 'Publish'));
    expect(none).toMatchObject({ code: 'CONTENT_CONFLICT' });
    expect(none?.detail).toContain('There is no transition "Publish" for the type "process"; possible now: Released');
    const wrong = await readFailure(perform(order, 'InProcessToInReview'));
    expect(wrong).toMatchObject({ code: 'CONTENT_CONFLICT' });
    expect(wrong?.detail).toContain(`The draft 2.1 allows it: use its id, ${versionIdOf(order, 2, 1)}.`);
  });
});

describe('a release', () => {
  it('is rejected without mandatory values, naming each of them, even when warnings are ignored', async () => {
    for (const ignoreWarnings of [false, true]) {
      const failure = await readFailure(perform(idOf('nameless'), 'InProcessToReleased', { ignoreWarnings }));
      expect(failure?.code).toBe('CONTENT_CONFLICT');
      expect(failure?.faults?.map(({ message }) => message)).toEqual([
        '"name" is mandatory in the culture 1033',
        'the attribute "purpose" is mandatory',
      ]);
    }
    expect((await readJsonReply(list(idOf('nameless')))).elements[0].from).toBe('inProcess');
  });

  it('is rejected with a warning unless warnings are ignored', async () => {
    const failure = await readFailure(perform(idOf('english'), 'InProcessToReleased'));
    expect(failure?.code).toBe('CONTENT_WARNING');
    expect(failure?.detail).toContain('ignoreWarnings=true');
    expect(failure?.faults?.map(({ message }) => message)).toEqual([
      'there is no value in the culture 1031',
      'there is no value in the culture 3082',
    ]);
    const released = await readJsonReply(perform(idOf('english'), 'InProcessToReleased', { ignoreWarnings: true }));
    expect(released.elements).toMatchObject([{ state: 'released', attributes: { version: { 127: '1.0' } } }]);
  });
});
