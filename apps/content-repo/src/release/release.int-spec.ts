import { elementIdOf, versionIdOf } from '@tessera/content-model';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CreateVersionHandler } from './create-version.handler.js';
import { ListTransitionsHandler } from './list-transitions.handler.js';
import { PerformTransitionHandler } from './perform-transition.handler.js';
import { DeleteElementHandler } from '../deletion/delete-element.handler.js';
import { companyContent } from '../testing/company.js';
import {
  readJsonReply,
  type Json,
  openTestService,
  readFailure,
  testStorageNames,
  type TestService,
  createWriterContext,
} from '../testing/open-service.js';

let service: TestService;
let versions: CreateVersionHandler;
let transitions: PerformTransitionHandler;
let deletions: DeleteElementHandler;
const context = createWriterContext('meridian');
const idOf = (key: string): string => elementIdOf({ collection: 'Meridian', id: 'p2p' }, key);
const perform = (elementId: string, transitionId: string, ignoreWarnings = false) =>
  transitions.perform({ ...testStorageNames, elementId, transitionId, ignoreWarnings, apiVersion: '4.0' }, context);
const createVersion = (elementId: string) =>
  versions.create({ ...testStorageNames, elementId, apiVersion: '4.0' }, context);
const remove = (elementId: string, viewId = 'detail') =>
  deletions.delete({ ...testStorageNames, facetId: 'processes', viewId, elementId, apiVersion: '2.0' }, context);
const draftOf = async (elementId: string): Promise<string> => {
  const [row] = await service.rows(
    `select version_id::text as id from content_repo.element_version where element_id = $1 and state not in ('released', 'expired', 'requestToExpire')`,
    [elementId],
  );
  return String(row?.['id']);
};

/** More versions than are rendered together; which one is shown goes over from the last of them to the one before. */
const aged = {
  id: 'aged',
  type: 'process',
  versions: [
    ...Array.from({ length: 249 }, (_, index) => ({ version: `${index + 1}.0`, state: 'expired' })),
    { version: '250.0', state: 'requestToExpire' },
    { version: '250.1', state: 'inProcess' },
  ].map((version) => ({ ...version, attributes: { name: { 1033: version.version } } })),
};

beforeAll(async () => {
  service = await openTestService([{ ...companyContent, elements: [...companyContent.elements, aged] }]);
  versions = service.get(CreateVersionHandler);
  transitions = service.get(PerformTransitionHandler);
  deletions = service.get(DeleteElementHandler);
});
afterAll(() => service.end());

describe('a version in its life cycle', () => {
  it('is shown for its element when it is released again, among 250 versions', async () => {
    const returned = versionIdOf(idOf('aged'), 250, 0);
    await readJsonReply(perform(returned, 'RequestToExpireToReleased', true));
    const shown = await service.rows(
      `select version_id from content_repo.rendition where element_id = $1 and tree_path is not null`,
      [idOf('aged')],
    );
    expect(shown).toEqual([{ version_id: returned }]);
  });

  it('is named in the rejection of a second draft', async () => {
    const failure = await readFailure(createVersion(idOf('order')));
    expect(failure).toMatchObject({ code: 'CONTENT_CONFLICT' });
    expect(failure?.detail).toContain(
      `Version 2.1 (${await draftOf(idOf('order'))}) is in the state inProcess already`,
    );
  });

  it('can be deleted only in a view that shows it', async () => {
    expect(await readFailure(remove(await draftOf(idOf('order')), 'steps'))).toMatchObject({
      code: 'CONTENT_NOTFOUND',
    });
    expect(await readFailure(remove(idOf('sign'), 'areas'))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
  });

  it('can be deleted alone as a draft, which frees its number', async () => {
    const result = await readJsonReply(remove(await draftOf(idOf('order'))));
    expect(result).toMatchObject({ output: 'Volatile', type: 'Success', count: 1 });
    const made: Json = await readJsonReply(createVersion(idOf('order')));
    expect(made.elements).toEqual(made.values);
    expect(made.elements[0]).toMatchObject({ id: idOf('order'), state: 'inProcess', type: 'process' });
    expect(made.elements[0].attributes).toMatchObject({ version: { 127: '2.1' }, isReleased: { 127: false } });
    expect(made.elements[0].attributes.validFrom).toBeUndefined();
    expect(made.elements[0].related.author[0].id).toBe(idOf('ann'));
    expect(made.elements[0].related.releaseHistory.map((entry: Json) => entry.state)).toEqual(['expired', 'released']);
    const [start] = made.elements[0].content;
    expect(start.creationId).not.toBe(start.id);
    expect(start.related.owner[0].id).toBe(idOf('bob'));
  });

  it('is released by its own id, expires the one before and takes the next whole number', async () => {
    const draft = await draftOf(idOf('order'));
    const list: Json = await readJsonReply(
      service.get(ListTransitionsHandler).list({ ...testStorageNames, elementId: draft, apiVersion: '4.0' }, context),
    );
    expect(list.elements.map(({ id }: Json) => id)).toEqual(['InProcessToInReview', 'InProcessToReleased']);
    const released: Json = await readJsonReply(perform(draft, 'InProcessToReleased'));
    expect(released.elements[0]).toMatchObject({ id: idOf('order'), versionId: draft, state: 'released' });
    expect(released.elements[0].attributes.version).toEqual({ 127: '3.0' });
    expect(released.elements[0].related.releaseHistory.map((entry: Json) => entry.state)).toEqual([
      'expired',
      'expired',
      'released',
    ]);
    expect(await readFailure(perform(idOf('order'), 'InProcessToInReview'))).toMatchObject({
      code: 'CONTENT_CONFLICT',
      detail: expect.stringContaining('possible now: ReleasedToRequestToExpire'),
    });
  });

  it('cannot be deleted once released', async () => {
    expect((await readFailure(remove(idOf('order'))))?.detail).toContain('only what is in process can be deleted');
  });

  it('is created once by 40 concurrent calls', async () => {
    const calls = await Promise.all(Array.from({ length: 40 }, () => createVersion(idOf('order'))));
    expect(calls.filter(({ ok }) => ok)).toHaveLength(1);
    expect(calls.filter((call) => !call.ok && call.failure.code === 'CONTENT_CONFLICT')).toHaveLength(39);
  });
});
