import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeTeam } from '@tessera/contracts/gateway';
import { applyModelDefinitions } from '@tessera/contracts/knowledge-models';
import { applyAssets, listCalls } from '@tessera/contracts/tool-gateway';
import { nonEmptyLines, runTessera, testKey } from '../testing/run-tessera.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';
import { assetText, definitionFiles, createTestFolder, type TestFolder } from '../testing/test-workspace.js';

let gateway: FakeGateway;
let folder: TestFolder;
beforeEach(async () => {
  gateway = await startFakeGateway(testKey);
  folder = createTestFolder(definitionFiles);
});
afterEach(async () => {
  await gateway.stop();
  folder.remove();
});

const run = (command: string, ...more: readonly string[]) =>
  runTessera([command, folder.path, ...more], { gatewayUrl: gateway.url });

const assetFile = 'tools/p2p-tools.asset.yaml';
const refused = (...faults: readonly (readonly [path: string, message: string])[]) => ({
  status: 400,
  title: 'Constraint violated',
  detail: 'The definitions have faults.',
  faults: faults.map(([path, message]) => {
    const rule = message.startsWith('unknown') ? 'unknown' : 'other';
    return { in: 'body', path, message, rule };
  }),
});

describe('assets in a workspace', () => {
  it('are applied after models, and are unchanged the second time', async () => {
    const first = await run('apply');
    expect([first.exitCode, nonEmptyLines(first.out).at(-1)]).toEqual([0, 'asset p2p-tools: created, version 1']);
    expect(gateway.calls).toEqual([writeTeam.name, applyModelDefinitions.name, applyAssets.name]);
    expect(gateway.requests.at(-1)).toMatchObject({ team: 'meridian', apply: { mode: 'publish' } });
    expect(gateway.idempotencyKeys.at(-1)).not.toBe('');
    expect(nonEmptyLines((await run('apply')).out).at(-1)).toBe('asset p2p-tools: unchanged, version 1');
  });

  it('are stored as drafts with --draft; an export lists drafts without writing them', async () => {
    const { out } = await run('apply', '--draft', '--json');
    expect(JSON.parse(out).definitions.at(-1)).toMatchObject({ kind: 'AgentToolsAsset', id: 'p2p-tools' });
    expect(gateway.requests.at(-1)).toMatchObject({ apply: { mode: 'draft' } });
    const exported = await run('export', '--force');
    expect(exported.err).toContain('The draft of p2p-tools is not exported: applied again it would be published.');
    expect(Object.keys(folder.all())).not.toContain(assetFile);
  });

  it('are exported as the files that were applied', async () => {
    await run('apply');
    folder.write('tools/mine.asset.yaml', assetText.replace('id: p2p-tools', 'id: mine'));
    expect((await run('export')).err).toContain('tools/mine.asset.yaml would stay beside the exported definitions');
    const { exitCode, out } = await run('export', '--force');
    expect([exitCode, nonEmptyLines(out).at(-1)]).toEqual([0, 'asset p2p-tools']);
    expect(folder.all()).toEqual(definitionFiles);
    expect((await run('diff', '--exit-code')).exitCode).toBe(0);
  });

  it('show the faults of the gateway with the line and column in the file', async () => {
    gateway.script(applyAssets, [
      refused(
        ['definitions.0.tools.1.knowledgeModel', 'unknown knowledge model'],
        ['definitions.0.tools.5.request.url', 'there is no argument "invoiceNo"'],
        ['definitions.0.tools.5.request.headers.Authorization', 'there is no secret "ERP_TOKEN"'],
        ['definitions', 'is too much'],
      ),
    ]);
    const { exitCode, out, err } = await run('apply');
    expect(exitCode).toBe(1);
    expect(nonEmptyLines(out).slice(-4)).toEqual([
      `${assetFile}:7:66 unknown knowledge model`,
      `${assetFile}:16:12 there is no argument "invoiceNo"`,
      `${assetFile}:17:32 there is no secret "ERP_TOKEN"`,
      '3 faults',
    ]);
    expect(nonEmptyLines(out)[0]).toBe('table p2p.po_item: created');
    expect(nonEmptyLines(err)).toEqual([
      'body definitions is too much',
      'The gateway found faults; no asset was changed.',
    ]);
  });

  it('are checked by validate without a gateway', async () => {
    expect(nonEmptyLines((await run('validate')).out).at(-1)).toBe('asset p2p-tools: no fault');
    expect(JSON.parse((await run('validate', '--json')).out)).toMatchObject({ assets: ['p2p-tools'] });
    expect(gateway.calls).toEqual([]);
  });

  it('are compared member by member by diff', async () => {
    await run('apply');
    folder.write(assetFile, assetText.replace('id: search-data', 'id: search'));
    const { exitCode, out } = await run('diff', '--exit-code');
    expect(exitCode).toBe(1);
    expect(nonEmptyLines(out).slice(-2)).toEqual([
      'asset p2p-tools: changed (1 change, 1 of them breaking)',
      '  ! tools.search-data removed',
    ]);
    const applied = gateway.calls.lastIndexOf(applyAssets.name);
    expect(gateway.requests[applied]).toMatchObject({ apply: { mode: 'check' } });
  });

  it('are not compared when they use a model that exists only in the workspace; other assets are compared', async () => {
    folder.write('tools/other.asset.yaml', assetText.replace('id: p2p-tools', 'id: other'));
    const missing = ['definitions.1.tools.0.knowledgeModel', 'unknown knowledge model "p2p.base-km"'] as const;
    const others = { kind: 'AgentToolsAsset', id: 'other', state: 'unchanged', changes: [] };
    gateway.script(applyAssets, [refused(missing), { definitions: [others] }]);
    const { exitCode, out } = await run('diff', '--exit-code');
    expect(nonEmptyLines(out).slice(-2)).toEqual([
      'asset other: unchanged',
      'asset p2p-tools: not compared, since it names what is applied before it and is not there yet',
    ]);
    expect(exitCode).toBe(1);
    expect(gateway.requests.at(-1)).toMatchObject({ apply: { definitions: [{ id: 'other' }] } });
  });

  it('are reported with all faults when one of the faults is not a missing model', async () => {
    const missing = ['definitions.0.tools.0.knowledgeModel', 'unknown knowledge model "p2p.base-km"'] as const;
    gateway.script(applyAssets, [refused(missing, ['definitions.0.tools.5.request.url', 'expected https'])]);
    const { exitCode, out } = await run('diff');
    expect([exitCode, nonEmptyLines(out)]).toEqual([
      1,
      [`${assetFile}:6:58 unknown knowledge model "p2p.base-km"`, `${assetFile}:16:12 expected https`, '2 faults'],
    ]);
  });
});

