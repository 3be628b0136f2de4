import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentIdOf, versionIdOf } from '@tessera/content-model';
import { createVersion, deleteElement } from '@tessera/contracts/content-repo';
import { DeleteElementHandler } from '../deletion/delete-element.handler.js';
import { draftOf, idOf, openWriting, type Writing } from '../testing/writing.js';
import { CreateVersionHandler } from './create-version.handler.js';
import { answered, refused, storagePath, writerOf } from '../testing/open-service.js';

let content: Writing;
let handler: CreateVersionHandler;
const order = idOf('order');
const context = writerOf('meridian');
const create = (elementId: string) =>
  handler.create(createVersion.request.parse({ ...storagePath, elementId }), context);
const removeDraft = async (): Promise<unknown> => {
  const path = { ...storagePath, facetId: 'processes', viewId: 'detail', elementId: await draftOf(content, 'order') };
  return answered(content.get(DeleteElementHandler).delete(deleteElement.request.parse(path), context));
};

beforeAll(async () => {
  content = await openWriting();
  handler = content.get(CreateVersionHandler);
  await removeDraft();
});
afterAll(() => content?.end());

describe('a new version', () => {
  it('is made of the released version, by the id of the element or of that version', async () => {
    for (const id of [order, versionIdOf(order, 2, 0).toUpperCase()]) {
      const body = await answered(create(id));
      expect(Object.keys(body)).toEqual(['count', 'elements', 'values']);
      expect(body.values).toEqual(body.elements);
      expect(body.elements).toMatchObject([{ id: order, state: 'inProcess', attributes: { version: { 127: '2.1' } } }]);
      expect([order, versionIdOf(order, 2, 0)]).not.toContain(body.elements[0].versionId);
      expect(createVersion.reply.schema.safeParse(body).success).toBe(true);
      await removeDraft();
    }
  });

  it('is refused of what is not released, with the version to use', async () => {
    const failure = await refused(create(versionIdOf(order, 1, 0)));
    expect(failure?.code).toBe('CONTENT_CONFLICT');
    expect(failure?.detail).toBe(
      `Version 1.0 is in the state expired; only a released version can be followed by a new one. Use the released version 2.0 (${versionIdOf(order, 2, 0)}).`,
    );
    const draft = await refused(create(idOf('sign')));
    expect(draft?.code).toBe('CONTENT_CONFLICT');
    expect(draft?.detail).toContain('is in the state inProcess already; release or delete it first.');
  });

  it('is refused of what has no versions', async () => {
    expect(await refused(create(idOf('pay')))).toMatchObject({
      code: 'CONTENT_CONFLICT',
      detail: 'Elements of the type "step" have no versions; change the element itself.',
    });
  });

  it('finds nothing for a content element and for what nobody has', async () => {
    const ids = [contentIdOf(versionIdOf(order, 2, 0), 'start'), '00000000-0000-4000-8000-000000000000', 'no-uuid'];
    for (const id of ids) expect(await refused(create(id))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
  });
});
