import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { beginLoad, cancelLoad, commitLoad, stageRows, undoLoad } from '@tessera/contracts/knowledge-models';
import { nonEmptyLines, runTessera, testKey, type RunOptions } from '../testing/run-tessera.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';
import { fakeLoadId } from '../testing/fake-knowledge.js';
import { dataDefinitionFiles, createTestFolder, tableText, type TestFolder } from '../testing/test-workspace.js';

let gateway: FakeGateway;
let folder: TestFolder;
beforeEach(async () => {
  gateway = await startFakeGateway(testKey);
  folder = createTestFolder({ ...dataDefinitionFiles, 'tables/po_item.csv': csv });
  await runTessera(['apply', folder.path], { gatewayUrl: gateway.url });
  gateway.calls.length = 0;
});
afterEach(async () => {
  await gateway.stop();
  folder.remove();
});

const csv = 'item_no,order_no,net_amount,note\n1,A,2.5,"two\nlines"\n2,A,3,\n';

const load = (words: readonly string[], options: RunOptions = {}) =>
  runTessera(['load', ...words, '--workspace', folder.path], { gatewayUrl: gateway.url, ...options });
const loaded = (table = 'p2p.po_item') => gateway.knowledge.loads.get(table);
const texts = () => [...(loaded()?.batches.values() ?? [])].map(({ firstLine, text }) => [firstLine, text]);
const beginOf = () => loaded()?.begin;

const refused = (faults: readonly (readonly [path: string, message: string])[]) => ({
  status: 400,
  title: 'Constraint violated',
  detail: 'The rows do not fit the table.',
  faults: faults.map(([path, message]) => ({ in: 'rows', path, message })),
});

