/** The operations for agents: calls with a door of their own, and the names that definitions of agents refer to. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadData } from '@tessera/contracts/knowledge-models';
import { listCalls, runTool } from '@tessera/contracts/tool-gateway';
import { succeed } from '@tessera/failures';
import { oneRow } from '../testing/fake-services.js';
import {
  adminOf,
  valueOf,
  applyOrThrow,
  assetOf,
  call,
  callerOf,
  failureOf,
  loadTool,
  openTestReplicas,
  type TestReplicas,
} from '../testing/test-replicas.js';

let setup: TestReplicas;
beforeAll(async () => {
  setup = await openTestReplicas();
  setup.services.answer(loadData, () => succeed(oneRow));
});
afterAll(() => setup?.end());

const first = () => setup.replicas[0];
const rows = { columns: ['ORDER.NO'] };
const searchTool = { kind: 'search-data', id: 'search-data', knowledgeModel: 'p2p' } as const;

describe('a call by an agent', () => {
  const run = (
    team: string,
    arguments_: unknown,
    { asset_id = 'p2p', tool_id = 'load-data', context = callerOf(team) } = {},
  ) => first().door.run(runTool.request.parse({ asset_id, tool_id, arguments: arguments_ }), context);

  it('is answered as over HTTP, and logged with the door agent and the subject of the conversation', async () => {
    const team = 'talking';
    await applyOrThrow(first(), team, [assetOf('p2p')]);
    const context = callerOf(team, { subject: 'ann' });
    const byAgent = await run(team, rows, { context });
    const overHttp = await call(first(), team, 'p2p', rows, { context });
    expect(byAgent).toEqual(overHttp);
    expect(await valueOf(Promise.resolve(byAgent))).toEqual(oneRow);
    const { calls } = listCalls.reply.parse(
      await valueOf(first().log.list(listCalls.request.parse({ team }), adminOf(team))),
    );
    expect(calls.map(({ door, subject, outcome }) => [door, subject, outcome])).toEqual([
      ['http', 'ann', 'ok'],
      ['agent', 'ann', 'ok'],
    ]);
    expect(calls[0]?.argumentsDigest).toBe(calls[1]?.argumentsDigest);
  });

  it('fails as over HTTP for unknown names, faults, scopes and assets of other teams', async () => {
    const team = 'failing';
    await applyOrThrow(first(), team, [assetOf('p2p')]);
    const withoutDataScopes = callerOf(team, { scopes: ['tools:execute'] });
    const cases = [
      [{}, { asset_id: 'p2q' }, 'TOOL_ASSET_NOTFOUND'],
      [{}, { tool_id: 'lod-data' }, 'TOOL_NOTFOUND'],
      [{ columns: 'ORDER.NO' }, {}, 'TOOL_ARGUMENTS_INVALID'],
      [rows, { context: withoutDataScopes }, 'ADMIN_ACCESS_ERROR'],
      [rows, { context: callerOf('others') }, 'TOOL_ASSET_NOTFOUND'],
    ] as const;
    for (const [arguments_, more, code] of cases)
      expect([more, (await failureOf(run(team, arguments_, more)))?.code]).toEqual([more, code]);
  });

  it('counts in the same quota as other calls', async () => {
    const team = 'counting';
    await applyOrThrow(first(), team, [assetOf('p2p', [loadTool], { limits: { callsPerMinute: 1 } })]);
    const failures = await Promise.all([
      ...Array.from({ length: 4 }, () => failureOf(run(team, rows))),
      ...Array.from({ length: 4 }, () => failureOf(call(first(), team, 'p2p', rows))),
    ]);
    // Two where a minute of the clock ends between them.
    const admitted = failures.filter((failure) => failure === undefined).length;
    expect(admitted).toBeGreaterThanOrEqual(1);
    expect(admitted).toBeLessThanOrEqual(2);
  });
});

describe('the names of tools', () => {
  const names = (team: string, context = adminOf(team)) => first().names.name({ team }, context);

  it('are listed apart for published assets and drafts', async () => {
    const team = 'naming';
    await applyOrThrow(first(), team, [assetOf('both'), assetOf('published', [searchTool, loadTool])]);
    await applyOrThrow(first(), team, [assetOf('both', [searchTool]), assetOf('drafted')], { mode: 'draft' });
    expect(await names(team)).toEqual({
      ok: true,
      value: {
        published: [
          { id: 'both', tools: ['load-data'] },
          { id: 'published', tools: ['search-data', 'load-data'] },
        ],
        drafts: [
          { id: 'both', tools: ['search-data'] },
          { id: 'drafted', tools: ['load-data'] },
        ],
      },
    });
    expect(await names('nobody')).toEqual({ ok: true, value: { published: [], drafts: [] } });
  });

  it('are listed only for administrators of the team', async () => {
    for (const context of [callerOf('naming'), adminOf('others')])
      expect((await failureOf(names('naming', context)))?.code).toBe('GENERAL_NOTFOUND');
  });
});
