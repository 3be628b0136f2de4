import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listModelNames } from '@tessera/contracts/knowledge-models';
import { type AgentToolsAssetDefinition, exportAssets } from '@tessera/contracts/tool-gateway';
import { fail } from '@tessera/failures';
import { runInTenantTransaction } from '@tessera/persistence';
import { waitUntil } from '@tessera/testing';
import {
  createAdminContext,
  unwrapResult,
  applyOrThrow,
  applyOnReplica,
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
});
afterAll(() => setup?.end());

const first = () => setup.replicas[0];
const second = () => setup.replicas[1];

const searchTool = { kind: 'search-data', id: 'search-data', knowledgeModel: 'p2p' } as const;
const exported = async (team: string) =>
  exportAssets.reply.parse(await unwrapResult(first().assets.export({ team }, createAdminContext(team)))).assets;

describe('applying assets', () => {
  it('creates and changes assets, and leaves unchanged ones alone', async () => {
    const team = 'apply';
    expect(await applyOrThrow(first(), team, [createAssetDefinition('a'), createAssetDefinition('b')])).toEqual({
      definitions: [
        { kind: 'AgentToolsAsset', id: 'a', state: 'created', version: 1, changes: [] },
        { kind: 'AgentToolsAsset', id: 'b', state: 'created', version: 1, changes: [] },
      ],
    });
    const changed = createAssetDefinition('a', [{ ...loadDataTool, description: 'Loads.' }, searchTool]);
    expect(await applyOrThrow(first(), team, [changed, createAssetDefinition('b')])).toEqual({
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
      { id: 'b', version: 1, definition: createAssetDefinition('b') },
    ]);
  });

  it('returns every fault at its path with the nearest known name, and changes nothing', async () => {
    const definitions: AgentToolsAssetDefinition[] = [
      createAssetDefinition('x', [
        { ...loadDataTool, knowledgeModel: 'p2q' },
        { ...loadDataTool, id: 'load_data' },
        { kind: 'find-content', id: 'find', storage: 'bpm/maim' },
      ]),
      createAssetDefinition('x'),
    ];
    const failure = await readFailure(applyOnReplica(first(), 'faulty', definitions));
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
    const failure = await readFailure(
      applyOnReplica(first(), 'faulty', [createAssetDefinition('x', [loadDataTool, tool])]),
    );
    expect(failure?.faults?.[0]?.path).toMatch(/^definitions\.0\.tools\.1\.request\.url/);
  });

  it('lets a draft refer to a draft of a model, and a publication only to published models', async () => {
    const next = createAssetDefinition('n', [{ ...loadDataTool, knowledgeModel: 'next' }]);
    expect((await readFailure(applyOnReplica(first(), 'next', [next])))?.code).toBe('GENERAL_CONSTRAINT_VIOLATION');
    await applyOrThrow(first(), 'next', [next], { mode: 'draft' });
    expect(await exported('next')).toEqual([{ id: 'n', draft: next }]);
  });

  it('changes nothing in mode check', async () => {
    const checked = await applyOrThrow(first(), 'check', [createAssetDefinition('a')], { mode: 'check' });
    expect(checked.definitions).toMatchObject([{ id: 'a', state: 'created', version: 1 }]);
    expect(await exported('check')).toEqual([]);
  });

  it('applies once per Idempotency-Key, and rejects a different request with the same key', async () => {
    const team = 'once';
    const idempotencyKey = 'key-1';
    const answer = await applyOrThrow(first(), team, [createAssetDefinition('a')], { idempotencyKey });
    expect(await applyOrThrow(second(), team, [createAssetDefinition('a')], { idempotencyKey })).toEqual(answer);
    const other = await readFailure(applyOnReplica(first(), team, [createAssetDefinition('b')], { idempotencyKey }));
    expect(other?.code).toBe('GENERAL_IDEMPOTENCY_MISMATCH');
  });

  it('numbers versions without gaps when two publications run at the same time', async () => {
    const team = 'race';
    const publish = (turn: number) =>
      applyOrThrow(setup.replicas[turn % 2 === 0 ? 0 : 1], team, [
        createAssetDefinition('a', [loadDataTool], { name: `Turn ${turn}` }),
      ]);
    const versions = await Promise.all(Array.from({ length: 6 }, (_, turn) => publish(turn)));
    expect(versions.map(({ definitions }) => definitions[0]?.version).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('fails while the service that owns models is unavailable', async () => {
    const away = fail('SERVICE_UNAVAILABLE', 'away');
    const { services } = setup;
    services.answer(listModelNames, () => away);
    try {
      expect((await readFailure(applyOnReplica(first(), 'away', [createAssetDefinition('a')])))?.code).toBe(
        'SERVICE_UNAVAILABLE',
      );
    } finally {
      services.answer(listModelNames, () => ({ ok: true, value: { published: ['p2p'], drafts: ['p2p', 'next'] } }));
    }
  });

  it('writes events of publications and deletions in their order', async () => {
    const team = 'events';
    await applyOrThrow(first(), team, [createAssetDefinition('a')]);
    await applyOrThrow(first(), team, [createAssetDefinition('a')]);
    await applyOrThrow(first(), team, [createAssetDefinition('b')], { mode: 'draft' });
    await unwrapResult(first().assets.delete({ team, assetId: 'b' }, createAdminContext(team)));
    await unwrapResult(first().assets.delete({ team, assetId: 'a' }, createAdminContext(team)));
    const events = await runInTenantTransaction(first().runtime.pools.light, team, async (client) => {
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
  it('resolves to the newest publication in every replica at once', async () => {
    const team = 'now';
    for (let version = 1; version <= 5; version++) {
      await applyOrThrow(setup.replicas[version % 2 === 0 ? 0 : 1], team, [
        createAssetDefinition('a', [loadDataTool], { name: `Version ${version}` }),
      ]);
      for (const { runtime } of setup.replicas) {
        const found = await runtime.assets.find(team, 'a', false);
        expect(found).toMatchObject({ ok: true, value: { version, name: `Version ${version}` } });
      }
    }
  });

  it('stays cacheable for at most 50 ms, and not after a newer version was read', async () => {
    const team = 'fresh';
    const { assets } = first().runtime;
    await applyOrThrow(first(), team, [createAssetDefinition('a')]);
    const find = async (isDraft = false) => {
      const found = await assets.find(team, 'a', isDraft);
      if (!found.ok) throw new Error('no asset');
      return found.value;
    };
    const old = await find();
    await waitUntil(async () => assets.freshForMs(team, await find()) > 0);
    expect(assets.freshForMs(team, old)).toBeLessThanOrEqual(50);
    await applyOrThrow(second(), team, [createAssetDefinition('a', [loadDataTool], { name: 'Newer' })]);
    expect(assets.freshForMs(team, old)).toBe(0);
    await find();
    expect(assets.freshForMs(team, old)).toBe(0);
    await applyOrThrow(second(), team, [createAssetDefinition('a', [loadDataTool], { name: 'Draft' })], {
      mode: 'draft',
    });
    expect(assets.freshForMs(team, await find(true))).toBe(0);
  });

  it('is returned as the same object until it changes, even when other assets of the team are published', async () => {
    const team = 'same';
    const { assets } = first().runtime;
    await applyOrThrow(first(), team, [createAssetDefinition('a')]);
    const before = await assets.find(team, 'a', false);
    await applyOrThrow(first(), team, [createAssetDefinition('b')]);
    const after = await assets.find(team, 'a', false);
    expect(before.ok && after.ok && before.value === after.value).toBe(true);
  });

  it('has a draft beside its published version, and none when both are equal', async () => {
    const team = 'draft';
    const { assets } = first().runtime;
    await applyOrThrow(first(), team, [createAssetDefinition('a')]);
    const drafted = createAssetDefinition('a', [loadDataTool, searchTool]);
    expect((await applyOrThrow(first(), team, [drafted], { mode: 'draft' })).definitions).toMatchObject([
      { state: 'changed', changes: [{ path: 'tools.search-data', change: 'added' }] },
    ]);
    const draft = await assets.find(team, 'a', true);
    expect(draft).toMatchObject({ ok: true, value: { version: 'draft' } });
    expect(draft.ok && draft.value.tools).toHaveLength(2);
    const again = await assets.find(team, 'a', true);
    expect(draft.ok && again.ok && draft.value === again.value).toBe(true);
    expect(await assets.find(team, 'a', false)).toMatchObject({ ok: true, value: { version: 1 } });
    await applyOrThrow(first(), team, [createAssetDefinition('a')], { mode: 'draft' });
    expect(await exported(team)).toEqual([expect.not.objectContaining({ draft: expect.anything() })]);
    const none = await readFailure(assets.find(team, 'a', true));
    expect([none?.code, none?.detail]).toEqual(['TOOL_ASSET_NOTFOUND', expect.stringContaining('has no draft')]);
  });

  it('can be called only as a draft while it is not published', async () => {
    const team = 'unpublished';
    await applyOrThrow(first(), team, [createAssetDefinition('a')], { mode: 'draft' });
    expect((await readFailure(callOnReplica(first(), team, 'a', { columns: ['ORDER.NO'] })))?.code).toBe(
      'TOOL_ASSET_NOTFOUND',
    );
    expect(
      await readFailure(callOnReplica(first(), team, 'a', { columns: ['ORDER.NO'] }, { draft: true })),
    ).toBeUndefined();
  });

  it('is not found by any replica once it is deleted', async () => {
    const team = 'gone';
    await applyOrThrow(first(), team, [createAssetDefinition('a')]);
    expect((await second().runtime.assets.find(team, 'a', false)).ok).toBe(true);
    await unwrapResult(first().assets.delete({ team, assetId: 'a' }, createAdminContext(team)));
    for (const { runtime } of setup.replicas) expect((await runtime.assets.find(team, 'a', false)).ok).toBe(false);
    expect((await readFailure(first().assets.delete({ team, assetId: 'a' }, createAdminContext(team))))?.code).toBe(
      'GENERAL_NOTFOUND',
    );
  });
});

describe('an unknown asset', () => {
  it('is not found under any hostile name', async () => {
    for (const name of ['nu\u0000l', 'half \ud800', '__proto__', "'; drop table asset; --"])
      for (const isDraft of [true, false])
        expect(await first().runtime.assets.find('near', name, isDraft)).toMatchObject({ ok: false });
  });

  it('is reported with the nearest asset of the team', async () => {
    await applyOrThrow(first(), 'near', [createAssetDefinition('p2p-tools')]);
    const failure = await readFailure(callOnReplica(first(), 'near', 'p2p-tool', {}));
    expect(failure).toMatchObject({
      code: 'TOOL_ASSET_NOTFOUND',
      detail: 'There is no such asset. Did you mean p2p-tools?',
    });
  });
});

describe('another team', () => {
  it('gets the answer for an asset that does not exist', async () => {
    await applyOrThrow(first(), 'owners', [createAssetDefinition('ours')]);
    const other = await readFailure(callOnReplica(first(), 'others', 'ours', {}));
    const none = await readFailure(callOnReplica(first(), 'others', 'ourz', {}));
    expect(other?.code).toBe('TOOL_ASSET_NOTFOUND');
    expect(JSON.stringify(other)).toBe(JSON.stringify(none));
    const listed = (asset_id: string) =>
      readFailure(first().lists.list({ asset_id, draft: true }, createContext('others')));
    expect(JSON.stringify(await listed('ours'))).toBe(JSON.stringify(await listed('ourz')));
  });

  it('cannot administer the asset, nor can a caller without the scope admin', async () => {
    for (const context of [createAdminContext('others'), createContext('owners')]) {
      const failures = await Promise.all([
        readFailure(first().assets.export({ team: 'owners' }, context)),
        readFailure(first().assets.delete({ team: 'owners', assetId: 'ours' }, context)),
        readFailure(
          first().assets.apply(
            { team: 'owners', apply: { definitions: [createAssetDefinition('ours')], mode: 'publish' } },
            context,
          ),
        ),
        readFailure(first().log.list({ team: 'owners', pageSize: 10 }, context)),
      ]);
      expect(failures.map((failure) => failure?.code)).toEqual(failures.map(() => 'GENERAL_NOTFOUND'));
    }
    expect(await exported('owners')).toHaveLength(1);
  });

  it('sees no row of the asset in the database', async () => {
    const { light } = first().runtime.pools;
    const count = (table: string) =>
      runInTenantTransaction(light, 'others', async (client) => {
        const { rows } = await client.query<{ readonly rows: number }>(
          `select count(*)::int as rows from tool_gateway.${table} where tenant = 'owners'`,
        );
        return rows[0]?.rows;
      });
    for (const table of ['team_state', 'asset', 'asset_version', 'tool_call', 'outbox', 'idempotency'])
      expect([table, await count(table)]).toEqual([table, 0]);
  });
});