describe('tessera load', () => {
  it('reads the file named in the definition, with the columns from its header line', async () => {
    const { exitCode, out } = await load(['po_item']);
    expect(out).toMatch(/^p2p\.po_item: 3 rows in \d+\.\d s \([\d,]+ rows\/s\), data version 1\n$/);
    expect(exitCode).toBe(0);
    expect(beginOf()).toEqual({
      ...{ format: 'csv', delimiter: ',', null: '', mode: 'replace' },
      columns: ['item_no', 'order_no', 'net_amount', 'note'],
    });
    expect(texts()).toEqual([[2, csv.slice(csv.indexOf('\n') + 1)]]);
    expect(gateway.calls.slice(-3)).toEqual([beginLoad.name, stageRows.name, commitLoad.name]);
    // A load has an Idempotency-Key to begin with; its steps can be sent again without.
    expect(gateway.idempotencyKeys.slice(-3).map((key) => key !== '')).toEqual([true, false, false]);
  });

  it('reads another file in another format', async () => {
    folder.write('other.txt', 'A;1;2.5;-\n');
    const words = [
      'p2p.po_item',
      `${folder.path}/other.txt`,
      '--append',
      '--delimiter',
      ';',
      '--null',
      '-',
      '--no-header',
    ];
    const { exitCode, out } = await load(words);
    expect(out).toMatch(/^p2p\.po_item: 1 row in .* rows\/s\), data version 1; the table has 1,001 rows\n$/);
    expect(exitCode).toBe(0);
    expect(beginOf()).toEqual({ format: 'csv', delimiter: ';', null: '-', mode: 'append' });
    expect(JSON.parse((await load([...words, '--json'])).out)).toMatchObject({ rows: 1, tableRows: 1_001 });
    expect(texts()).toEqual([[1, 'A;1;2.5;-\n']]);
    folder.write('rows.jsonl', '{"order_no":"A"}\n');
    expect((await load(['po_item', `${folder.path}/rows.jsonl`])).exitCode).toBe(0);
    expect(beginOf()).toMatchObject({ format: 'jsonl' });
    expect(texts()).toEqual([[1, '{"order_no":"A"}\n']]);
  });

  it('keeps rows whose keys are not in the file with --upsert', async () => {
    const { exitCode, out } = await load(['po_item', '--upsert']);
    expect([exitCode, beginOf()]).toMatchObject([0, { mode: 'upsert' }]);
    expect(out).toContain('; the table has 1,003 rows');
    const both = await load(['po_item', '--upsert', '--append']);
    expect([both.exitCode, both.err]).toEqual([2, expect.stringContaining('--append and --upsert exclude each other')]);
  });

  it('needs only the key in the header of an upsert, and nothing else in that of a delete', async () => {
    folder.write('some.csv', 'note,item_no,order_no\nx,1,A\n');
    folder.write('keys.csv', 'order_no,item_no\nA,1\n');
    const at = (file: string): string => `${folder.path}/${file}`;
    expect((await load(['po_item', at('some.csv'), '--upsert'])).exitCode).toBe(0);
    expect(beginOf()).toMatchObject({ mode: 'upsert', columns: ['note', 'item_no', 'order_no'] });
    expect((await load(['po_item', at('some.csv')])).out).toContain(
      'column net_amount: is not in the header, but every row needs a value',
    );
    expect((await load(['po_item', at('keys.csv'), '--delete'])).exitCode).toBe(0);
    expect(beginOf()).toMatchObject({ mode: 'delete', columns: ['order_no', 'item_no'] });
    expect((await load(['po_item', at('some.csv'), '--delete'])).out).toContain('unknown column of p2p.po_item "note"');
    const withoutFile = await load(['po_item', '--delete']);
    expect([withoutFile.exitCode, withoutFile.err]).toEqual([2, expect.stringContaining('a file with the keys')]);
  });

  it('says how few rows the table may have afterwards, and what to do about a refusal', async () => {
    expect((await load(['po_item'])).exitCode).toBe(0);
    expect(loaded()?.commit).toEqual({ batches: 1 });
    await load(['po_item', '--allow-shrink']);
    expect(loaded()?.commit).toEqual({ batches: 1, allowShrink: true });
    await load(['--rows-min', '3']);
    expect(loaded()?.commit).toEqual({ batches: 1, rowsMin: 3 });
    for (const words of [
      ['--rows-min', 'x'],
      ['--rows-min', '3', '--allow-shrink'],
    ])
      expect((await load(['po_item', ...words])).exitCode).toBe(2);
    gateway.script(commitLoad, [
      { status: 409, title: 'Too few rows', detail: 'Nothing was changed: fewer than half.' },
    ]);
    const few = await load(['po_item']);
    expect([few.exitCode, few.err]).toEqual([3, expect.stringContaining('Nothing was changed: fewer than half.')]);
    expect(gateway.calls.at(-1)).toBe(cancelLoad.name);
  });

  it('brings the generation before back with --undo', async () => {
    const undone = await load(['po_item', '--undo']);
    expect([undone.exitCode, undone.out]).toEqual([
      0,
      'p2p.po_item: has its 1,000 rows of before, data version 3; generations kept before it: 0\n',
    ]);
    expect(JSON.parse((await load(['po_item', '--undo', '--json'])).out)).toEqual({
      rows: 1_000,
      dataVersion: 3,
      kept: 0,
    });
    gateway.script(undoLoad, [{ status: 409, title: 'Conflict', detail: 'There is no generation before.' }]);
    expect(await load(['po_item', '--undo'])).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining('no generation'),
    });
    for (const words of [['--undo'], ['po_item', 'file.csv', '--undo'], ['po_item', '--undo', '--upsert']])
      expect((await load(words)).exitCode).toBe(2);
  });

  it('tells references that lead nowhere, by the last load that looked at them', async () => {
    const orphans = {
      from: 'po_item',
      columns: ['order_no', 'item_no'],
      to: 'plant',
      rows: 3,
      values: [
        ['A', '1'],
        ['B', '2'],
      ],
    };
    const answer = (found: object) => ({ loadId: fakeLoadId, state: 'committed', rows: 3, dataVersion: 1, ...found });
    gateway.script(commitLoad, [answer({ orphans: [orphans] })]);
    expect((await load(['po_item'])).out).toContain(
      '! 3 rows of po_item lead to no plant: order_no item_no "A 1", "B 2"\n',
    );
    folder.write('tables/plant.table.yaml', tableText.replaceAll('po_item', 'plant'));
    folder.write('tables/plant.csv', csv);
    await runTessera(['apply', folder.path], { gatewayUrl: gateway.url });
    gateway.script(commitLoad, [answer({ orphans: [orphans] }), answer({})]);
    expect((await load([])).out).not.toContain('!');
  });

  it('reads the standard input', async () => {
    const { exitCode } = await load(['po_item', '-'], { input: 'order_no,item_no,net_amount\nA,1,2' });
    expect(exitCode).toBe(0);
    expect(texts()).toEqual([[2, 'A,1,2']]);
    const rows = await load(['po_item', '-', '--format', 'jsonl'], { input: '{}\n{}\n' });
    expect(rows.out).toContain('2 rows');
  });

  it('loads every table that has a file when none is named', async () => {
    folder.write('tables/supplier.table.yaml', tableText.replaceAll('po_item', 'supplier'));
    folder.write('tables/plant.table.yaml', tableText.replaceAll('po_item', 'plant'));
    folder.write('tables/plant.csv', csv.replaceAll('A', 'B'));
    await runTessera(['apply', folder.path], { gatewayUrl: gateway.url });
    const { exitCode, out } = await load([]);
    expect(exitCode).toBe(0);
    expect(
      nonEmptyLines(out)
        .map((line) => line.split(' rows')[0])
        .sort(),
    ).toEqual(['p2p.plant: 3', 'p2p.po_item: 3']);
    expect(JSON.parse((await load(['--json'])).out)).toMatchObject({ loaded: [{ rows: 3 }, { rows: 3 }] });
    folder.write('tables/plant.csv', 'A,1\n');
    expect((await load([])).exitCode).toBe(1);
  });

  it('reports that no table has a file', async () => {
    const words = ['load', '--team', 'meridian', '--workspace', `${folder.path}/content`];
    expect((await runTessera(words, { gatewayUrl: gateway.url })).err).toBe(
      'No table has a file here; there is nothing to load.\n',
    );
  });

  it('sends a large file in parallel batches and prints the result as JSON', async () => {
    const rows = Array.from({ length: 50_000 }, (_, n) => `A${n},${n},${n / 4},"${'x'.repeat(40)} ""y"""\n`);
    folder.write('tables/po_item.csv', `order_no,item_no,net_amount,note\n${rows.join('')}`);
    const { exitCode, out } = await load(['po_item', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ table: 'p2p.po_item', rows: 50_000, dataVersion: 1 });
    expect(loaded()?.batches.size).toBeGreaterThan(3);
    const byOrdinal = [...(loaded()?.batches ?? [])].sort(([left], [right]) => left - right);
    expect(byOrdinal.map(([, { text }]) => text).join('')).toBe(rows.join(''));
    expect(gateway.largestBody()).toBeLessThan(1024 * 1024);
  });

  it('loads no rows of a file that has only a header', async () => {
    folder.write('tables/po_item.csv', 'order_no,item_no,net_amount\n');
    expect((await load(['po_item'])).out).toContain('p2p.po_item: 0 rows');
  });

  it("reports an invalid row, cancels the load and keeps the table's rows", async () => {
    gateway.script(stageRows, [
      refused([
        ['3.net_amount', '"x" is not a number'],
        ['4', 'expected 4 values, got 3'],
        ['', 'there is something else'],
      ]),
    ]);
    const { exitCode, out, err } = await load(['po_item']);
    const file = `${folder.path}/tables/po_item.csv`;
    expect(nonEmptyLines(out)).toEqual([
      `${file}:3: column net_amount: "x" is not a number`,
      `${file}:4: expected 4 values, got 3`,
      `${file}: there is something else`,
    ]);
    expect([exitCode, err]).toEqual([1, 'Nothing was loaded into p2p.po_item.\n']);
    expect(gateway.calls.at(-1)).toBe(cancelLoad.name);
    gateway.script(stageRows, [undefined]);
    gateway.script(commitLoad, [refused([['', 'two rows have the key A, 1']])]);
    const { out: json } = await load(['po_item', '--json']);
    expect(JSON.parse(json)).toEqual({ count: 1, faults: [{ file, message: 'two rows have the key A, 1' }] });
  });

  it('reports a wrong header before anything is sent', async () => {
    folder.write('tables/po_item.csv', 'order_no,item_no,"net_amuont",note,note\nA,1,2,,\n');
    const { exitCode, out } = await load(['po_item']);
    const file = `${folder.path}/tables/po_item.csv`;
    expect(nonEmptyLines(out)).toEqual([
      `${file}:1: unknown column of p2p.po_item "net_amuont"; did you mean "net_amount"?`,
      `${file}:1: column note: is named twice`,
      `${file}:1: column net_amount: is not in the header, but every row needs a value`,
    ]);
    expect(exitCode).toBe(1);
    expect(gateway.calls).not.toContain(beginLoad.name);
    folder.write('tables/po_item.csv', '');
    expect((await load(['po_item'])).out).toContain(':1: is empty; expected rows');
    folder.write('tables/po_item.csv', ' , ,\nA,1,2,\n');
    expect((await load(['po_item'])).out).toContain(':1: is empty; expected a line with the names of the columns');
  });

  it('reads files as spreadsheets and exporters write them', async () => {
    const rows = 'A,1,"2.5",\r\nA,2,"3",\r\n';
    const text = `"order_no", item_no ,"net_amount",\r\n${rows},,,\r\n\r\n`;
    const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
    for (const bytes of [Buffer.from(text), Buffer.from(`\uFEFF${text}`), utf16, gzipSync(text), gzipSync(utf16)]) {
      writeFileSync(`${folder.path}/tables/po_item.csv`, bytes);
      expect((await load(['po_item'])).exitCode).toBe(0);
      expect(beginOf()).toMatchObject({ columns: ['order_no', 'item_no', 'net_amount'] });
      expect(texts()).toEqual([[2, rows]]);
    }
    writeFileSync(`${folder.path}/rows.jsonl.gz`, gzipSync('{"item_no":1}\n'));
    await load(['po_item', `${folder.path}/rows.jsonl.gz`]);
    expect([beginOf(), texts()]).toMatchObject([{ format: 'jsonl' }, [[1, '{"item_no":1}\n']]]);
  });

  it('names the line and the byte that is not of the encoding', async () => {
    const file = `${folder.path}/tables/po_item.csv`;
    writeFileSync(file, Buffer.from('order_no,item_no,net_amount\nA,1,2\nK\u00f6ln,1,2\n', 'latin1'));
    const { exitCode, out } = await load(['po_item']);
    expect([exitCode, nonEmptyLines(out)]).toEqual([
      ...[1, [`${file}:3: is not UTF-8: the byte 0xF6 behind 35 bytes begins no character; save the file as UTF-8`]],
    ]);
    writeFileSync(file, gzipSync('order_no,item_no,net_amount\nA,1,2\n').subarray(0, -4));
    expect((await load(['po_item'])).out).toContain('the gzip of the file is damaged, cut off or of several parts');
  });

  it('reports an unclosed quote and cancels the load', async () => {
    folder.write('tables/po_item.csv', 'order_no,item_no,net_amount\nA,1,2\n"A,1,2\n');
    const { exitCode, out } = await load(['po_item']);
    expect([exitCode, nonEmptyLines(out)]).toEqual([
      1,
      [`${folder.path}/tables/po_item.csv:3: a quote is opened here and never closed`],
    ]);
    expect(gateway.calls.at(-1)).toBe(cancelLoad.name);
  });

  it('continues after a short outage, and polls until the commit is done', async () => {
    const unavailable = { status: 503, retryAfterSeconds: 0 };
    const committing = { loadId: fakeLoadId, state: 'committing', rows: 3 };
    gateway.script(stageRows, [unavailable, 'break', undefined]);
    gateway.script(commitLoad, [unavailable, committing, committing, undefined]);
    expect((await load(['po_item'])).exitCode).toBe(0);
    expect(loaded()?.batches.size).toBe(1);
  });

  it('cancels the load when it is interrupted', async () => {
    const stopping = new AbortController();
    gateway.script(stageRows, [{ status: 503, retryAfterSeconds: 5 }]);
    const loading = load(['po_item'], { stopping: stopping.signal });
    while (!gateway.calls.includes(stageRows.name)) await new Promise((resolve) => setTimeout(resolve, 20));
    stopping.abort();
    expect(await loading).toMatchObject({ exitCode: 130, err: expect.stringContaining('Interrupted.') });
    expect(gateway.calls.at(-1)).toBe(cancelLoad.name);
  });

  it.each([
    [['po_itm'], 'the team has no table "po_itm"; did you mean "po_item"?'],
    [['x.y'], 'the team has no table "x.y"; apply its definition first.'],
    [['po_item', '/no/such/file.csv'], 'there is no file "/no/such/file.csv".'],
  ])('rejects the invalid arguments %j', async (words, message) => {
    const { exitCode, err } = await load(words);
    expect([exitCode, err]).toEqual([2, `error: ${message}\n`]);
  });

  it('requires a team, and a schema when two tables share the name', async () => {
    folder.write(
      'tables/other.table.yaml',
      tableText.replace('schema: p2p', 'schema: other').replace(/source.*\n/, ''),
    );
    await runTessera(['apply', folder.path], { gatewayUrl: gateway.url });
    expect((await load(['po_item'])).err).toContain(
      '"po_item" is one of p2p.po_item, other.po_item; name the schema too.',
    );
    expect((await load(['other.po_item'])).err).toContain('the definition of other.po_item names no file');
    expect(await runTessera(['load', 'po_item'], { gatewayUrl: gateway.url })).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--team is needed'),
    });
  });
});
