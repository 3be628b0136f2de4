import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { maxEntryBytes, type Manifest } from './manifest.js';
import { openArchive } from './read-archive.js';
import { createValuePrepender, sha256 } from './row-text.js';
import { encodeTar, decodeTar, type TarEntry } from './tar-archive.js';
import { writeArchive } from './write-archive.js';

const stopping = new AbortController().signal;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-archive-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const manifest: Manifest = {
  format: 1,
  product: '0.0.1',
  createdAt: '2026-01-01T00:00:00.000Z',
  scope: 'team',
  teams: ['a', 'b'],
  migrations: { gateway: ['Gateway1'] },
  tables: [
    { schema: 'gateway', name: 'team', columns: ['name'] },
    { schema: 'gateway', name: 'api_key', columns: ['name'] },
  ],
  schemas: [],
  generations: [],
};
/** Of the first team's first table, of the second team's second one. */
const rows: readonly string[] = ['one\ntwo\n', '', '', `${'x'.repeat(maxEntryBytes - 1)}\nlast\n`];

let lastFile = 0;
const write = async (of: Manifest = manifest, texts = rows): Promise<string> => {
  const file = join(folder, `${(lastFile += 1)}.tar.gz`);
  let part = 0;
  async function* rowsOf(): AsyncGenerator<Buffer> {
    const text = texts[part] ?? '';
    part += 1;
    if (text !== '') yield Buffer.from(text);
  }
  await writeArchive(file, { manifest: of, rowsOf }, () => undefined, stopping);
  return file;
};

const read = async (file: string) => {
  const { pieces } = await openArchive(file);
  const found: string[] = [];
  for (;;) {
    const { done, value } = await pieces.next();
    if (done === true) return { found, ...value };
    const { part, bytes } = value;
    found.push(`${part.team} ${part.kind === 'rows' ? part.table.name : ''} ${bytes.length}`);
  }
};

async function* bytesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700);
}
const gathered = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

/** The archive again, with other entries in its tar. */
const changed = async (
  file: string,
  change: (entries: readonly TarEntry[]) => readonly TarEntry[],
): Promise<string> => {
  const entries = await gathered(decodeTar(bytesOf(gunzipSync(readFileSync(file))), () => 2 * maxEntryBytes));
  async function* others(): AsyncGenerator<TarEntry> {
    yield* change(entries);
  }
  return written(Buffer.concat(await gathered(encodeTar(others()))));
};
const written = (tar: Buffer, zip: (bytes: Buffer) => Buffer = gzipSync): string => {
  const file = join(folder, `${(lastFile += 1)}.tar.gz`);
  writeFileSync(file, zip(tar));
  return file;
};
const entry = (name: string, text: string): TarEntry => ({ name, bytes: Buffer.from(text) });
const edited = (name: string, edit: (text: string) => string) => (entries: readonly TarEntry[]) =>
  entries.map((each) => (each.name === name ? entry(name, edit(each.bytes.toString())) : each));

it('the archive reader reads a written archive in entries that fit into memory', async () => {
  expect(await read(await write())).toEqual({
    found: ['a team 8', `b api_key ${maxEntryBytes}`, 'b api_key 5'],
    rows: 4,
    rowBytes: maxEntryBytes + 13,
  });
});

it('the archive writer writes an archive that any tar program can list', async () => {
  const listed = execFileSync('tar', ['-tzf', await write()]).toString();
  expect(listed.trim().split('\n')).toEqual(['manifest.json', 'rows/0/0', 'rows/3/0', 'rows/3/1', 'end.json']);
});

it('createValuePrepender prepends the team to every row, wherever the pieces are cut', () => {
  const inFront = createValuePrepender('a\tb\\');
  const pieces = ['one\ntw', 'o\n', '', 'three', '\n'].map((text) => inFront(Buffer.from(text)).toString());
  expect(pieces.join('')).toBe('a\\tb\\\\\tone\na\\tb\\\\\ttwo\na\\tb\\\\\tthree\n');
});

