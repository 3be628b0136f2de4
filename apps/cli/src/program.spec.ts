import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { nonEmptyLines, runTessera, testKey } from './testing/run-tessera.js';
import { startFakeGateway } from './testing/fake-gateway.js';
import { createTestFolder, testFiles, workspaceText, type TestFolder } from './testing/test-workspace.js';
import { fileKindNames } from './workspace/file-kinds.js';
import { fileKinds } from './workspace/workspace-document.js';

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
    [['completion', 'csh'], 2, 'Allowed choices are bash, zsh, fish'],
    [['migrate'], 2, 'DATABASE_URL is missing; expected an address'],
    [['migrate', 'x'], 2, 'too many arguments'],
    [['secrets', '--help'], 0, ''],
    [['ask', '--help'], 0, ''],
    [['ask', 'p2p-analyst'], 2, "missing required argument 'question'"],
    [['ask', 'p2p-analyst', ' '], 2, 'question: There is no question'],
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

  it('reports an operating system error without a stack trace', async () => {
    folder = createTestFolder({ file: '' });
    const gateway = await startFakeGateway(testKey);
    const ran = await runTessera(['export', `${folder.path}/file/below`, '--team', 'meridian'], {
      gatewayUrl: gateway.url,
    });
    await gateway.stop();
    expect(ran).toEqual({ exitCode: 2, out: '', err: expect.stringMatching(/^error: ENOTDIR: .*\n$/) });
  });

  it('prints faults as JSON', async () => {
    folder = createTestFolder({ ...testFiles, 'workspace.yaml': workspaceText.replace('kind', 'knid') });
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

describe('tessera --version', () => {
  it('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(`${checkout}apps/cli/package.json`, 'utf8')) as { version: string };
    expect(await runTessera(['--version'])).toEqual({ exitCode: 0, out: `${version}\n`, err: '' });
  });
});

describe('tessera completion', () => {
  /** What bash offers after these words, the last of which is begun. */
  const offered = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { out } = await runTessera(['completion', 'bash']);
    const line = ['tessera', ...words].map((word) => `'${word}'`).join(' ');
    const ask = `${out}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _tessera; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return nonEmptyLines(execFileSync('bash', ['-uc', ask], { encoding: 'utf8' }));
  };

  it('completes commands, options and the allowed values of arguments and options', async () => {
    expect(await offered('v')).toEqual(['validate']);
    expect(await offered('')).toEqual(expect.arrayContaining(['apply', 'keys', 'completion', '--version']));
    expect(await offered('keys', '')).toEqual(expect.arrayContaining(['create', 'list', 'revoke']));
    expect(await offered('keys', 'create', '--te')).toEqual(['--team']);
    expect(await offered('schema', 'el')).toEqual(['elements', 'element']);
    expect(await offered('load', 'x', '--format', '')).toEqual(['csv', 'jsonl']);
    expect(await offered('backup', 'team', 'apply', '--t')).toEqual(['--to']);
  });

  it('describes every command for zsh and fish', async () => {
    const [zsh, fish] = await Promise.all(['zsh', 'fish'].map((shell) => runTessera(['completion', shell])));
    expect(zsh?.out).toContain(`'revoke:revoke a key by its id'`);
    expect(zsh?.out).toMatch(/^#compdef tessera\n/);
    expect(fish?.out).toContain(
      `complete -c tessera -n '__tessera_at '\\''keys'\\''' -d 'revoke a key by its id' -f -a 'revoke'`,
    );
    expect(fish?.out).toContain(`-l 'format' -x -a 'csv jsonl'`);
  });
});

describe('tessera schema', () => {
  it.each(fileKindNames)('prints the JSON schema of %s', async (kind) => {
    const schema: unknown = JSON.parse((await runTessera(['schema', kind])).out);
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: `Tessera: ${fileKinds[kind].files}`,
    });
  });

  // `npm run -s tessera -- schema KIND > docs/schemas/KIND.schema.json` rewrites one.
  it.each(fileKindNames)('prints the schema of %s as stored in docs/schemas', async (kind) => {
    const { out } = await runTessera(['schema', kind]);
    expect(readFileSync(`${checkout}docs/schemas/${kind}.schema.json`, 'utf8')).toBe(out);
  });
});