describe('tools log', () => {
  const log = (...more: readonly string[]) => runTessera(['tools', 'log', ...more], { gatewayUrl: gateway.url });

  it('prints a table with the newest call first', async () => {
    const { exitCode, out } = await log('--team', 'meridian');
    expect(exitCode).toBe(0);
    expect(nonEmptyLines(out)).toEqual([
      'WHEN                 WHO  DOOR  ASSET      VERSION  TOOL       MS  OUTCOME  REQUEST',
      '2026-06-30 09:15:00  ann  mcp   p2p-tools  1        load-data  -   running  request-1',
      '2026-06-30 09:15:00  ann  mcp   p2p-tools  1        load-data  13  ok       request-2',
    ]);
  });

  it('sends its options as filters, for the team of the workspace', async () => {
    const filters = ['--asset', 'p2p-tools', '--tool', 'load-data', '--subject', 'ann', '--outcome', 'TOOL_FAILED'];
    await log('--workspace', folder.path, ...filters, '--from', '2026-06-01', '--to', '2026-07-01T00:00:00Z');
    expect(gateway.requests).toEqual([
      {
        ...{ team: 'meridian', assetId: 'p2p-tools', toolId: 'load-data', subject: 'ann', outcome: 'TOOL_FAILED' },
        ...{ from: '2026-06-01T00:00:00Z', to: '2026-07-01T00:00:00Z', pageSize: 100 },
      },
    ]);
  });

  it('reads page by page up to the limit', async () => {
    const first = '00000000-0000-4000-8000-000000000001';
    gateway.script(listCalls, [{ calls: [], next: first }, { calls: [] }]);
    expect(JSON.parse((await log('--team', 'meridian', '--limit', '2000', '--json')).out)).toEqual({ calls: [] });
    expect(gateway.requests).toMatchObject([{ pageSize: 1000 }, { pageSize: 1000, after: first }]);
  });

  it('stops at the limit although there are more calls', async () => {
    const { out } = await log('--team', 'meridian', '--limit', '1', '--json');
    expect(JSON.parse(out).calls).toMatchObject([{ requestId: 'request-1' }]);
    expect(gateway.calls).toEqual([listCalls.name]);
  });

  it('rejects contradictory options, and needs a team', async () => {
    expect(await log('--team', 'meridian', '--from', 'yesterday')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('from: expected a date-time such as'),
    });
    expect(await log()).toMatchObject({ exitCode: 2, err: expect.stringContaining('--team is needed') });
    expect(gateway.calls).toEqual([]);
  });
});