it.each<readonly [string, (entries: readonly TarEntry[]) => readonly TarEntry[], string]>([
  ['changed rows', edited('rows/0/0', (text) => text.replace('one', 'ten')), 'gateway.team of the team a was changed'],
  ['added rows', edited('rows/0/0', (text) => `${text}three\n`), 'has 3 rows in the archive; 2 were written'],
  ['missing rows', (all) => all.filter(({ name }) => name !== 'rows/0/0'), 'has 0 rows in the archive; 2'],
  [
    'rows in an empty part',
    (all) => [...all.slice(0, 2), entry('rows/1/0', 'x\n'), ...all.slice(2)],
    'none were written',
  ],
  [
    'another team',
    edited('manifest.json', (text) => text.replace('"a"', '"c"')),
    'manifest.json of the archive was changed',
  ],
  [
    'a part that the manifest does not have',
    (all) => [...all.slice(0, 2), entry('rows/9/0', 'x\n'), ...all.slice(2)],
    'out of place',
  ],
  [
    'parts in another order',
    (all) => [...all.slice(0, 1), ...all.slice(2, 4), ...all.slice(1, 2), ...all.slice(4)],
    'out of place',
  ],
  [
    'a missing piece',
    (all) => all.filter(({ name }) => name !== 'rows/3/0'),
    'rows/3/1 of the archive is out of place',
  ],
  ['an archive without an end', (all) => all.slice(0, -1), 'has no end.json; it is cut off'],
  ['an entry after the end', (all) => [...all, entry('rows/3/2', 'x\n')], 'out of place'],
  ['an archive without a manifest', (all) => all.slice(1), 'does not begin with manifest.json'],
  [
    'an end with an unknown part',
    edited('end.json', (text) => text.replace('"part":3', '"part":8')),
    'a part 8, which there is not',
  ],
  ['a carriage return', edited('rows/0/0', () => 'one\rb\tsmuggled\n'), 'a character that no backup has'],
  [
    'a path out of the folder',
    (all) => [...all.slice(0, 2), entry('rows/../../etc', 'x')],
    'an entry "rows/../../etc", which no',
  ],
  ['an absolute name', (all) => [entry('/etc/passwd', 'x'), ...all], 'an entry "/etc/passwd", which no backup has'],
  [
    'an entry that is too large',
    (all) => [...all.slice(0, 1), { name: 'rows/0/0', bytes: Buffer.alloc(maxEntryBytes + 1) }],
    '1048577 bytes; 1048576 are allowed',
  ],
  [
    'a later format',
    edited('manifest.json', (text) => text.replace('"format":1', '"format":2')),
    'has the format 2; this version reads 1',
  ],
  ['a manifest that is not JSON', edited('manifest.json', () => 'x'), 'manifest.json of the archive is no JSON'],
  [
    'a manifest with an unknown member',
    edited('manifest.json', (text) => text.replace('{', '{"run":"x",')),
    'manifest.json of the archive says',
  ],
  [
    'a name that is SQL',
    edited('manifest.json', (text) => text.replace('"team"', '"team;drop"')),
    'manifest.json of the archive says at',
  ],
])('rejects %s', async (_what, change, message) => {
  await expect(changed(await write(), change).then(read)).rejects.toThrow(message);
});

it('the archive reader rejects a table whose description contains SQL', async () => {
  const column = { name: 'x', type: 'text', isRequired: false, collation: null, isFinite: false };
  const generation = { team: 'a', schema: 'p', table: 't', shape: { columns: [column], indexes: [] } };
  const text = JSON.stringify({ ...manifest, schemas: [{ team: 'a', schema: 'p' }], generations: [generation] });
  const file = await write();
  for (const [word, sql] of [
    ['"text"', '"text default pg_sleep(9)"'],
    ['"collation":null', '"collation":"C\\" x"'],
  ] as const)
    await expect(
      changed(
        file,
        edited('manifest.json', () => text.replace(word, sql)),
      ).then(read),
    ).rejects.toThrow('manifest.json of the archive says at generations.0.shape.columns.0');
});

it('the archive reader rejects a file that is cut off anywhere', async () => {
  const file = readFileSync(await write(manifest, ['one\n']));
  const tar = gunzipSync(file);
  for (const length of [0, 1, 100, file.length - 20, file.length - 1])
    await expect(read(written(file.subarray(0, length), (bytes) => bytes))).rejects.toThrow(/cut off|no archive/);
  for (const length of [0, 511, 512, 1_000, tar.length - 1_024, tar.length - 1])
    await expect(read(written(tar.subarray(0, length)))).rejects.toThrow('cut off');
  await expect(read(written(Buffer.concat([tar, Buffer.from('more')])))).rejects.toThrow('goes on after its end');
});

it('the archive reader rejects other files, and tar headers that no backup has', async () => {
  const tar = gunzipSync(readFileSync(await write()));
  await expect(read(written(Buffer.from('hello'), (bytes) => bytes))).rejects.toThrow('no archive of a backup');
  await expect(read(written(Buffer.alloc(4_096, 'hello')))).rejects.toThrow('a header that no backup has');
  // A link, and a name in two parts.
  for (const [place, sign] of [
    [156, '2'],
    [345, 'etc'],
  ] as const) {
    const odd = Buffer.from(tar);
    odd.write(sign, place);
    await expect(read(written(odd))).rejects.toThrow('a header that no backup has');
  }
  await expect(read(join(folder, 'nowhere'))).rejects.toThrow('ENOENT');
  await expect(read(folder)).rejects.toThrow('the file is a folder');
});

it('the archive reader reads a manifest with more parts than fit into memory', async () => {
  const names = Array.from({ length: 20_000 }, (_none, at) => `t${at}`);
  const tables = names.map((name) => ({ schema: 'gateway', name, columns: ['name'] }));
  const many = entry('manifest.json', JSON.stringify({ ...manifest, teams: names, tables }));
  async function* entries(): AsyncGenerator<TarEntry> {
    yield many;
    yield entry('end.json', JSON.stringify({ manifest: sha256(many.bytes), parts: [] }));
  }
  const file = written(Buffer.concat(await gathered(encodeTar(entries()))));
  expect(await read(file)).toEqual({ found: [], rows: 0, rowBytes: 0 });
});

it('the archive writer rejects a manifest that is too large to be read back', async () => {
  const large = write({ ...manifest, product: 'x'.repeat(64 * 1024 * 1024) });
  await expect(large).rejects.toThrow(/^manifest\.json .*has 6710\d{4} bytes, of which 67108864 can be read back/);
});

it('the archive writer fails with the error of its rows and leaves no file behind', async () => {
  const file = join(folder, 'failing.tar.gz');
  const gone = new Error('the server is gone');
  async function* rowsOf(): AsyncGenerator<Buffer> {
    yield Buffer.from('one\n');
    throw gone;
  }
  await expect(writeArchive(file, { manifest, rowsOf }, () => undefined, stopping)).rejects.toBe(gone);
  expect(readdirSync(folder).filter((name) => name.startsWith('failing'))).toEqual([]);
});
