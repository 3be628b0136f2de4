import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { applyAgents, exportAgents } from '@tessera/contracts/agents';
import { writeTeam } from '@tessera/contracts/gateway';
import { applyModelDefinitions } from '@tessera/contracts/knowledge-models';
import { applyAssets } from '@tessera/contracts/tool-gateway';
import { nonEmptyLines, runTessera, testKey } from '../testing/run-tessera.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';
import { agentFiles, agentText, assetText, createTestFolder, type TestFolder } from '../testing/test-workspace.js';

let gateway: FakeGateway;
let folder: TestFolder;
beforeEach(async () => {
  gateway = await startFakeGateway(testKey);
  folder = createTestFolder(agentFiles);
});
afterEach(async () => {
  await gateway.stop();
  folder.remove();
});

const run = (command: string, ...more: readonly string[]) =>
  runTessera([command, folder.path, ...more], { gatewayUrl: gateway.url });

const [agentFile, assetFile] = ['agents/p2p-analyst.agent.yaml', 'tools/p2p-tools.asset.yaml'];
const refused = (path: string, message: string, rule = 'unknown') => ({
  status: 400,
  title: 'Constraint violated',
  detail: 'The definitions have faults.',
  faults: [{ in: 'body', path, message, rule }],
});

describe('agents in a workspace', () => {
  it('are applied after assets, and are unchanged the second time', async () => {
    const first = await run('apply');
    expect([first.exitCode, nonEmptyLines(first.out).at(-1)]).toEqual([0, 'agent p2p-analyst: created, version 1']);
    expect(gateway.calls).toEqual([writeTeam.name, applyModelDefinitions.name, applyAssets.name, applyAgents.name]);
    expect(gateway.requests.at(-1)).toMatchObject({ team: 'meridian', apply: { mode: 'publish' } });
    expect(gateway.idempotencyKeys.at(-1)).not.toBe('');
    expect(nonEmptyLines((await run('apply')).out).at(-1)).toBe('agent p2p-analyst: unchanged, version 1');
  });

  it('are stored as drafts with --draft; an export lists drafts without writing them', async () => {
    const { out } = await run('apply', '--draft', '--json');
    expect(JSON.parse(out)).toMatchObject({ breaks: [] });
    expect(JSON.parse(out).definitions.at(-1)).toMatchObject({ kind: 'Agent', id: 'p2p-analyst', state: 'created' });
    expect(gateway.requests.at(-1)).toMatchObject({ apply: { mode: 'draft' } });
    const exported = await run('export', '--force');
    expect(exported.err).toContain('The draft of p2p-analyst is not exported: applied again it would be published.');
    expect(Object.keys(folder.all())).not.toContain(agentFile);
  });

  it('are exported as the files that were applied', async () => {
    await run('apply');
    folder.write('agents/mine.agent.yaml', agentText.replace('id: p2p-analyst', 'id: mine'));
    expect((await run('export')).err).toContain('agents/mine.agent.yaml would stay beside the exported definitions');
    const { exitCode, out } = await run('export', '--force');
    expect([exitCode, nonEmptyLines(out).at(-1)]).toEqual([0, 'agent p2p-analyst']);
    expect(folder.all()).toEqual(agentFiles);
    expect((await run('diff', '--exit-code')).exitCode).toBe(0);
  });

  it('show the faults of the gateway with the line and column in the file', async () => {
    gateway.script(applyAgents, [refused('definitions.0.model.baseUrl', 'the host is not listed', 'host')]);
    const { exitCode, out, err } = await run('apply');
    expect(exitCode).toBe(1);
    expect(nonEmptyLines(out).slice(-2)).toEqual([`${agentFile}:6:47 the host is not listed`, '1 fault']);
    expect(nonEmptyLines(out)).toContain('asset p2p-tools: created, version 1');
    expect(nonEmptyLines(err)).toEqual(['The gateway found faults; no agent was changed.']);
  });

  it('are checked by validate without a gateway', async () => {
    expect(nonEmptyLines((await run('validate')).out).at(-1)).toBe('agent p2p-analyst: no fault');
    expect(JSON.parse((await run('validate', '--json')).out)).toMatchObject({ agents: ['p2p-analyst'] });
    expect(gateway.calls).toEqual([]);
  });

  it('are compared member by member by diff', async () => {
    await run('apply');
    folder.write(agentFile, agentText.replace('with figures', 'in one sentence'));
    const { exitCode, out } = await run('diff', '--exit-code');
    expect(exitCode).toBe(1);
    expect(nonEmptyLines(out).slice(-2)).toEqual(['agent p2p-analyst: changed (1 change)', '    instructions changed']);
    expect(gateway.requests.at(-1)).toMatchObject({ apply: { mode: 'check' } });
  });

  it.each([
    ['definitions.0.tools.0.asset', 'unknown asset "p2p-tools"'],
    ['definitions.0.tools.0.tools.1', 'unknown tool "load-data"'],
  ])(
    'are not compared when the missing reference at %s is a definition that the workspace adds',
    async (path, message) => {
      gateway.script(applyAgents, [refused(path, message)]);
      const { exitCode, out } = await run('diff');
      expect([exitCode, nonEmptyLines(out).at(-1)]).toEqual([
        0,
        'agent p2p-analyst: not compared, since it names what is applied before it and is not there yet',
      ]);
    },
  );

  it.each([
    ['definitions.0.tools.1.asset', 'unknown asset "others"', 'unknown', 10],
    ['definitions.0.tools.0.tools.1', 'is there already', 'twice', 9],
  ])(
    'are reported with a fault at %s when the workspace does not contain the referenced definition',
    async (path, message, rule, line) => {
      folder.write(agentFile, agentText.replace('limits:', '  - {asset: others}\nlimits:'));
      gateway.script(applyAgents, [refused(path, message, rule)]);
      const { exitCode, out } = await run('diff');
      expect([exitCode, nonEmptyLines(out).at(-1)]).toEqual([1, '1 fault']);
      expect(nonEmptyLines(out)[0]).toMatch(new RegExp(`^${agentFile}:${line}:\\d+ ${message}$`));
    },
  );
});

