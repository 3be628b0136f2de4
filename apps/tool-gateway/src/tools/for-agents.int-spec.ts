/** The operations for agents: calls with a door of their own, and the names that definitions of agents refer to. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadData } from '@tessera/contracts/knowledge-models';
import { listCalls, callToolForAgent } from '@tessera/contracts/tool-gateway';
import { succeed } from '@tessera/failures';
import { oneRowPage } from '../testing/fake-services.js';
import {
  createAdminContext,
  unwrapResult,
  applyOrThrow,
  createAssetDefinition,
  callOnReplica,
  createContext,
  readFailure,
  loadDataTool,
  openTestReplicas,
  type TestReplicas,
} from '../testing/test-replicas.js';

let setup: TestReplicas;
beforeAll(async () => {
  setup = await openTestReplicas();
  setup.services.answer(loadData, () => succeed(oneRowPage));
});
afterAll(() => setup?.end());

const first = () => setup.replicas[0];
const rows = { columns: ['ORDER.NO'] };
const searchTool = { kind: 'search-data', id: 'search-data', knowledgeModel: 'p2p' } as const;

describe('a call by an agent', () => {
  const run = (
    team: string,
    arguments_: unknown,
    { asset_id = 'p2p', tool_id = 'load-data', context = createContext(team) } = {},
  ) => first().door.run(callToolForAgent.request.parse({ asset_id, tool_id, arguments: arguments_ }), context);

  it('is answered as over HTTP, and logged with the member door set to agent and the subject of the conversation', async () => {
    const team = 'talking';
    await applyOrThrow(first(), team, [createAssetDefinition('p2p')]);
    const context = createContext(team, { subject: 'ann' });
    const byAgent = await run(team, rows, { context });
    const overHttp = await callOnReplica(first(), team, 'p2p', rows, { context });
    expect(byAgent).toEqual(overHttp);
    expect(await unwrapResult(Promise.resolve(byAgent))).toEqual(oneRowPage);
    const { calls } = listCalls.reply.parse(
      await unwrapResult(first().log.list(listCalls.request.parse({ team }), createAdminContext(team))),
    );
    expect(calls.map(({ door, subject, outcome }) => [door, subject, outcome])).toEqual([
      ['http', 'ann', 'ok'],
      ['agent', 'ann', 'ok'],
    ]);
    expect(calls[0]?.argumentsDigest).toBe(calls[1]?.argumentsDigest);
  });

  it('fails as over HTTP for unknown names, invalid arguments, missing scopes and assets of other teams', async () => {
    const team = 'failing';
    await applyOrThrow(first(), team, [createAssetDefinition('p2p')]);
    const withoutDataScopes = createContext(team, { scopes: ['tools:execute'] });
    const cases = [
      [{}, { asset_id: 'p2q' }, 'TOOL_ASSET_NOTFOUND'],
      [{}, { tool_id: 'lod-data' }, 'TOOL_NOTFOUND'],
      [{ columns: 'ORDER.NO' }, {}, 'TOOL_ARGUMENTS_INVALID'],
      [rows, { context: withoutDataScopes }, 'ADMIN_ACCESS_ERROR'],
      [rows, { context: createContext('others') }, 'TOOL_ASSET_NOTFOUND'],
    ] as const;
    for (const [arguments_, more, code] of cases)
      expect([more, (await readFailure(run(team, arguments_, more)))?.code]).toEqual([more, code]);
  });

  it('counts in the same quota as other calls', async () => {
    const team = 'counting';
    await applyOrThrow(first(), team, [
      createAssetDefinition('p2p', [loadDataTool], { limits: { callsPerMinute: 1 } }),
    ]);
    const failures = await Promise.all([
      ...Array.from({ length: 4 }, () => readFailure(run(team, rows))),
      ...Array.from({ length: 4 }, () => readFailure(callOnReplica(first(), team, 'p2p', rows))),
    ]);
    // Two where a minute of the clock ends between them.
    const admitted = failures.filter((failure) => failure === undefined).length;
    expect(admitted).toBeGreaterThanOrEqual(1);
    expect(admitted).toBeLessThanOrEqual(2);
  });
});

describe('the names of tools', () => {
  const names = (team: string, context = createAdminContext(team)) => first().names.name({ team }, context);

  it('are listed separately for published assets and drafts', async () => {
    const team = 'naming';
    await applyOrThrow(first(), team, [
      createAssetDefinition('both'),
      createAssetDefinition('published', [searchTool, loadDataTool]),
    ]);
    await applyOrThrow(first(), team, [createAssetDefinition('both', [searchTool]), createAssetDefinition('drafted')], {
      mode: 'draft',
    });
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
    for (const context of [createContext('naming'), createAdminContext('others')])
      expect((await readFailure(names('naming', context)))?.code).toBe('GENERAL_NOTFOUND');
  });
});
