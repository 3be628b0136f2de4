/** Definitions of agents on a real PostgreSQL, by two replicas. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyAgents, exportAgents } from '@tessera/contracts/agents';
import { listToolNames } from '@tessera/contracts/tool-gateway';
import { fail, succeed } from '@tessera/failures';
import { runInTenantTransaction } from '@tessera/persistence';
import {
  createAdminContext,
  createAgentDefinition,
  applyOrThrow,
  createContext,
  readFailure,
  openTestService,
  readBodyText,
  unwrapResult,
  type Replica,
  type TestService,
} from '../testing/test-service.js';

let fixture: TestService;
beforeAll(async () => {
  fixture = await openTestService();
});
afterAll(() => fixture?.end());

const first = () => fixture.replicas[0];
const second = () => fixture.replicas[1];

type Options = { readonly mode?: 'publish' | 'draft' | 'check'; readonly idempotencyKey?: string };
const apply = ({ agents }: Replica, team: string, definitions: readonly object[], options: Options = {}) => {
  const { mode = 'publish', idempotencyKey } = options;
  return agents.apply(
    applyAgents.request.parse({ team, apply: { definitions, mode }, ...(idempotencyKey && { idempotencyKey }) }),
    createAdminContext(team),
  );
};
const remove = ({ agents }: Replica, team: string, agentId: string) =>
  agents.delete({ team, agentId }, createAdminContext(team));
const exported = async (team: string) =>
  exportAgents.reply.parse(JSON.parse(await readBodyText(first().agents.export({ team }, createAdminContext(team)))))
    .agents;
const find = ({ runtime }: Replica, team: string, id: string, isDraft = false) =>
  runtime.agents.find(team, id, isDraft);

describe('applying agents', () => {
  it('creates new agents, updates agents whose definition differs and leaves the rest unchanged', async () => {
    const team = 'apply';
    const [a, b] = [createAgentDefinition('a'), createAgentDefinition('b', { tools: [{ asset: 'p2p' }] })];
    expect((await applyOrThrow(first(), team, [a, b])).definitions).toMatchObject([
      { id: 'a', state: 'created', version: 1 },
      { id: 'b', state: 'created', version: 1 },
    ]);
    const narrowed = createAgentDefinition('b', { tools: [{ asset: 'p2p', tools: ['load_data'] }] });
    expect((await applyOrThrow(second(), team, [a, narrowed])).definitions).toEqual([
      { kind: 'Agent', id: 'a', state: 'unchanged', version: 1, changes: [] },
      {
        ...{ kind: 'Agent', id: 'b', state: 'changed', version: 2 },
        changes: [{ path: 'tools.p2p', change: 'changed', breaks: true }],
      },
    ]);
    const stored = await exported(team);
    expect(stored).toMatchObject([
      { id: 'a', version: 1, definition: { ...a, instructions: '', model: { provider: 'builtin' }, tools: [] } },
      { id: 'b', version: 2, definition: narrowed },
    ]);
    const again = applyAgents.request.parse({ team, apply: { definitions: stored.map((each) => each.definition) } });
    const { definitions } = JSON.parse(await readBodyText(first().agents.apply(again, createAdminContext(team))));
    expect(definitions).toMatchObject([{ state: 'unchanged' }, { state: 'unchanged' }]);
  });

  it('reports every fault at its path with the nearest name, and changes nothing', async () => {
    const failure = await readFailure(
      apply(first(), 'faulty', [
        createAgentDefinition('x', {
          tools: [{ asset: 'p2q' }, { asset: 'p2p', tools: ['lode-data'] }],
          outputSchema: { type: 'string' },
        }),
        createAgentDefinition('x'),
      ]),
    );
    expect(failure?.code).toBe('GENERAL_CONSTRAINT_VIOLATION');
    expect(failure?.faults?.map(({ path, rule, suggestion }) => [path, rule, suggestion])).toEqual([
      ['definitions.0.outputSchema.type', 'type', undefined],
      ['definitions.0.tools.0.asset', 'unknown', 'p2p'],
      ['definitions.0.tools.1.tools.0', 'unknown', 'load-data'],
      ['definitions.1.id', 'twice', undefined],
    ]);
    expect(await exported('faulty')).toEqual([]);
  });

  it('lets a draft refer to a draft asset, and rejects that for a published agent', async () => {
    const drafts = [{ id: 'next', tools: ['new-tool'] }];
    fixture.services.answer(listToolNames, () => succeed({ published: [], drafts }));
    try {
      const agent = createAgentDefinition('n', { tools: [{ asset: 'next', tools: ['new-tool'] }] });
      expect((await readFailure(apply(first(), 'next', [agent])))?.faults).toMatchObject([{ rule: 'unknown' }]);
      await applyOrThrow(first(), 'next', [agent], 'draft');
      expect(await exported('next')).toMatchObject([{ id: 'n', draft: { tools: agent.tools } }]);
    } finally {
      fixture.services.answer(listToolNames, () =>
        succeed({ published: [{ id: 'p2p', tools: ['load-data'] }], drafts: [] }),
      );
    }
  });

  it('changes nothing in check mode, and lists no tools for agents without tools', async () => {
    const before = fixture.services.calls.length;
    const checked = JSON.parse(
      await readBodyText(apply(first(), 'check', [createAgentDefinition('a')], { mode: 'check' })),
    );
    expect(checked.definitions).toMatchObject([{ id: 'a', state: 'created', version: 1 }]);
    expect(await exported('check')).toEqual([]);
    expect(fixture.services.calls.length).toBe(before);
  });

  it('applies once per Idempotency-Key, and rejects a different request with the same key', async () => {
    const team = 'once';
    const idempotencyKey = 'key-1';
    const answer = await readBodyText(apply(first(), team, [createAgentDefinition('a')], { idempotencyKey }));
    expect(await readBodyText(apply(second(), team, [createAgentDefinition('a')], { idempotencyKey }))).toBe(answer);
    const other = await readFailure(apply(first(), team, [createAgentDefinition('b')], { idempotencyKey }));
    expect(other?.code).toBe('GENERAL_IDEMPOTENCY_MISMATCH');
  });

  it('fails while the tool gateway is unavailable', async () => {
    const agent = createAgentDefinition('a', { tools: [{ asset: 'p2p' }] });
    fixture.services.answer(listToolNames, () => fail('SERVICE_UNAVAILABLE', 'away'));
    expect((await readFailure(apply(first(), 'away', [agent])))?.code).toBe('SERVICE_UNAVAILABLE');
    fixture.services.answer(listToolNames, () =>
      succeed({ published: [{ id: 'p2p', tools: ['load-data'] }], drafts: [] }),
    );
    expect(await readFailure(apply(first(), 'away', [agent]))).toBeUndefined();
  });

  it('writes publication and deletion events in order', async () => {
    const team = 'events';
    await applyOrThrow(first(), team, [createAgentDefinition('a')]);
    await applyOrThrow(first(), team, [createAgentDefinition('a')]);
    await applyOrThrow(first(), team, [createAgentDefinition('b')], 'draft');
    unwrapResult(await remove(first(), team, 'b'));
    unwrapResult(await remove(first(), team, 'a'));
    const told = await runInTenantTransaction(first().runtime.pools.light, team, async (client) => {
      const { rows } = await client.query<{ readonly payload: string }>(
        'select payload from agents.outbox order by position',
      );
      return rows.map(({ payload }): unknown => JSON.parse(payload));
    });
    expect(told).toMatchObject([
      { type: 'agents.agent.published', team, subject: 'admin', data: { agentId: 'a', version: 1 } },
      { type: 'agents.agent.deleted', team, data: { agentId: 'a' } },
    ]);
  });
});

describe('an agent', () => {
  it('resolves to its last published version in every replica at once, with default limits', async () => {
    const team = 'now';
    for (let version = 1; version <= 3; version++) {
      const instructions = `Version ${version}`;
      await applyOrThrow(fixture.replicas[version % 2 === 0 ? 0 : 1], team, [
        createAgentDefinition('a', { instructions, limits: { steps: version } }),
      ]);
      for (const replica of fixture.replicas)
        expect(await find(replica, team, 'a')).toMatchObject({
          ok: true,
          value: { version, definition: { instructions }, limits: { steps: version, seconds: 120, tokens: 200_000 } },
        });
    }
  });

  it('has an optional draft beside the published version', async () => {
    const team = 'draft';
    await applyOrThrow(first(), team, [createAgentDefinition('a')]);
    expect(await find(first(), team, 'a', true)).toMatchObject({
      failure: { code: 'AGENT_NOTFOUND', detail: expect.stringContaining('has no draft') },
    });
    await applyOrThrow(first(), team, [createAgentDefinition('a', { instructions: 'Next.' })], 'draft');
    expect(await find(second(), team, 'a', true)).toMatchObject({ value: { version: 'draft' } });
    expect(await find(second(), team, 'a')).toMatchObject({ value: { version: 1, definition: { instructions: '' } } });
  });

  it('can be read only as a draft, and is not listed, before it is published', async () => {
    const team = 'unpublished';
    await applyOrThrow(first(), team, [createAgentDefinition('a')], 'draft');
    expect(await find(first(), team, 'a', true)).toMatchObject({ ok: true });
    expect(await readFailure(find(first(), team, 'a'))).toMatchObject({ code: 'AGENT_NOTFOUND' });
    expect(unwrapResult(await first().agents.list({}, createContext(team)))).toEqual({ agents: [] });
  });

  it('is listed with its name', async () => {
    const team = 'listed';
    await applyOrThrow(first(), team, [
      createAgentDefinition('b', { name: 'Second', description: 'B.' }),
      createAgentDefinition('a'),
    ]);
    expect(unwrapResult(await second().agents.list({}, createContext(team)))).toEqual({
      agents: [
        { id: 'a', name: 'a', description: '', version: 1 },
        { id: 'b', name: 'Second', description: 'B.', version: 1 },
      ],
    });
    expect(unwrapResult(await first().agents.list({}, createContext('nobody')))).toEqual({ agents: [] });
  });

  it('is not found in any replica after it is deleted', async () => {
    const team = 'gone';
    await applyOrThrow(first(), team, [createAgentDefinition('a')]);
    expect((await find(second(), team, 'a')).ok).toBe(true);
    unwrapResult(await remove(first(), team, 'a'));
    for (const replica of fixture.replicas) expect((await find(replica, team, 'a')).ok).toBe(false);
    expect((await readFailure(remove(first(), team, 'a')))?.code).toBe('GENERAL_NOTFOUND');
  });

  it('is not found under any other name, and the failure suggests the nearest one', async () => {
    const team = 'near';
    await applyOrThrow(first(), team, [createAgentDefinition('p2p-analyst')]);
    for (const name of ['nu\u0000l', 'half \ud800', '__proto__', "'; drop table agent; --"])
      for (const isDraft of [true, false])
        expect(await readFailure(find(first(), team, name, isDraft))).toMatchObject({ code: 'AGENT_NOTFOUND' });
    expect((await readFailure(find(first(), team, 'p2p-analist')))?.detail).toBe(
      'There is no such agent. Did you mean p2p-analyst?',
    );
  });
});

describe('another team', () => {
  it('gets the same failure as for an agent that does not exist', async () => {
    await applyOrThrow(first(), 'owners', [createAgentDefinition('ours')]);
    const [other, none] = [await find(first(), 'others', 'ours'), await find(first(), 'others', 'ourz')];
    expect(other).toMatchObject({ ok: false, failure: { code: 'AGENT_NOTFOUND' } });
    expect(JSON.stringify(other)).toBe(JSON.stringify(none));
    const [draft, noDraft] = [await find(first(), 'others', 'ours', true), await find(first(), 'others', 'ourz', true)];
    expect(JSON.stringify(draft)).toBe(JSON.stringify(noDraft));
  });

  it('cannot administer the agent, nor can a caller who is no administrator', async () => {
    const team = 'owners';
    for (const context of [createAdminContext('others'), createContext(team)]) {
      const { agents } = first();
      const request = applyAgents.request.parse({ team, apply: { definitions: [createAgentDefinition('ours')] } });
      const failures = [
        await readFailure(agents.export({ team }, context)),
        await readFailure(agents.delete({ team, agentId: 'ours' }, context)),
        await readFailure(agents.apply(request, context)),
      ];
      expect(failures.map((failure) => failure?.code)).toEqual(failures.map(() => 'GENERAL_NOTFOUND'));
    }
    expect(await exported(team)).toHaveLength(1);
  });

  it('sees no row of the agent in the database', async () => {
    const count = (table: string) =>
      runInTenantTransaction(first().runtime.pools.light, 'others', async (client) => {
        const { rows } = await client.query<{ readonly rows: number }>(
          `select count(*)::int as rows from agents.${table} where tenant = 'owners'`,
        );
        return rows[0]?.rows;
      });
    for (const table of ['team_state', 'agent', 'agent_version', 'outbox', 'idempotency'])
      expect([table, await count(table)]).toEqual([table, 0]);
  });
});
