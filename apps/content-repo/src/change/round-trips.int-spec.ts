/** How often a write waits for PostgreSQL, the beginning and the commit included: not more often for more elements. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { versionIdOf } from '@tessera/content-model';
import type pg from 'pg';
import { CreateVersionHandler } from '../release/create-version.handler.js';
import { PerformTransitionHandler } from '../release/perform-transition.handler.js';
import { readJsonReply, testStorageNames, createWriterContext } from '../testing/open-service.js';
import { findDraftVersionId, testElementIdOf, openWriteClient, type WriteClient } from '../testing/write-client.js';

let client: WriteClient;
let roundTrips = 0;

/** What is sent while an answer is still to come does not wait for it. */
const countRoundTrips = ({ connection }: pg.Client): void => {
  let unanswered = 0;
  const counting = <Args extends unknown[]>(send: (...args: Args) => void) =>
    function counted(...args: Args): void {
      if (unanswered++ === 0) roundTrips++;
      send.apply(connection, args);
    };
  connection.sync = counting(connection.sync);
  connection.query = counting(connection.query);
  connection.on('readyForQuery', () => unanswered--);
};

beforeAll(async () => {
  client = await openWriteClient();
  client.pools.changes.on('connect', countRoundTrips);
  await client.write([{ key: 'first', type: 'process' }]);
});
afterAll(() => client?.end());

const tripsOf = async (work: () => Promise<unknown>): Promise<number> => {
  roundTrips = 0;
  await work();
  return roundTrips;
};
const elements = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => ({
    key: `many-${count}-${index}`,
    type: 'process',
    parentId: testElementIdOf('order'),
    attributes: { name: { 1033: name } },
    related: { uses: [{ id: testElementIdOf('pay') }] },
  }));
const perform = (elementId: string, transitionId: string) =>
  readJsonReply(
    client
      .get(PerformTransitionHandler)
      .perform(
        { ...testStorageNames, elementId, transitionId, ignoreWarnings: true, apiVersion: '4.0' },
        createWriterContext('meridian'),
      ),
  );

describe('the number of round trips to PostgreSQL', () => {
  it.each([1, 60])('is seven for a request that creates or updates %s elements', async (count) => {
    expect(await tripsOf(() => client.write(elements(count, 'made')))).toBe(7);
    const updated = elements(count, 'updated').map((element) => ({ ...element, id: testElementIdOf(element.key) }));
    expect(await tripsOf(() => client.write(updated))).toBe(7);
  });

  it('is five for a transition, and six when another version expires', async () => {
    const released = versionIdOf(testElementIdOf('order'), 2, 0);
    expect(await tripsOf(() => perform(released, 'ReleasedToRequestToExpire'))).toBe(5);
    expect(await tripsOf(() => perform(released, 'RequestToExpireToReleased'))).toBe(5);
    const draft = await findDraftVersionId(client, 'order');
    expect(await tripsOf(() => perform(draft, 'InProcessToReleased'))).toBe(6);
  });

  it('is six for a new version', async () => {
    const create = () =>
      readJsonReply(
        client
          .get(CreateVersionHandler)
          .create(
            { ...testStorageNames, elementId: testElementIdOf('order'), apiVersion: '4.0' },
            createWriterContext('meridian'),
          ),
      );
    expect(await tripsOf(create)).toBe(6);
  });
});

describe('the reply to a write of many elements', () => {
  it('lists the elements in the order of the request, each equal to a read of it', async () => {
    const made = elements(60, 'ordered').map((element, index) => ({ ...element, key: `o-${(index * 7) % 60}` }));
    const answered = await client.write(made);
    expect(answered.map(({ id }: { readonly id: string }) => id)).toEqual(made.map(({ key }) => testElementIdOf(key)));
    for (const element of [answered[0], answered[31], answered[59]])
      expect(element).toEqual(await client.read(element.id));
  });
});

describe('a change of a storage whose cached definition is outdated', () => {
  it('is validated against the current definition and uses one change number', async () => {
    const names = { collectionId: testStorageNames.collectionId, storageId: testStorageNames.storageId };
    await client.write([{ key: 'before', type: 'process' }]);
    const numberOf = async (): Promise<number> =>
      Number((await client.rows('select change_sequence from content_repo.storage'))[0]?.['change_sequence']);
    const number = await numberOf();
    await client.rows(`update content_repo.storage set revision = revision + 1,
      definition = jsonb_set(definition::jsonb, '{types,1,attributes,5,name}', '"remark"')::json`);
    expect(await client.faults([{ key: 'after', type: 'process', attributes: { note: { 127: 'x' } } }])).toEqual([
      expect.stringContaining('note'),
    ]);
    client.definitions.keep('meridian', names, {
      storageId: String((await client.rows('select storage_id from content_repo.storage'))[0]?.['storage_id']),
      revision: '0',
      definition: JSON.stringify((await client.rows('select definition from content_repo.storage'))[0]?.['definition']),
    });
    await client.write([{ key: 'after', type: 'process', attributes: { remark: { 127: 'x' } } }]);
    expect(await numberOf()).toBe(number + 1);
  });
});
