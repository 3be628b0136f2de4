/** Assets of agent tools as their owner uses them: import and export, drafts, HTTP failures, the log of calls. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordAnswers } from './compatibility/record-answers.js';
import { runTessera, type CommandOutcome } from './command-line.js';
import { memberOf, parseJson, textOf } from './json.js';
import { startProduct, type Product } from './product.js';
import { createToolEndpoints, type ToolEndpoints } from './tool-endpoints.js';
import { createTestStorage, testTeam, writeStorage } from './test-storage.js';
import { createTestKey, createTestModel, testModelId } from './test-model.js';

const file = 'tools/office-tools.asset.yaml';
const asset = `kind: AgentToolsAsset
id: office-tools
name: Tools of the office
tools:
  - {kind: load-data, id: load-data, knowledgeModel: ${testModelId}}
  - {kind: find-content, id: find-content, storage: trial/writes}
`;
const added = `  - {kind: get-knowledge-model, id: describe-sales, knowledgeModel: ${testModelId}}\n`;

let product: Product;
let folder: string;
let endpoints: ToolEndpoints;
let subject: string;
beforeAll(async () => {
  product = await startProduct({ demo: 'none' });
  await createTestModel(product);
  await createTestStorage(product);
  const area = { type: 'area', attributes: { name: { 1033: 'Travel expenses', 1031: 'Reisekosten prüfen' } } };
  const written = await writeStorage(product, '/facets/processes/views/detail/elements', { elements: [area] });
  if (written.status >= 300) throw new Error(JSON.stringify(written));
  const scopes = ['tools:execute', 'knowledge-models:read', 'content:read'];
  const key = await createTestKey(product, { scopes, furtherScopes: ['sales:all'] });
  subject = key.split('_')[1] ?? '';
  endpoints = createToolEndpoints(product.gateways[0] ?? '', key, 'office-tools');
  folder = await mkdtemp(join(tmpdir(), 'tessera-tools-'));
  await put('workspace.yaml', `kind: Workspace\nteam: ${testTeam}\nname: Trial\n`);
  await put(file, asset);
});
afterAll(async () => {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
});

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), text);
};
const run = (...words: readonly string[]): Promise<CommandOutcome> => runTessera(product, ...words);
const linesOf = ({ stdout }: CommandOutcome): readonly string[] => stdout.split('\n').filter((line) => line !== '');

describe('an asset of a workspace', () => {
  it('is created by apply and unchanged by a second one', async () => {
    const first = await run('diff', folder, '--exit-code');
    expect([first.code, linesOf(first)]).toEqual([1, ['asset office-tools: created, version 1']]);
    expect(linesOf(await run('apply', folder))).toEqual(['asset office-tools: created, version 1']);
    expect(linesOf(await run('apply', folder))).toEqual(['asset office-tools: unchanged, version 1']);
  });

  it('is exported as it was written, and applying the export changes nothing', async () => {
    const copy = join(folder, 'copy');
    expect(await run('export', copy, '--team', testTeam)).toMatchObject({ code: 0 });
    expect(await readFile(join(copy, file), 'utf8')).toBe(asset);
    expect(linesOf(await run('diff', copy, '--exit-code'))).toContain('asset office-tools: unchanged, version 1');
    await rm(copy, { recursive: true });
  });

  it('with an unknown reference is rejected at the position of the reference', async () => {
    await put(file, asset.replace(testModelId, 'trial.sale-km').replace('trial/writes', 'trial/write'));
    const refused = await run('apply', folder);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain(`${file}:5:54 `);
    expect(refused.stdout).toContain(`did you mean "${testModelId}"?`);
    expect(refused.stdout).toContain(`${file}:6:53 `);
    expect(refused.stdout).toContain('2 faults');
    await put(file, asset);
  });

  it('can be called as a draft, which no other caller sees', async () => {
    await put(file, asset + added);
    expect(await run('apply', folder, '--draft')).toMatchObject({ code: 0 });
    const published = await endpoints.http('describe-sales', {});
    expect(published.status).toBe(404);
    expect(await endpoints.http('describe-sales', {}, '?draft=true')).toMatchObject({ status: 200 });
    expect(await endpoints.http('describe_sales', {}, '?draft=true')).toMatchObject({ status: 200 });
    const copy = join(folder, 'copy');
    const exported = await run('export', copy, '--team', testTeam);
    expect(exported.stderr).toContain('The draft of office-tools is not exported');
    expect(await readFile(join(copy, file), 'utf8')).toBe(asset);
    await rm(copy, { recursive: true });
    expect(linesOf(await run('apply', folder))[0]).toMatch(/^asset office-tools: changed, version 2/);
    expect(await endpoints.http('describe-sales', {})).toMatchObject({ status: 200 });
  });
});

describe('a call over HTTP', () => {
  it('returns 404 for an unknown asset or tool', async () => {
    const tool = await endpoints.http('lod-data', {});
    expect(tool).toMatchObject({ status: 404 });
    expect(tool.text).toContain('load-data');
    const address = createToolEndpoints(
      product.gateways[0] ?? '',
      await createTestKey(product, { scopes: ['tools:execute'] }),
      'office-tool',
    );
    expect(await address.http('load-data', {})).toMatchObject({ status: 404 });
  });

  it('with invalid arguments returns 422 with every fault', async () => {
    const refused = await endpoints.http('load-data', { columns: ['REVENU'], size: 'many' });
    expect(refused.status).toBe(422);
    const errors = Array.isArray(refused.document) ? refused.document : [];
    expect(errors.length).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(errors)).toContain('REVENUE');
    const facet = await endpoints.http('find-content', { query: 'travel', facet: 'proceses' });
    expect(facet.status).toBe(422);
    expect(facet.document).toMatchObject([{ attribute: 'facet', errorCode: 'enum' }]);
    expect(facet.text).toContain('processes');
    expect(await endpoints.http('load-data', [])).toMatchObject({ status: 422 });
  });

  it('finds content by misspelt words in both languages', async () => {
    for (const query of ['travl expences', 'reisekosten pruefen', 'Reisekostn']) {
      const found = await endpoints.http('find-content', { query });
      expect([query, found.status, memberOf(found.document, 'elements', 0, 'name')]).toEqual([
        query,
        200,
        'Travel expenses',
      ]);
    }
    const german = await endpoints.http('find-content', { query: 'reisekosten', culture: 1031 });
    expect(memberOf(german.document, 'elements', 0, 'name')).toBe('Reisekosten prüfen');
    const address = textOf(german.document, 'elements', 0, 'expandUri');
    const read = await fetch(address, { headers: { AppKey: product.environment['DEMO_KEY'] ?? '' } });
    expect([read.status, await read.text()]).toEqual([200, expect.stringContaining('Reisekosten')]);
  });
});

describe('the log of calls', () => {
  it('shows who called what, and the result', async () => {
    const log = await run('tools', 'log', '--workspace', folder, '--asset', 'office-tools');
    expect(log).toMatchObject({ code: 0 });
    const [head, newest] = linesOf(log);
    expect(head).toMatch(/^WHEN +WHO +DOOR +ASSET +VERSION +TOOL +MS +OUTCOME +REQUEST$/);
    expect(newest).toMatch(/ http +office-tools +2 +find-content +\d+ +ok +/);
    expect(newest).toContain(subject);
    expect(linesOf(log).some((line) => / draft +describe-sales +\d+ +ok /.test(line))).toBe(true);
  });

  it('is filtered by tool, result and time, page by page', async () => {
    const callsOf = async (...wanted: readonly string[]): Promise<readonly unknown[]> => {
      const { stdout } = await run('tools', 'log', '--team', testTeam, '--json', ...wanted);
      const calls = memberOf(parseJson(stdout), 'calls');
      return Array.isArray(calls) ? calls : [];
    };
    const invalid = await callsOf('--tool', 'load-data', '--outcome', 'TOOL_ARGUMENTS_INVALID');
    expect(invalid).toHaveLength(2);
    expect(await callsOf('--tool', 'load-data', '--limit', '1')).toHaveLength(1);
    expect(await callsOf('--from', '2999-01-01')).toEqual([]);
    const elsewhere = await run('tools', 'log', '--team', 'northgate', '--json');
    expect(parseJson(elsewhere.stdout)).toEqual({ calls: [] });
  });
});

recordAnswers();
