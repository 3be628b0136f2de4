import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteElement } from '@tessera/contracts/content-repo';
import { findDraftVersionId, testElementIdOf, openWriteClient, type WriteClient } from '../testing/write-client.js';
import { DeleteElementHandler } from './delete-element.handler.js';
import {
  readJsonReply,
  testPublicUrl,
  readFailure,
  testStorageNames,
  createWriterContext,
} from '../testing/open-service.js';

let content: WriteClient;
let handler: DeleteElementHandler;
beforeAll(async () => {
  content = await openWriteClient();
  handler = content.get(DeleteElementHandler);
});
afterAll(() => content?.end());

const remove = (elementId: string, more: object = {}) =>
  handler.delete(
    deleteElement.request.parse({ ...testStorageNames, facetId: 'processes', viewId: 'detail', elementId, ...more }),
    createWriterContext('meridian'),
  );

describe('a deletion', () => {
  it('returns an OperationResult with the deleted items, and no read shows or references them', async () => {
    expect((await content.read(testElementIdOf('order'))).related.uses).toHaveLength(2);
    const body = await readJsonReply(remove(testElementIdOf('pay')));
    expect(Object.keys(body)).toEqual(['message', 'output', 'type', 'count', 'values']);
    expect(body).toEqual({
      message: 'The element was deleted.',
      output: 'Volatile',
      type: 'Success',
      count: 1,
      values: [
        {
          facetName: 'processes',
          id: testElementIdOf('pay'),
          creationId: testElementIdOf('pay'),
          type: 'step',
          state: 'show',
          expandUri: expect.stringMatching(
            `^${testPublicUrl}/Meridian/p2p/_api/rest/facets/processes/reporting/${testElementIdOf('pay')}\\?asOf=`,
          ),
        },
      ],
    });
    expect(deleteElement.reply.schema.safeParse(body).success).toBe(true);
    await expect(content.read(testElementIdOf('pay'))).rejects.toThrow('CONTENT_NOTFOUND');
    expect((await content.read(testElementIdOf('order'))).related.uses).toEqual([
      expect.objectContaining({ id: testElementIdOf('approve') }),
    ]);
  });

  it('returns 404 the second time', async () => {
    expect(await readFailure(remove(testElementIdOf('pay')))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
  });

  it('is rejected while the element has children, with a hint', async () => {
    expect(await readFailure(remove(testElementIdOf('buying')))).toMatchObject({
      code: 'CONTENT_CONFLICT',
      detail: 'The element has 2 children; move or delete them first.',
    });
    expect((await content.read(testElementIdOf('buying'))).children).toHaveLength(2);
  });

  it('is rejected for versions that are not in process, naming the draft or the transition back', async () => {
    const draft = await findDraftVersionId(content, 'order');
    expect((await readFailure(remove(testElementIdOf('order'))))?.detail).toContain(
      `Its draft 2.1 can be deleted by its own id, ${draft}.`,
    );
    expect(await readFailure(remove(testElementIdOf('order')))).toMatchObject({ code: 'CONTENT_CONFLICT' });
  });

  it('deletes only the draft for a version id', async () => {
    const draft = await findDraftVersionId(content, 'order');
    const body = await readJsonReply(remove(draft.toUpperCase()));
    expect(body.message).toBe('Draft 2.1 was deleted; the element keeps its older versions.');
    expect(body.values).toEqual([
      expect.objectContaining({ id: testElementIdOf('order'), versionId: draft, state: 'inProcess' }),
    ]);
    expect((await content.read(testElementIdOf('order'))).attributes.version).toEqual({ 127: '2.0' });
  });

  it('deletes a never released element with its content', async () => {
    const [made] = await content.write([{ key: 'plan', type: 'process', content: [{ key: 'a', type: 'symbol' }] }]);
    const body = await readJsonReply(remove(made.id));
    expect(body.values).toEqual([expect.objectContaining({ id: made.id, versionId: made.versionId })]);
    for (const id of [made.id, made.versionId, made.content[0].id])
      await expect(content.read(id)).rejects.toThrow('CONTENT_NOTFOUND');
  });

  it('returns 404 under another facet', async () => {
    expect(await readFailure(remove(testElementIdOf('bob')))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
    expect(await readJsonReply(remove(testElementIdOf('bob'), { facetId: 'USERS', viewId: 'Detail' }))).toMatchObject({
      count: 1,
    });
  });
});
