import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { beginImport, cancelImport, commitImport, stageElements } from '@tessera/contracts/content-repo';
import { writeTeam } from '@tessera/contracts/gateway';
import { nonEmptyLines, runTessera, testKey, type RunOptions } from '../testing/run-tessera.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';
import { createTestFolder, testFiles, workspaceText, type TestFolder } from '../testing/test-workspace.js';

let gateway: FakeGateway;
let folder: TestFolder;
beforeEach(async () => {
  gateway = await startFakeGateway(testKey);
  folder = createTestFolder(testFiles);
});
afterEach(async () => {
  await gateway.stop();
  folder.remove();
});

const apply = (options: RunOptions = {}, ...more: readonly string[]) =>
  runTessera(['apply', folder.path, ...more], { gatewayUrl: gateway.url, ...options });

const refusal = (faults: readonly { readonly in: string; readonly path: string; readonly message: string }[]) => ({
  status: 400,
  title: 'Constraint violated',
  detail: 'The elements do not fit together.',
  faults,
});

describe('tessera apply', () => {
  it('creates the team, stages the elements in the order of the files and commits', async () => {
    const { exitCode, out, err } = await apply();
    expect(out).toMatch(/^trial\/house: created 3, changed 0, unchanged 0 \(\d+\.\d s\)\n$/);
    expect([exitCode, err]).toEqual([0, '']);
    expect(gateway.calls).toEqual([writeTeam.name, beginImport.name, stageElements.name, commitImport.name]);
    const ids = gateway.storages.get('meridian/trial/house')?.documents.map(({ id }) => id);
    expect(ids).toEqual(['order', 'approve', 'anna']);
  });

  it('prints the result as JSON', async () => {
    const { out } = await apply({}, '--json');
    expect(JSON.parse(out)).toMatchObject({
      storages: [{ storage: 'trial/house', created: 3, changed: 0, unchanged: 0 }],
    });
  });

  it('sends nothing while the files have a fault', async () => {
    folder.write('content/house/users.elements.yaml', 'kind: Elements\nelements: [{ id: anna, type: usr }]\n');
    const { exitCode, out } = await apply();
    expect(exitCode).toBe(1);
    expect(nonEmptyLines(out)).toEqual([
      'content/house/users.elements.yaml:2:30 unknown type "usr"; did you mean "user"?',
      '1 fault',
    ]);
    expect(gateway.calls).toEqual([]);
  });

  it('reports that there is nothing to apply', async () => {
    folder.remove();
    folder.write('workspace.yaml', workspaceText.replace('[trial/house]', '[]'));
    expect(await apply()).toEqual({
      exitCode: 0,
      out: '',
      err: 'The workspace has no storage and no definition; there is nothing to apply.\n',
    });
  });

  it('polls until a long commit is done', async () => {
    const committing = { importId: '00000000-0000-4000-8000-000000000001', state: 'committing' };
    gateway.script(commitImport, [committing, committing, undefined]);
    expect((await apply()).exitCode).toBe(0);
    expect(gateway.calls.filter((name) => name === commitImport.name)).toHaveLength(3);
  });

  it('overwrites changes only with --overwrite', async () => {
    await apply();
    expect(gateway.requests.at(-1)).toMatchObject({ commit: undefined });
    await apply({}, '--overwrite');
    expect(gateway.requests.at(-1)).toMatchObject({ commit: { overwrite: true } });
  });

  it('locates the faults of the commit in the files, and cancels the import', async () => {
    gateway.script(commitImport, [
      refusal([
        { in: 'elements', path: '0.relations.owner.0', message: 'there is no element "anna"' },
        { in: 'elements', path: '2.attributes.name', message: 'is not good' },
        { in: 'definition', path: 'types.1', message: 'has elements' },
        { in: 'path', path: 'storage', message: 'belongs nowhere' },
      ]),
    ]);
    const { exitCode, out, err } = await apply();
    expect(exitCode).toBe(1);
    expect(nonEmptyLines(out)).toEqual([
      'content/house/processes.elements.yaml:12:15 there is no element "anna"',
      'content/house/storage.yaml:26:5 has elements',
      'content/house/users.elements.yaml:6:13 is not good',
      '3 faults',
    ]);
    expect(nonEmptyLines(err)).toEqual([
      'path storage belongs nowhere',
      'The gateway found faults; nothing of trial/house was applied.',
    ]);
    expect(gateway.calls.at(-1)).toBe(cancelImport.name);
  });

  it('locates the faults of a request relative to its batch', async () => {
    gateway.script(stageElements, [refusal([{ in: 'body', path: 'elements.1.parent', message: 'is not good' }])]);
    const { out } = await apply();
    expect(nonEmptyLines(out)[0]).toBe('content/house/processes.elements.yaml:15:13 is not good');
    expect(gateway.calls.slice(-2)).toEqual([stageElements.name, cancelImport.name]);
    gateway.script(beginImport, [refusal([{ in: 'body', path: 'definition.title', message: 'is not good' }])]);
    expect(nonEmptyLines((await apply()).out)[0]).toBe('content/house/storage.yaml:4:8 is not good');
  });

  it("prints the gateway's message for an error without faults", async () => {
    gateway.script(stageElements, [{ status: 409, title: 'Conflict', detail: 'It is committed already.' }]);
    const { exitCode, err } = await apply();
    expect(exitCode).toBe(3);
    expect(nonEmptyLines(err)).toEqual([
      'Nothing of trial/house was applied.',
      'Conflict: It is committed already.',
      'Request id: request-1',
    ]);
  });

  it('continues after a short outage', async () => {
    const unavailable = { status: 503, retryAfterSeconds: 0 };
    gateway.script(stageElements, [unavailable, 'break', undefined]);
    gateway.script(commitImport, [unavailable, undefined]);
    expect((await apply()).exitCode).toBe(0);
    expect(gateway.storages.get('meridian/trial/house')?.documents).toHaveLength(3);
  });

  it('cancels the import when it is interrupted', async () => {
    const stopping = new AbortController();
    gateway.script(stageElements, [{ status: 503, retryAfterSeconds: 5 }]);
    const applying = apply({ stopping: stopping.signal });
    while (!gateway.calls.includes(stageElements.name)) await new Promise((resolve) => setTimeout(resolve, 20));
    stopping.abort();
    const { exitCode, err } = await applying;
    expect(exitCode).toBe(130);
    expect(err).toContain('Interrupted.');
    expect(gateway.calls.at(-1)).toBe(cancelImport.name);
  });
});

describe('a large storage', () => {
  const elements = 10_000;
  let large: TestFolder;
  beforeAll(() => {
    const lines = Array.from({ length: elements }, (_, n) =>
      JSON.stringify({ id: `u${n}`, type: 'user', attributes: { name: 'x'.repeat(1_150) } }),
    );
    large = createTestFolder({
      ...testFiles,
      'content/house/users.elements.yaml': 'kind: Elements\nelements: [{ id: anna, type: user }]\n',
      'content/house/load.elements.jsonl': lines.join('\n'),
    });
  });
  afterAll(() => large.remove());

  it('is sent in batches of the request size, in order', async () => {
    const { exitCode } = await runTessera(['apply', large.path], { gatewayUrl: gateway.url });
    expect(exitCode).toBe(0);
    const documents = gateway.storages.get('meridian/trial/house')?.documents ?? [];
    expect(documents).toHaveLength(elements + 3);
    expect([documents[0]?.id, documents[elements - 1]?.id]).toEqual(['u0', `u${elements - 1}`]);
    expect(gateway.largestBody()).toBeLessThan(1024 * 1024);
    expect(gateway.calls.filter((name) => name === stageElements.name).length).toBeGreaterThan(12);
  });
});
