import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalJson } from '@tessera/contracts';
import { nonEmptyLines, runTessera } from '../testing/run-tessera.js';
import { cutOutRows } from './evidence.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
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
    installation: 'https://tessera.example',
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

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** A last character stands for two bits of a signature, the others in it are lost. */
const nextCharacter = (last: string): string => alphabet.charAt(alphabet.indexOf(last) + 1);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-evidence-'));
  writeFileSync(join(folder, 'keys.json'), JSON.stringify(keySet));
  writeFileSync(join(folder, 'answer.json'), answer);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verifyBytes = (bytes: string | Uint8Array, ...more: readonly string[]) => {
  const file = join(folder, 'evidence.json');
  writeFileSync(file, bytes);
  return runTessera(['evidence', 'verify', file, '--keys', join(folder, 'keys.json'), ...more]);
};
const text = canonicalJson(exported);
const otherResult = { ...result, figures: [{ id: 'VALUE', value: '9.5' }] };
const signedBy = (document: object, key: KeyObject): string =>
  sign(undefined, Buffer.from(canonicalJson(document)), key).toString('base64url');
/** The document with other members beside its signature. */
const besideSignature = (members: object): string =>
  canonicalJson({ ...exported, signature: { ...exported.signature, ...members } });

/** While a server answers everything with this body. */
const answering = async (body: string, use: (address: string) => Promise<void>): Promise<void> => {
  const server = createServer((_request, response) => response.end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  try {
    await use(`http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`);
  } finally {
    server.close();
  }
};

describe('evidence verify', () => {
  it('accepts the text that was signed, and says what it tells', async () => {
    const { exitCode, out } = await verifyBytes(text, '--rows', join(folder, 'answer.json'));
    expect(exitCode).toBe(0);
    expect(out).toContain('valid: as it was signed with the key key-1');
    expect(out).toContain('installation: https://tessera.example');
    expect(out).toContain('question: Value, rows 1 to 50');
    expect(out).toContain('data: orders version 7');
    expect(out).toContain('figures: VALUE = 1.5');
    expect(out).toContain('rows: 1, the same as in the answer');
  });

  it('accepts members of a later version and a statement without an address, where these were signed', async () => {
    const { installation: _none, ...statement } = signed.statement;
    const later = { ...signed, statement: { ...statement, later: [1] }, note: { text: 'x' } };
    const signature = { ...exported.signature, value: signedBy(later, privateKey) };
    expect(await verifyBytes(canonicalJson({ ...later, signature }))).toMatchObject({ exitCode: 0 });
  });

  it('shows what was signed in one line, whatever it is', async () => {
    const asked = { ...signed, words: 'like "x\nfigures: VALUE = 9.5"' };
    const signature = { ...exported.signature, value: signedBy(asked, privateKey) };
    const { exitCode, out } = await verifyBytes(canonicalJson({ ...asked, signature }));
    expect(exitCode).toBe(0);
    expect(out.split('\n').filter((line) => line.startsWith('figures:'))).toEqual(['figures: VALUE = 1.5']);
  });

  it.each([
    ['another figure', canonicalJson({ ...exported, result: otherResult }), 'signature'],
    ['another number of rows', canonicalJson({ ...exported, result: { ...result, rows: 2 } }), 'resultDigest'],
    ['no result', canonicalJson({ ...exported, result: undefined }), 'signature'],
    ['another asker', text.replace('"askedBy":"ann"', '"askedBy":"bob"'), 'signature'],
    ['another day', text.replace('2026-06-30T10', '2026-07-30T10'), 'signature'],
    ['another form of the day', text.replace('10:00:00.000Z', '10:00:00Z'), 'signature'],
    ['a member more', canonicalJson({ ...exported, note: 'approved' }), 'signature'],
    ['a member more in the statement', text.replace('"team":', '"teams":[],"team":'), 'is not spelt'],
    [
      'another result before its own',
      text.replace('"result":', `"result":${canonicalJson(otherResult)},"result":`),
      'is not spelt',
    ],
    ['another result at the end', text.replace(/}$/, `,"result":${canonicalJson(otherResult)}}`), 'is not spelt'],
    ['a name that is there twice with one value', text.replace('"rows":1', '"rows":1,"rows":1'), 'is not spelt'],
    [
      'a name twice, once in escapes',
      text.replace('"result":', `"r\\u0065sult":${canonicalJson(otherResult)},"result":`),
      'is not spelt',
    ],
    ['1.0 for 1', text.replace('"rows":1', '"rows":1.0'), 'is not spelt'],
    ['1e0 for 1', text.replace('"rows":1', '"rows":1e0'), 'is not spelt'],
    ['-0 for 0', text.replace('"page":0', '"page":-0'), 'is not spelt'],
    ['an escape', text.replace('"askedBy":"ann"', '"askedBy":"\\u0061nn"'), 'is not spelt'],
    ['a slash in an escape', text.replace('https://', 'https:\\/\\/'), 'is not spelt'],
    ['an escape in a name', text.replace('"askedBy"', '"asked\\u0042y"'), 'is not spelt'],
    ['members in another order', JSON.stringify(exported), 'is not spelt'],
    ['white space', text.replace('":', '": '), 'at character 11 there is " {'],
    ['indented', JSON.stringify(JSON.parse(text), null, 2), 'is not spelt'],
    ['white space before it', ` ${text}`, 'is not spelt'],
    ['a line end behind it', `${text}\n`, 'there is "\\n" in place of nothing more'],
    ['a byte order mark', `\ufeff${text}`, 'byte order mark'],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), 'is not UTF-8'],
    ['bytes that are no UTF-8', Buffer.concat([Buffer.from(text.slice(0, 40)), Buffer.from([0xff])]), 'is not UTF-8'],
    ['its end missing', text.slice(0, -20), 'is it cut off?'],
    ['a second document behind it', text + text, 'is no exported evidence'],
    ['what is no JSON behind it', `${text}//`, 'is no exported evidence'],
    ['a padded signature', besideSignature({ value: `${value}=` }), 'base64url without padding'],
    ['a doubly padded signature', besideSignature({ value: `${value}==` }), 'base64url without padding'],
    ['a signature with white space', besideSignature({ value: `${value} ` }), 'base64url without padding'],
    [
      'bits behind the signature',
      besideSignature({ value: value.replace(/.$/, nextCharacter) }),
      'base64url without padding',
    ],
    [
      'the signature in base64',
      besideSignature({ value: `${Buffer.from(value, 'base64url').toString('base64')}` }),
      'base64url without padding',
    ],
    ['a signature that is none', besideSignature({ value: 'AAAA' }), 'signature'],
    ['no signature', besideSignature({ value: '' }), 'signature'],
    [
      'two signatures',
      text.replace(
        '"signature":',
        `"signature":${canonicalJson({ ...exported.signature, value: 'AAAA' })},"signature":`,
      ),
      'is not spelt',
    ],
    [
      'a signature of another document',
      besideSignature({ value: signedBy({ ...signed, words: '' }, privateKey) }),
      'signature',
    ],
    ['a key that nobody published', besideSignature({ keyId: 'key-2' }), 'is signed with the key "key-2"'],
    ['the name of no key', besideSignature({ keyId: '' }), 'is signed with the key ""'],
    ['a name of a key that looks like an answer', besideSignature({ keyId: 'x\nvalid' }), '"x\\nvalid"'],
    ['the signature of another key', besideSignature({ value: signedBy(signed, stranger.privateKey) }), 'signature'],
    [
      'a key of its own',
      besideSignature({
        jwk: stranger.publicKey.export({ format: 'jwk' }),
        value: signedBy(signed, stranger.privateKey),
      }),
      'is not spelt',
    ],
    ['a note beside the signature', besideSignature({ note: 'approved' }), 'is not spelt'],
    ['another algorithm', besideSignature({ algorithm: 'none' }), 'signature.algorithm'],
    ['an algorithm in other letters', besideSignature({ algorithm: 'ed25519' }), 'signature.algorithm'],
    [
      'another address of keys',
      besideSignature({ keys: 'https://evil.example/.well-known/tessera-evidence-keys' }),
      'address of keys',
    ],
    ['another format', text.replace('tessera-evidence-1', 'tessera-evidence-2'), 'statement.format'],
    ['no statement', canonicalJson({ ...exported, statement: undefined }), 'is no exported evidence (statement'],
    ['a list', `[${text}]`, 'is no exported evidence'],
    [
      'what is nested without end',
      text.replace('"words"', `"t":${'['.repeat(100_000)}${']'.repeat(100_000)},"words"`),
      'nested too deeply',
    ],
    ['no JSON', 'figures', 'is no exported evidence'],
    ['nothing', '', 'is no exported evidence'],
  ])('refuses %s and says what is wrong', async (_name, bytes, message) => {
    const { exitCode, out } = await verifyBytes(bytes);
    expect([exitCode, out]).toEqual([1, expect.stringContaining(message)]);
    expect(nonEmptyLines(out).filter((line) => !line.includes('evidence.json: '))).toEqual([]);
  });

  it('refuses rows that are not those of the answer', async () => {
    const other = join(folder, 'other.json');
    writeFileSync(other, answer.replace('1.5', '1.6'));
    const { exitCode, out } = await verifyBytes(text, '--rows', other);
    expect([exitCode, out]).toEqual([1, expect.stringContaining('is not about these rows')]);
    writeFileSync(other, answer.replace(/}$/, `,"content":[${rows.replace('1.5', '1.6')}]}`));
    const twice = await verifyBytes(text, '--rows', other);
    expect([twice.exitCode, twice.out]).toEqual([1, expect.stringContaining('no name twice')]);
  });

  it('reads the keys from an address, and from that of the gateway when none is given', () =>
    answering(JSON.stringify(keySet), async (gatewayUrl) => {
      const file = join(folder, 'evidence.json');
      writeFileSync(file, text);
      expect((await runTessera(['evidence', 'verify', file, '--keys', `${gatewayUrl}/keys`])).exitCode).toBe(0);
      expect((await runTessera(['evidence', 'verify', file], { gatewayUrl })).exitCode).toBe(0);
    }));

  it('needs keys', async () => {
    const file = join(folder, 'evidence.json');
    const without = await runTessera(['evidence', 'verify', file]);
    expect([without.exitCode, without.err]).toEqual([2, expect.stringContaining('--keys is missing')]);
    const none = await runTessera(['evidence', 'verify', file, '--keys', join(folder, 'answer.json')]);
    expect([none.exitCode, none.err]).toEqual([2, expect.stringContaining('has no public keys')]);
    const away = await runTessera(['evidence', 'verify', file, '--keys', 'http://127.0.0.1:1/keys']);
    expect([away.exitCode, away.err]).toEqual([2, expect.stringContaining('http://127.0.0.1:1/keys cannot be read')]);
  });
});

it('evidence export writes the text that was signed and nothing behind it', () =>
  answering(text, async (gatewayUrl) => {
    const { exitCode, out } = await runTessera(['evidence', 'export', '/intelligence/api/evidence/x'], { gatewayUrl });
    expect([exitCode, out]).toEqual([0, text]);
  }));

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