describe('a tool removed from an asset', () => {
  const asset = { kind: 'AgentToolsAsset', id: 'p2p-tools', state: 'changed' };
  const removed = (id: string) => ({ path: `tools.${id}`, change: 'removed', breaks: true });
  const answerWith = (...changes: readonly object[]): void =>
    gateway.script(applyAssets, [{ definitions: [{ ...asset, changes }] }]);
  const breaks = async (command: string): Promise<readonly string[]> =>
    nonEmptyLines((await run(command)).out).filter((line) => line.startsWith('!'));

  /** Another agent than that of the files uses it. */
  beforeEach(async () => {
    folder.write('agents/other.agent.yaml', agentText.replace('p2p-analyst', 'other'));
    folder.write('agents/all.agent.yaml', 'kind: Agent\nid: all\ntools: [{asset: p2p-tools}]\n');
    await run('apply');
    for (const id of ['other', 'all']) folder.remove(`agents/${id}.agent.yaml`);
    folder.write(agentFile, agentText.replace(', load-data', ''));
    folder.write(assetFile, assetText.replace(/.*id: load-data.*\n/, ''));
  });

  it('is reported for agents outside the files, by diff and by apply', async () => {
    answerWith(removed('load-data'), removed('find-content'));
    const message = 'fit any more: the asset p2p-tools has no tool load-data any more';
    expect(await breaks('diff')).toEqual([`! agent other would not ${message}`]);
    expect(await breaks('apply')).toEqual([`! agent other does not ${message}`]);
    expect(gateway.calls.at(-1)).toBe(exportAgents.name);
  });

  it('is printed as JSON', async () => {
    answerWith(removed('load-data'));
    for (const command of ['diff', 'apply'])
      expect(JSON.parse((await run(command, '--json')).out).breaks).toMatchObject([{ kind: 'Agent', id: 'other' }]);
  });

  it('breaks no agent when a tool of the same name remains or no agent uses it', async () => {
    answerWith(removed('load-data'), { path: 'tools.load_data', change: 'added', breaks: false });
    expect(await breaks('diff')).toEqual([]);
    answerWith(removed('find-content'));
    expect(await breaks('diff')).toEqual([]);
    const requests = gateway.calls.filter((name) => name === exportAgents.name).length;
    answerWith({ path: 'tools.search-data.name', change: 'removed', breaks: false });
    await run('diff');
    expect(gateway.calls.filter((name) => name === exportAgents.name)).toHaveLength(requests);
  });

  it('fails the command when the agents cannot be read', async () => {
    answerWith(removed('load-data'));
    gateway.script(exportAgents, [{ status: 403, title: 'Forbidden', detail: 'The scope admin is missing.' }]);
    for (const command of ['diff', 'apply']) expect((await run(command)).exitCode).toBe(3);
  });
});
