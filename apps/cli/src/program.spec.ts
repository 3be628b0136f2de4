import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { runTessera, testKey } from './testing/run-tessera.js';
import { startFakeGateway } from './testing/fake-gateway.js';
import { makeFolder, testFiles, workspaceText, type TestFolder } from './testing/test-workspace.js';
import { fileKinds, type FileKind } from './workspace/workspace-document.js';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

let folder: TestFolder | undefined;
afterEach(() => folder?.remove());

describe('runProgram', () => {
  it.each([
    [[], 2, ''],
    [['--help'], 0, ''],
    [['keys', 'create', '--help'], 0, ''],
    [['expot', 'x'], 2, 'Did you mean export?'],
    [['validate'], 2, "missing required argument 'dir'"],
    [['validate', 'a', 'b'], 2, 'too many arguments'],
    [['apply', 'x', '--jsno'], 2, 'Did you mean --json?'],
    [['load', '--help'], 0, ''],
    [['load', 'x', '--format', 'xml'], 2, 'Allowed choices are csv, jsonl'],
    [['explain', 'x'], 2, "required option '--team <team>' not specified"],
    [['diff', 'no/such/folder'], 2, '"/no/such/folder" is no folder.'],
    [['tools', 'log', '--help'], 0, ''],
    [['tools', 'log', '--limit', '0', '--team', 'x'], 2, '--limit: expected a number of calls, from 1.'],
    [['migrate', '--help'], 0, ''],
    [['migrate'], 2, 'DATABASE_URL is missing; expected an address'],
    [['migrate', 'x'], 2, 'too many arguments'],
    [['secrets', '--help'], 0, ''],
    [['ask', '--help'], 0, ''],
    [['ask', 'p2p-analyst'], 2, "missing required argument 'question'"],
    [['ask', 'p2p-analyst', ' '], 2, 'question: expected more than white space'],
    [['ask', '', 'x'], 2, 'agent: '],
    [['ask', 'a', 'x', '--conversation', ''], 2, '--conversation: '],
    [['keys', 'list'], 2, "required option '--team <team>' not specified"],
    [['keys', 'frob'], 2, "unknown command 'frob'"],
    [['schema', 'storag'], 2, 'Allowed choices are workspace, storage, elements, element'],
    [['validate', 'no/such/folder'], 2, '"/no/such/folder" is no folder.'],
    [['apply', 'no/such/folder'], 2, '"/no/such/folder" is no folder.'],
  ])('exits %j with %d', async (words, exitCode, message) => {
    const ran = await runTessera(words);
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.err).toContain(message);
    if (exitCode === 0) expect(ran.out).toContain('Usage: tessera');
  });

  it('reports an error of the operating system without a stack', async () => {
    folder = makeFolder({ file: '' });
    const gateway = await startFakeGateway(testKey);
    const ran = await runTessera(['export', `${folder.path}/file/below`, '--team', 'meridian'], {
      gatewayUrl: gateway.url,
    });
    await gateway.stop();
    expect(ran).toEqual({ exitCode: 2, out: '', err: expect.stringMatching(/^error: ENOTDIR: .*\n$/) });
  });

  it('prints faults as JSON', async () => {
    folder = makeFolder({ ...testFiles, 'workspace.yaml': workspaceText.replace('kind', 'knid') });
    const { exitCode, out } = await runTessera(['validate', folder.path, '--json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toEqual({
      count: 1,
      faults: [{ file: 'workspace.yaml', line: 1, column: 1, message: 'unknown member "knid"; did you mean "kind"?' }],
    });
    folder.write('workspace.yaml', workspaceText);
    expect(JSON.parse((await runTessera(['validate', folder.path, '--json'])).out)).toEqual({
      count: 0,
      faults: [],
      storages: [{ storage: 'trial/house', elements: 3 }],
      tables: [],
      models: [],
      assets: [],
      agents: [],
    });
  });
});

describe('tessera schema', () => {
  const kinds: readonly FileKind[] = [
    'workspace',
    'storage',
    'elements',
    'element',
    'model',
    'table',
    'asset',
    'agent',
  ];

  it.each(kinds)('of %s are printed', async (kind) => {
    const schema: unknown = JSON.parse((await runTessera(['schema', kind])).out);
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: `Tessera: ${fileKinds[kind].files}`,
    });
  });

  // `npm run -s tessera -- schema KIND > docs/schemas/KIND.schema.json` rewrites one.
  it.each(kinds)('of %s stand in docs/schemas as the command prints them', async (kind) => {
    const { out } = await runTessera(['schema', kind]);
    expect(readFileSync(`${checkout}docs/schemas/${kind}.schema.json`, 'utf8')).toBe(out);
  });
});
