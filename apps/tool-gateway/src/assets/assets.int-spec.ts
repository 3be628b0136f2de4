import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nameModels } from '@tessera/contracts/knowledge-models';
import { type AgentToolsAssetDefinition, exportAssets } from '@tessera/contracts/tool-gateway';
import { fail } from '@tessera/failures';
import { inTenantTransaction } from '@tessera/persistence';
import { waitUntil } from '@tessera/testing';
import {
  adminOf,
  valueOf,
  applyOrThrow,
  apply,
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
});
afterAll(() => setup?.end());

const first = () => setup.replicas[0];
const second = () => setup.replicas[1];

const searchTool = { kind: 'search-data', id: 'search-data', knowledgeModel: 'p2p' } as const;
const exported = async (team: string) =>
  exportAssets.reply.parse(await valueOf(first().assets.export({ team }, adminOf(team)))).assets;

describe('applying assets', () => {
  it('creates and changes assets, and leaves unchanged ones alone', async () => {
    const team = 'apply';
    expect(await applyOrThrow(first(), team, [assetOf('a'), assetOf('b')])).toEqual({
      definitions: [
        { kind: 'AgentToolsAsset', id: 'a', state: 'created', version: 1, changes: [] },
        { kind: 'AgentToolsAsset', id: 'b', state: 'created', version: 1, changes: [] },
      ],
    });
    const changed = assetOf('a', [{ ...loadTool, description: 'Loads.' }, searchTool]);
    expect(await applyOrThrow(first(), team, [changed, assetOf('b')])).toEqual({
      definitions: [
        {
          kind: 'AgentToolsAsset',
          id: 'a',
          state: 'changed',
          version: 2,
          changes: [
            { path: 'tools.load-data.description', change: 'added', breaks: false },
            { path: 'tools.search-data', change: 'added', breaks: false },
          ],
        },
        { kind: 'AgentToolsAsset', id: 'b', state: 'unchanged', version: 1, changes: [] },
      ],
    });
    expect(await exported(team)).toMatchObject([
      { id: 'a', version: 2, definition: changed },
      { id: 'b', version: 1, definition: assetOf('b') },
    ]);
  });

  it('returns every fault at its path with the nearest known name, and changes nothing', async () => {
    const definitions: AgentToolsAssetDefinition[] = [
      assetOf('x', [
        { ...loadTool, knowledgeModel: 'p2q' },
        { ...loadTool, id: 'load_data' },
        { kind: 'find-content', id: 'find', storage: 'bpm/maim' },
      ]),
      assetOf('x'),
    ];
    const failure = await failureOf(apply(first(), 'faulty', definitions));
    expect(failure?.code).toBe('GENERAL_CONSTRAINT_VIOLATION');
    expect(failure?.faults?.map(({ path, rule, suggestion }) => [path, rule, suggestion])).toEqual([
      ['definitions.0.tools.0.knowledgeModel', 'unknown', 'p2p'],
      ['definitions.0.tools.1.id', 'twice', undefined],
      ['definitions.0.tools.2.storage', 'unknown', 'bpm/main'],
      ['definitions.1.id', 'twice', undefined],
    ]);
    expect(await exported('faulty')).toEqual([]);
  });

  it('returns the faults of http-request tools too', async () => {
    const request = { method: 'GET', url: 'http://169.254.169.254/latest' } as const;
    const tool = { kind: 'http-request', id: 'meta', request, inputSchema: { type: 'object' } } as const;
    const failure = await failureOf(apply(first(), 'faulty', [assetOf('x', [loadTool, tool])]));
    expect(failure?.faults?.[0]?.path).toMatch(/^definitions\.0\.tools\.1\.request\.url/);
  });

  it('lets a draft refer to a draft of a model, and a publication only to published models', async () => {
    const next = assetOf('n', [{ ...loadTool, knowledgeModel: 'next' }]);
    expect((await failureOf(apply(first(), 'next', [next])))?.code).toBe('GENERAL_CONSTRAINT_VIOLATION');
    await applyOrThrow(first(), 'next', [next], { mode: 'draft' });
    expect(await exported('next')).toEqual([{ id: 'n', draft: next }]);
  });

  it('changes nothing in mode check', async () => {
    const checked = await applyOrThrow(first(), 'check', [assetOf('a')], { mode: 'check' });
    expect(checked.definitions).toMatchObject([{ id: 'a', state: 'created', version: 1 }]);
    expect(await exported('check')).toEqual([]);
  });

  it('runs once for an Idempotency-Key and rejects another request with the same key', async () => {
    const team = 'once';
    const idempotencyKey = 'key-1';
    const answer = await applyOrThrow(first(), team, [assetOf('a')], { idempotencyKey });
    expect(await applyOrThrow(second(), team, [assetOf('a')], { idempotencyKey })).toEqual(answer);
    const other = await failureOf(apply(first(), team, [assetOf('b')], { idempotencyKey }));
    expect(other?.code).toBe('GENERAL_IDEMPOTENCY_MISMATCH');
  });

  it('numbers versions without gaps when two publish at the same time', async () => {
    const team = 'race';
    const publish = (turn: number) =>
      applyOrThrow(setup.replicas[turn % 2 === 0 ? 0 : 1], team, [assetOf('a', [loadTool], { name: `Turn ${turn}` })]);
    const versions = await Promise.all(Array.from({ length: 6 }, (_, turn) => publish(turn)));
    expect(versions.map(({ definitions }) => definitions[0]?.version).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('fails while the service that owns models is unavailable', async () => {
    const away = fail('SERVICE_UNAVAILABLE', 'away');
    const { services } = setup;
    services.answer(nameModels, () => away);
    try {
      expect((await failureOf(apply(first(), 'away', [assetOf('a')])))?.code).toBe('SERVICE_UNAVAILABLE');
    } finally {
      services.answer(nameModels, () => ({ ok: true, value: { published: ['p2p'], drafts: ['p2p', 'next'] } }));
    }
  });

  it('writes events of publications and deletions in their order', async () => {
    const team = 'events';
    await applyOrThrow(first(), team, [assetOf('a')]);
    await applyOrThrow(first(), team, [assetOf('a')]);
    await applyOrThrow(first(), team, [assetOf('b')], { mode: 'draft' });
    await valueOf(first().assets.delete({ team, assetId: 'b' }, adminOf(team)));
    await valueOf(first().assets.delete({ team, assetId: 'a' }, adminOf(team)));
    const events = await inTenantTransaction(first().runtime.pools.light, team, async (client) => {
      const { rows } = await client.query<{ readonly payload: string }>(
        'select payload from tool_gateway.outbox order by position',
      );
      return rows.map(({ payload }): unknown => JSON.parse(payload));
    });
    expect(events).toMatchObject([
      { type: 'tools.asset.published', team, subject: 'admin', data: { assetId: 'a', version: 1 } },
      { type: 'tools.asset.deleted', team, data: { assetId: 'a' } },
    ]);
  });
});

describe('a stored asset', () => {
  it('is the newest publication in every replica at once', async () => {
    const team = 'now';
    for (let version = 1; version <= 5; version++) {
      await applyOrThrow(setup.replicas[version % 2 === 0 ? 0 : 1], team, [
        assetOf('a', [loadTool], { name: `Version ${version}` }),
      ]);
      for (const { runtime } of setup.replicas) {
        const found = await runtime.assets.find(team, 'a', false);
        expect(found).toMatchObject({ ok: true, value: { version, name: `Version ${version}` } });
      }
    }
  });

  it('is known to be the newest for 50 ms at most, and not when a newer one was seen', async () => {
    const team = 'fresh';
    const { assets } = first().runtime;
    await applyOrThrow(first(), team, [assetOf('a')]);
    const find = async (isDraft = false) => {
      const found = await assets.find(team, 'a', isDraft);
      if (!found.ok) throw new Error('no asset');
      return found.value;
    };
    const old = await find();
    await waitUntil(async () => assets.freshForMs(team, await find()) > 0);
    expect(assets.freshForMs(team, old)).toBeLessThanOrEqual(50);
    await applyOrThrow(second(), team, [assetOf('a', [loadTool], { name: 'Newer' })]);
    expect(assets.freshForMs(team, old)).toBe(0);
    await find();
    expect(assets.freshForMs(team, old)).toBe(0);
    await applyOrThrow(second(), team, [assetOf('a', [loadTool], { name: 'Draft' })], { mode: 'draft' });
    expect(assets.freshForMs(team, await find(true))).toBe(0);
  });

  it('stays the same object while other assets of the team are published', async () => {
    const team = 'same';
    const { assets } = first().runtime;
    await applyOrThrow(first(), team, [assetOf('a')]);
    const before = await assets.find(team, 'a', false);
    await applyOrThrow(first(), team, [assetOf('b')]);
    const after = await assets.find(team, 'a', false);
    expect(before.ok && after.ok && before.value === after.value).toBe(true);
  });

  it('has a draft beside its publication, and none when both are equal', async () => {
    const team = 'draft';
    const { assets } = first().runtime;
    await applyOrThrow(first(), team, [assetOf('a')]);
    const drafted = assetOf('a', [loadTool, searchTool]);
    expect((await applyOrThrow(first(), team, [drafted], { mode: 'draft' })).definitions).toMatchObject([
      { state: 'changed', changes: [{ path: 'tools.search-data', change: 'added' }] },
    ]);
    const draft = await assets.find(team, 'a', true);
    expect(draft).toMatchObject({ ok: true, value: { version: 'draft' } });
    expect(draft.ok && draft.value.tools).toHaveLength(2);
    const again = await assets.find(team, 'a', true);
    expect(draft.ok && again.ok && draft.value === again.value).toBe(true);
    expect(await assets.find(team, 'a', false)).toMatchObject({ ok: true, value: { version: 1 } });
    await applyOrThrow(first(), team, [assetOf('a')], { mode: 'draft' });
    expect(await exported(team)).toEqual([expect.not.objectContaining({ draft: expect.anything() })]);
    const none = await failureOf(assets.find(team, 'a', true));
    expect([none?.code, none?.detail]).toEqual(['TOOL_ASSET_NOTFOUND', expect.stringContaining('has no draft')]);
  });

  it('can be called only as a draft while it is not published', async () => {
    const team = 'unpublished';
    await applyOrThrow(first(), team, [assetOf('a')], { mode: 'draft' });
    expect((await failureOf(call(first(), team, 'a', { columns: ['ORDER.NO'] })))?.code).toBe('TOOL_ASSET_NOTFOUND');
    expect(await failureOf(call(first(), team, 'a', { columns: ['ORDER.NO'] }, { draft: true }))).toBeUndefined();
  });

  it('is not found by any replica once it is deleted', async () => {
    const team = 'gone';
    await applyOrThrow(first(), team, [assetOf('a')]);
    expect((await second().runtime.assets.find(team, 'a', false)).ok).toBe(true);
    await valueOf(first().assets.delete({ team, assetId: 'a' }, adminOf(team)));
    for (const { runtime } of setup.replicas) expect((await runtime.assets.find(team, 'a', false)).ok).toBe(false);
    expect((await failureOf(first().assets.delete({ team, assetId: 'a' }, adminOf(team))))?.code).toBe(
      'GENERAL_NOTFOUND',
    );
  });
});

describe('an unknown asset', () => {
  it('may have any name', async () => {
    for (const name of ['nu\u0000l', 'half \ud800', '__proto__', "'; drop table asset; --"])
      for (const isDraft of [true, false])
        expect(await first().runtime.assets.find('near', name, isDraft)).toMatchObject({ ok: false });
  });

  it('is answered with the nearest asset of the team', async () => {
    await applyOrThrow(first(), 'near', [assetOf('p2p-tools')]);
    const failure = await failureOf(call(first(), 'near', 'p2p-tool', {}));
    expect(failure).toMatchObject({
      code: 'TOOL_ASSET_NOTFOUND',
      detail: 'There is no such asset. Did you mean p2p-tools?',
    });
  });
});

describe('another team', () => {
  it('gets the answer for an asset that does not exist', async () => {
    await applyOrThrow(first(), 'owners', [assetOf('ours')]);
    const other = await failureOf(call(first(), 'others', 'ours', {}));
    const none = await failureOf(call(first(), 'others', 'ourz', {}));
    expect(other?.code).toBe('TOOL_ASSET_NOTFOUND');
    expect(JSON.stringify(other)).toBe(JSON.stringify(none));
    const listed = (asset_id: string) => failureOf(first().lists.list({ asset_id, draft: true }, callerOf('others')));
    expect(JSON.stringify(await listed('ours'))).toBe(JSON.stringify(await listed('ourz')));
  });

  it('cannot administer the asset, nor can a caller without the scope admin', async () => {
    for (const context of [adminOf('others'), callerOf('owners')]) {
      const failures = await Promise.all([
        failureOf(first().assets.export({ team: 'owners' }, context)),
        failureOf(first().assets.delete({ team: 'owners', assetId: 'ours' }, context)),
        failureOf(
          first().assets.apply({ team: 'owners', apply: { definitions: [assetOf('ours')], mode: 'publish' } }, context),
        ),
        failureOf(first().log.list({ team: 'owners', pageSize: 10 }, context)),
      ]);
      expect(failures.map((failure) => failure?.code)).toEqual(failures.map(() => 'GENERAL_NOTFOUND'));
    }
    expect(await exported('owners')).toHaveLength(1);
  });

  it('sees no row of the asset in the database', async () => {
    const { light } = first().runtime.pools;
    const count = (table: string) =>
      inTenantTransaction(light, 'others', async (client) => {
        const { rows } = await client.query<{ readonly rows: number }>(
          `select count(*)::int as rows from tool_gateway.${table} where tenant = 'owners'`,
        );
        return rows[0]?.rows;
      });
    for (const table of ['team_state', 'asset', 'asset_version', 'tool_call', 'outbox', 'idempotency'])
      expect([table, await count(table)]).toEqual([table, 0]);
  });
});
