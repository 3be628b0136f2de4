import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadData } from '@tessera/contracts/knowledge-models';
import { listOwnCalls } from '@tessera/contracts/tool-gateway';
import { succeed } from '@tessera/failures';
import { oneRowPage } from '../testing/fake-services.js';
import {
  createAdminContext,
  applyOrThrow,
  createAssetDefinition,
  callOnReplica,
  createContext,
  readFailure,
  loadDataTool,
  openTestReplicas,
  type TestReplicas,
  unwrapResult,
} from '../testing/test-replicas.js';

const team = 'meridian';
const rows = { columns: ['ORDER.NO'] };
let setup: TestReplicas;
let between: string;
beforeAll(async () => {
  setup = await openTestReplicas();
  setup.services.answer(loadData, () => succeed(oneRowPage));
  const tools = [loadDataTool, { ...loadDataTool, id: 'other' }];
  for (const each of [team, 'northgate'])
    await applyOrThrow(first(), each, [createAssetDefinition('p2p', tools), createAssetDefinition('q2c')]);
  const ann = createContext(team, { subject: 'ann' });
  await unwrapResult(callOnReplica(first(), team, 'p2p/load-data', rows, { context: ann }));
  await unwrapResult(callOnReplica(first(), team, 'p2p/other', rows, { context: ann }));
  await sleep(5);
  between = new Date().toISOString();
  await sleep(5);
  await readFailure(callOnReplica(first(), team, 'q2c/load-data', { columns: 'ORDER.NO' }, { context: ann }));
  await unwrapResult(
    callOnReplica(first(), team, 'p2p/load-data', rows, { context: createContext(team, { subject: 'bob' }) }),
  );
  await unwrapResult(
    callOnReplica(first(), 'northgate', 'p2p', rows, { context: createContext('northgate', { subject: 'ann' }) }),
  );
});
afterAll(() => setup?.end());

const first = () => setup.replicas[0];
const ownCalls = async (query: object = {}, context = createContext(team, { subject: 'ann' })) =>
  listOwnCalls.reply.parse(await unwrapResult(first().log.listOwn(listOwnCalls.request.parse(query), context)));
const placesIn = ({ calls }: Awaited<ReturnType<typeof ownCalls>>) =>
  calls.map(({ assetId, toolId }) => `${assetId}/${toolId}`);

describe("one's own calls", () => {
  it('are those of the subject in the team, the newest first', async () => {
    const page = await ownCalls();
    expect(placesIn(page)).toEqual(['q2c/load-data', 'p2p/other', 'p2p/load-data']);
    expect(new Set(page.calls.map(({ subject }) => subject))).toEqual(new Set(['ann']));
    const [refused, called] = page.calls;
    expect(refused).toMatchObject({ outcome: 'TOOL_ARGUMENTS_INVALID', door: 'http' });
    expect(called).toMatchObject({
      outcome: 'ok',
      version: '1',
      durationMs: expect.any(Number),
      requestId: 'request-1',
      startedAt: expect.stringMatching(/Z$/),
    });
    expect((await ownCalls({}, createContext('northgate', { subject: 'ann' }))).calls).toHaveLength(1);
    expect((await ownCalls({}, createContext(team, { subject: 'nobody' }))).calls).toEqual([]);
  });

  it('are those of nobody else for who administers the team', async () => {
    expect((await ownCalls({}, createAdminContext(team))).calls).toEqual([]);
    expect(listOwnCalls.request.safeParse({ subject: 'bob' }).success).toBe(false);
  });

  it('are narrowed down by asset, tool, outcome and time', async () => {
    expect(placesIn(await ownCalls({ assetId: 'p2p' }))).toEqual(['p2p/other', 'p2p/load-data']);
    expect(placesIn(await ownCalls({ toolId: 'other' }))).toEqual(['p2p/other']);
    expect(placesIn(await ownCalls({ outcome: 'TOOL_ARGUMENTS_INVALID' }))).toEqual(['q2c/load-data']);
    expect(placesIn(await ownCalls({ from: between }))).toEqual(['q2c/load-data']);
    expect(placesIn(await ownCalls({ to: between }))).toEqual(['p2p/other', 'p2p/load-data']);
    expect(placesIn(await ownCalls({ toolId: 'a\u0000' }))).toEqual([]);
  });

  it('come in pages', async () => {
    const start = await ownCalls({ pageSize: 2 });
    expect(start.calls).toHaveLength(2);
    const rest = await ownCalls({ pageSize: 2, after: start.next });
    expect([placesIn(rest), rest.next]).toEqual([['p2p/load-data'], undefined]);
  });
});
