import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalJson } from '@tessera/contracts';
import { runTessera } from '../testing/run-tessera.js';
import { cutOutRows } from './evidence.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const keySet = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'EdDSA', use: 'sig' }] };
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const rows = '{"SUPPLIER":"A \\"quoted\\" ]","VALUE":1.5}';
const answer = `{"page":0,"pageSize":50,"sort":[],"content":[${rows}]}`;
const salt = '0'.repeat(32);
const result = { salt, rows: 1, rowsDigest: sha256(rows), figures: [{ id: 'VALUE', value: '1.5' }] };
const { figures: _, ...digested } = result;
const signed = {
  statement: {
    ...{ format: 'tessera-evidence-1', id: '019aa0c4-6f00-7000-8000-000000000001', team: 'meridian', kind: 'rows' },
    ...{ askedAt: '2026-06-30T10:00:00.000Z', askedBy: 'ann', requestId: 'r1' },
    model: { id: 'p2p', version: 3, digests: ['ab'.repeat(32)] },
    question: {
      ...{ columns: ['VALUE'], filters: [], conditions: [], groupConditions: [], sort: [] },
      ...{ distinct: false, page: 0, pageSize: 50 },
    },
    ...{ data: [{ table: 'orders', version: '7' }], policies: ['rows of SUPPLIER'] },
    resultDigest: sha256(canonicalJson(digested)),
  },
  result,
  words: 'Value, rows 1 to 50',
};
const value = sign(undefined, Buffer.from(canonicalJson(signed)), privateKey).toString('base64url');
const keys = 'https://tessera.example/.well-known/tessera-evidence-keys';
const exported = { ...signed, signature: { algorithm: 'Ed25519', keyId: 'key-1', keys, value } };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-evidence-'));
  writeFileSync(join(folder, 'keys.json'), JSON.stringify(keySet));
  writeFileSync(join(folder, 'answer.json'), answer);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verifyDocument = (document: unknown, ...more: readonly string[]) => {
  const file = join(folder, 'evidence.json');
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document, null, 2));
  return runTessera(['evidence', 'verify', file, '--keys', join(folder, 'keys.json'), ...more]);
};

describe('evidence verify', () => {
  it('accepts what was signed, however it is spaced, and says what it tells', async () => {
    const { exitCode, out } = await verifyDocument(exported, '--rows', join(folder, 'answer.json'));
    expect(exitCode).toBe(0);
    expect(out).toContain('valid: as it was signed with the key key-1');
    expect(out).toContain('question: Value, rows 1 to 50');
    expect(out).toContain('data: orders version 7');
    expect(out).toContain('figures: VALUE = 1.5');
    expect(out).toContain('rows: 1, the same as in the answer');
  });

  it.each([
    ['another figure', { ...exported, result: { ...result, figures: [{ id: 'VALUE', value: '9.5' }] } }, 'signature'],
    ['another number of rows', { ...exported, result: { ...result, rows: 2 } }, 'resultDigest'],
    ['another asker', { ...exported, statement: { ...signed.statement, askedBy: 'bob' } }, 'signature'],
    ['a member more', { ...exported, note: 'approved' }, 'signature'],
    ['a key that nobody published', { ...exported, signature: { ...exported.signature, keyId: 'key-2' } }, 'key-2'],
    ['a signature that is none', { ...exported, signature: { ...exported.signature, value: 'AAAA' } }, 'signature'],
    ['no statement', { ...exported, statement: undefined }, 'is no exported evidence (statement'],
    ['no JSON', 'figures', 'is no exported evidence'],
  ])('refuses %s and says what is wrong', async (_name, document, message) => {
    const { exitCode, out } = await verifyDocument(document);
    expect(exitCode).toBe(1);
    expect(out).toContain(message);
    expect(out).not.toContain('valid:');
  });

  it('refuses rows that are not those of the answer', async () => {
    const other = join(folder, 'other.json');
    writeFileSync(other, answer.replace('1.5', '1.6'));
    const { exitCode, out } = await verifyDocument(exported, '--rows', other);
    expect([exitCode, out]).toEqual([1, expect.stringContaining('is not about these rows')]);
    writeFileSync(other, answer.replace(/}$/, `,"content":[${rows.replace('1.5', '1.6')}]}`));
    const twice = await verifyDocument(exported, '--rows', other);
    expect([twice.exitCode, twice.out]).toEqual([1, expect.stringContaining('no name twice')]);
  });

  it('reads the keys from an address, and from that of the gateway when none is given', async () => {
    const server = createServer((_request, response) => response.end(JSON.stringify(keySet)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const bound = server.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    const file = join(folder, 'evidence.json');
    writeFileSync(file, JSON.stringify(exported));
    try {
      const gatewayUrl = `http://127.0.0.1:${port}`;
      expect((await runTessera(['evidence', 'verify', file, '--keys', `${gatewayUrl}/keys`])).exitCode).toBe(0);
      expect((await runTessera(['evidence', 'verify', file], { gatewayUrl })).exitCode).toBe(0);
    } finally {
      server.close();
    }
  });

  it('needs keys', async () => {
    const file = join(folder, 'evidence.json');
    const without = await runTessera(['evidence', 'verify', file]);
    expect([without.exitCode, without.err]).toEqual([2, expect.stringContaining('--keys is missing')]);
    const none = await runTessera(['evidence', 'verify', file, '--keys', join(folder, 'answer.json')]);
    expect([none.exitCode, none.err]).toEqual([2, expect.stringContaining('has no public keys')]);
  });
});

describe('the rows of an answer', () => {
  it('are what stands between their brackets, whatever stands in texts', () => {
    expect(cutOutRows(answer)).toBe(rows);
    expect(cutOutRows('{"content":{"headers":[],"data":[]}}')).toBe('');
    expect(cutOutRows('{"data_frame_content":{"data":[{"A":[1]}],"schema":[]}}')).toBe('{"A":[1]}');
    expect(cutOutRows('{"overall_value":1,"insights":[{"A":1}, {"B":","}]}')).toBe('{"A":1}, {"B":","}');
    expect(cutOutRows('{"value":[]}')).toBeUndefined();
  });

  it.each([
    ['the same name twice', '{"content":[{"A":1}],"content":[{"A":2}]}'],
    ['the same name spelt in two ways', '{"content":[{"A":1}],"c\\u006fntent":[{"A":2}]}'],
    ['rows in two places', '{"content":[{"A":1}],"insights":[{"A":2}]}'],
    ['two lists of data', '{"content":{"data":[{"A":1}],"data":[{"A":2}]}}'],
    ['rows somewhere deeper', '{"note":{"content":[{"A":1}]}}'],
    ['what is no JSON', '{"content":[{"A":1}]'],
  ])('are none of an answer with %s', (_what, text) => {
    expect(cutOutRows(text)).toBeUndefined();
  });

  it('are those of an answer and not of a note before it', () => {
    expect(cutOutRows('{"note":{"content":[{"A":1}]},"content":[{"A":2}]}')).toBe('{"A":2}');
  });
});
