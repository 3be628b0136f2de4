import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listReadableStorages } from '@tessera/contracts/content-repo';
import { companyContent, companyDefinition } from '../testing/company.js';
import {
  readJsonReply,
  createReaderContext,
  type Json,
  openTestService,
  testPublicUrl,
  type TestService,
} from '../testing/open-service.js';
import { ListStoragesHandler } from './list-storages.handler.js';

let service: TestService;
let handler: ListStoragesHandler;
beforeAll(async () => {
  service = await openTestService([
    companyContent,
    {
      ...companyContent,
      definition: { ...companyDefinition, id: 'hire-to-retire', title: 'Hire to retire' },
      elements: [],
    },
    { ...companyContent, definition: { ...companyDefinition, collection: 'Alpha', id: 'zeta' }, elements: [] },
    { ...companyContent, team: 'northgate', definition: { ...companyDefinition, title: 'Secret' }, elements: [] },
  ]);
  handler = service.get(ListStoragesHandler);
});
afterAll(() => service?.end());

const ask = (query: object = {}, team = 'meridian') =>
  handler.list(listReadableStorages.request.parse(query), createReaderContext(team));
const namesIn = (body: Json) => body.values.map(({ collection, id }: Json) => `${collection}/${id}`);

describe('the storages that a caller may read', () => {
  it('are those of the own team, by collection and id, with their facets', async () => {
    const body = await readJsonReply(ask());
    expect(listReadableStorages.reply.schema.parse(body)).toEqual(body);
    expect([body.count, namesIn(body)]).toEqual([3, ['Alpha/zeta', 'Meridian/hire-to-retire', 'Meridian/p2p']]);
    const address = `${testPublicUrl}/Meridian/hire-to-retire/_api/rest`;
    expect(body.values[1]).toEqual({
      collection: 'Meridian',
      id: 'hire-to-retire',
      title: 'Hire to retire',
      cultures: [1033, 1031, 3082],
      defaultCulture: 1033,
      info: `${address}/info`,
      facets: [
        {
          name: 'processes',
          displayNames: { 1033: 'Processes', 1031: 'Prozesse' },
          views: `${address}/facets/processes/views`,
        },
        { name: 'users', displayNames: { 1033: 'Users' }, views: `${address}/facets/users/views` },
        { name: 'empty', displayNames: { 1033: 'Empty' }, views: `${address}/facets/empty/views` },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('Secret');
  });

  it('come in pages that lead to the next', async () => {
    const first = await ask({ $pageSize: 2 });
    if (!first.ok) throw new Error(first.failure.detail);
    const next = `${testPublicUrl}/_api/rest/storages?$pageSize=2&$page=2`;
    expect(first.value.headers).toMatchObject({ 'x-total-count': '3', link: `<${next}>; rel="next"` });
    expect((await readJsonReply(Promise.resolve(first))).nextUri).toBe(next);
    const last = await readJsonReply(ask({ $pageSize: 2, $page: 2 }));
    expect([namesIn(last), last.nextUri]).toEqual([['Meridian/p2p'], undefined]);
    const beyond = await ask({ $page: 9 });
    expect(beyond.ok && beyond.value.headers).toMatchObject({ 'x-total-count': '3' });
    expect(namesIn(await readJsonReply(Promise.resolve(beyond)))).toEqual([]);
  });

  it('are none for a team that has none', async () => {
    expect(await readJsonReply(ask({}, 'nobody'))).toEqual({ count: 0, values: [] });
  });
});
