/**
 * `apply` and `export` round trip: what the command line applies is exported unchanged, and faults are reported at
 * their places.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTessera } from './command-line.js';
import { startProduct, type Product } from './product.js';

let product: Product;
let folder: string;

beforeAll(async () => {
  product = await startProduct({ demo: 'tiny' });
  folder = await mkdtemp(join(tmpdir(), 'tessera-workspace-'));
});
afterAll(async () => {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
});

const demo = (team: string): string => join(product.home, 'demo', 'tiny', team);

/** Every file below a folder with its text. */
const filesIn = async (root: string): Promise<Readonly<Record<string, string>>> => {
  const names = (await readdir(root, { recursive: true })).sort();
  const files: Record<string, string> = {};
  for (const name of names)
    // Rows of tables are loaded from such files and do not come back.
    if (!name.endsWith('.csv') && (await stat(join(root, name))).isFile())
      files[name] = await readFile(join(root, name), 'utf8');
  return files;
};

describe('the command line', () => {
  it.each(['meridian', 'northgate', 'tinyco'])('exports the applied files of %s, byte by byte', async (team) => {
    const exported = join(folder, team);
    const outcome = await runTessera(product, 'export', exported, '--team', team);
    expect(outcome).toMatchObject({ code: 0 });
    expect(await filesIn(exported)).toEqual(await filesIn(demo(team)));
  });

  it('changes nothing when the exported files are applied again', async () => {
    const outcome = await runTessera(product, 'apply', join(folder, 'meridian'));
    expect(outcome).toMatchObject({ code: 0 });
    expect(outcome.stdout + outcome.stderr).toMatch(/created 0, changed 0, unchanged 63/);
  });

  it('reports five faults at five positions and applies nothing', async () => {
    const broken = join(folder, 'broken');
    await cp(demo('tinyco'), broken, { recursive: true });
    const storage = join(broken, 'content', 'p2p');
    await writeFile(
      join(storage, 'faulty.elements.yaml'),
      [
        'kind: Elements',
        'elements:',
        '  - id: first',
        '    type: no-such-type',
        '  - id: Not a key!',
        '    type: userGroup',
        '  - id: third',
        '    tipe: userGroup',
        '  - id: fourth',
        '    type: userGroup',
        '    parent: nobody-has-this',
        '  - id: first',
        '    type: userGroup',
        '',
      ].join('\n'),
    );
    const outcome = await runTessera(product, 'apply', broken);
    expect(outcome.code).toBe(1);
    const printed = outcome.stdout + outcome.stderr;
    for (const fault of [
      '4:11 unknown type "no-such-type"',
      '5:9 expected a key',
      '8:5 unknown member "tipe"; did you mean "type"?',
      '11:13 there is no element "nobody-has-this"',
      '12:9 the element "first" is given twice',
    ])
      expect(printed).toContain(`faulty.elements.yaml:${fault}`);
    const again = join(folder, 'tinyco-again');
    expect(await runTessera(product, 'export', again, '--team', 'tinyco')).toMatchObject({ code: 0 });
    expect(await filesIn(again)).toEqual(await filesIn(demo('tinyco')));
  });

  it('creates a key that works at once and stops working when revoked', async () => {
    const made = await runTessera(
      product,
      ...['keys', 'create', '--team', 'tinyco', '--name', 'short-lived', '--scopes', 'content:read'],
    );
    expect(made.code).toBe(0);
    const key = /tsk_[A-Za-z0-9]+_[A-Za-z0-9]+_[A-Za-z0-9]+/.exec(made.stdout)?.[0] ?? '';
    const facets = `${product.gateways[0]}/tinyco/p2p/_api/rest/facets`;
    expect((await fetch(facets, { headers: { AppKey: key } })).status).toBe(200);
    const id = key.split('_')[1] ?? '';
    expect(await runTessera(product, 'keys', 'revoke', id, '--team', 'tinyco')).toMatchObject({ code: 0 });
    expect((await fetch(facets, { headers: { AppKey: key } })).status).toBe(401);
  });

  it('reports that all services are up', async () => {
    const outcome = await runTessera(product, 'status');
    expect(outcome).toMatchObject({ code: 0 });
    for (const name of ['database', 'content-repo', 'knowledge-models'])
      expect(outcome.stdout).toMatch(new RegExp(`^${name} +up `, 'm'));
  });
});
