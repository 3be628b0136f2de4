import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentIdOf, versionIdOf } from '@tessera/content-model';
import { createVersion, deleteElement } from '@tessera/contracts/content-repo';
import { DeleteElementHandler } from '../deletion/delete-element.handler.js';
import { findDraftVersionId, testElementIdOf, openWriteClient, type WriteClient } from '../testing/write-client.js';
import { CreateVersionHandler } from './create-version.handler.js';
import { readJsonReply, readFailure, testStorageNames, createWriterContext } from '../testing/open-service.js';

let content: WriteClient;
let handler: CreateVersionHandler;
const order = testElementIdOf('order');
const context = createWriterContext('meridian');
const create = (elementId: string) =>
  handler.create(createVersion.request.parse({ ...testStorageNames, elementId }), context);
const removeDraft = async (): Promise<unknown> => {
  const path = {
    ...testStorageNames,
    facetId: 'processes',
    viewId: 'detail',
    elementId: await findDraftVersionId(content, 'order'),
  };
  return readJsonReply(content.get(DeleteElementHandler).delete(deleteElement.request.parse(path), context));
};

beforeAll(async () => {
  content = await openWriteClient();
  handler = content.get(CreateVersionHandler);
  await removeDraft();
});
afterAll(() => content?.end());

describe('a new version', () => {
  it('copies the released version, addressed by element id or version id', async () => {
    for (const id of [order, versionIdOf(order, 2, 0).toUpperCase()]) {
      const body = await readJsonReply(create(id));
      expect(Object.keys(body)).toEqual(['count', 'elements', 'values']);
      expect(body.values).toEqual(body.elements);
      expect(body.elements).toMatchObject([{ id: order, state: 'inProcess', attributes: { version: { 127: '2.1' } } }]);
      expect([order, versionIdOf(order, 2, 0)]).not.toContain(body.elements[0].versionId);
      expect(createVersion.reply.schema.safeParse(body).success).toBe(true);
      await removeDraft();
    }
  });

  it('is rejected for a version that is not released, naming the version to use', async () => {
    const failure = await readFailure(create(versionIdOf(order, 1, 0)));
    expect(failure?.code).toBe('CONTENT_CONFLICT');
    expect(failure?.detail).toBe(
      `Version 1.0 is in the state expired; only a released version can be followed by a new one. Use the released version 2.0 (${versionIdOf(order, 2, 0)}).`,
    );
    const draft = await readFailure(create(testElementIdOf('sign')));
    expect(draft?.code).toBe('CONTENT_CONFLICT');
    expect(draft?.detail).toContain('is in the state inProcess already; release or delete it first.');
  });

  it('is rejected for types without versions', async () => {
    expect(await readFailure(create(testElementIdOf('pay')))).toMatchObject({
      code: 'CONTENT_CONFLICT',
      detail: 'Elements of the type "step" have no versions; change the element itself.',
    });
  });

  it('returns 404 for content elements and unknown ids', async () => {
    const ids = [contentIdOf(versionIdOf(order, 2, 0), 'start'), '00000000-0000-4000-8000-000000000000', 'no-uuid'];
    for (const id of ids) expect(await readFailure(create(id))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
  });
});
