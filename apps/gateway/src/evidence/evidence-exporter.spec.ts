import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { canonicalJson, type CallFrame, type Operation } from '@tessera/contracts';
import { findDocumentsOfFigures } from '@tessera/contracts/content-repo';
import { ExportedEvidence } from '@tessera/contracts/gateway';
import { readEvidence } from '@tessera/contracts/knowledge-models';
import { fail } from '@tessera/failures';
import { createJsonReply, type OperationClient } from '@tessera/messaging';
import type { StoredSigningKey } from '@tessera/persistence/gateway';
import { EvidenceKeys } from '../oauth/signing-keys.js';
import { EvidenceExporter } from './evidence-exporter.js';
import { EvidenceReader } from './evidence-reader.js';

const storedKey = (keyId: string, replacedAt?: Date): StoredSigningKey => ({
  keyId,
  privateKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }),
  ...(replacedAt && { replacedAt }),
});

const digest = 'ab'.repeat(32);
const record = {
  statement: {
    ...{ format: 'tessera-evidence-1', id: '019aa0c4-6f00-7000-8000-000000000001', team: 'meridian', kind: 'rows' },
    ...{ askedAt: '2026-06-30T10:00:00.000Z', askedBy: 'ann', requestId: 'r1', policies: [] },
    model: { id: 'p2p', version: 3, digests: [digest] },
    question: {
      ...{ columns: ['VALUE'], filters: [], conditions: [], groupConditions: [], sort: [] },
      ...{ distinct: false, page: 0, pageSize: 50 },
    },
    ...{ data: [{ table: 'orders', version: '7' }], resultDigest: digest },
  },
  words: 'Value, rows 1 to 50',
  plan: { kind: 'groups', kpis: ['VALUE'] },
  sql: { text: 'select', parameters: [] },
  rows: [],
};
const result = { salt: '0'.repeat(32), rows: 1, rowsDigest: digest };

const frame: CallFrame = {
  caller: { team: 'meridian', subject: 'ann', scopes: ['knowledge-models:read'] },
  ...{ requestId: 'r2', deadlineMs: Number.MAX_SAFE_INTEGER, publicUrl: 'https://tessera.example' },
};

/** Of a caller who waits for the answer. */
const staying = new AbortController().signal;

type Answer = Awaited<ReturnType<OperationClient['call']>>;

const documents = [
  {
    ...{ figure: 'VALUE', versionId: '1', version: '2.0' },
    element: { id: 'e', name: 'Order', href: 'https://tessera.example/e' },
  },
];
const contentAway = fail('SERVICE_UNAVAILABLE', 'The content repository is away.');

const gone = new EvidenceKeys({
  read: () => Promise.reject(Object.assign(new Error('The server is away.'), { code: '57P01' })),
});

const exporterFor = (
  answer: Answer,
  keys: EvidenceKeys,
  content: Answer = createJsonReply({ documents }),
): EvidenceExporter => {
  const answerOf = ({ name }: Operation) => Promise.resolve(name === readEvidence.name ? answer : content);
  return new EvidenceExporter(new EvidenceReader(Object.assign(Object.create(null), { call: answerOf })), keys);
};

describe('exported evidence', () => {
  const stored = storedKey('newest');
  const keys = new EvidenceKeys({ read: async () => [stored, storedKey('old', new Date('2001-01-01T00:00:00Z'))] });

  it('is what the caller may read, signed over its canonical JSON with the key that signs now', async () => {
    const exporter = exporterFor(createJsonReply({ ...record, result }), keys);
    const exported = await exporter.export({ evidence_id: record.statement.id }, frame, staying);
    if (!exported.ok) throw new Error(exported.failure.detail);
    const { signature, ...signed } = ExportedEvidence.parse(exported.value);
    expect(Object.keys(signed).toSorted()).toEqual(['result', 'statement', 'words']);
    expect(signature).toMatchObject({
      keyId: 'newest',
      keys: 'https://tessera.example/.well-known/tessera-evidence-keys',
    });
    const { keys: published } = await keys.published();
    const jwk = published.find((key) => key['kid'] === signature.keyId) ?? {};
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    const value = Buffer.from(signature.value, 'base64url');
    expect(verify(undefined, Buffer.from(canonicalJson(signed)), publicKey, value)).toBe(true);
  });

  it('has the documents of its KPIs for readers of content alone, and none while content is away', async () => {
    const mayReadContent: CallFrame = {
      ...frame,
      caller: { ...frame.caller, scopes: ['knowledge-models:read', 'content:read'] },
    };
    const documentsFor = async (asked: CallFrame, content?: Answer) => {
      const exported = await exporterFor(createJsonReply(record), keys, content).export(
        { evidence_id: 'x' },
        asked,
        staying,
      );
      return exported.ok ? exported.value.documents : exported.failure;
    };
    expect(await documentsFor(mayReadContent)).toEqual(documents);
    expect(await documentsFor(frame)).toBeUndefined();
    expect(await documentsFor(mayReadContent, contentAway)).toBeUndefined();
  });

  it('looks for documents of the KPIs alone, each once, however many columns there are', async () => {
    const kpis = [...Array.from({ length: 500 }, (_, place) => `KPI_${place}`), 'KPI_0'];
    const asked: unknown[] = [];
    const call = ({ name }: Operation, request: unknown) => {
      if (name === readEvidence.name)
        return Promise.resolve(createJsonReply({ ...record, plan: { kind: 'groups', kpis } }));
      asked.push(request);
      return Promise.resolve(createJsonReply({ documents }));
    };
    const caller = { ...frame.caller, scopes: ['knowledge-models:read', 'content:read'] } as const;
    const reader = new EvidenceReader(Object.assign(Object.create(null), { call }));
    const read = await reader.read(
      { evidence_id: 'x' },
      { ...frame, caller: { ...caller, scopes: [...caller.scopes] } },
      staying,
    );
    expect(read.ok && read.value.documents).toEqual(documents);
    expect(asked).toEqual([{ figures: kpis.slice(0, 400), at: record.statement.askedAt }]);
    expect(findDocumentsOfFigures.request.safeParse(asked[0]).success).toBe(true);
  });

  it('gives up both of its reads when its caller leaves', async () => {
    const { signal } = new AbortController();
    const given: unknown[] = [];
    const call = ({ name }: Operation, _request: unknown, _frame: CallFrame, leaving?: AbortSignal) => {
      given.push(leaving);
      return Promise.resolve(createJsonReply(name === readEvidence.name ? record : { documents }));
    };
    const reader = new EvidenceReader(Object.assign(Object.create(null), { call }));
    const caller: CallFrame['caller'] = { ...frame.caller, scopes: ['knowledge-models:read', 'content:read'] };
    await new EvidenceExporter(reader, keys).export({ evidence_id: 'x' }, { ...frame, caller }, signal);
    expect(given.map((leaving) => leaving === signal)).toEqual([true, true]);
  });

  it('is not available while the keys cannot be read, as these are not', async () => {
    const exporter = exporterFor(createJsonReply(record), gone);
    const away = { failure: { code: 'SERVICE_UNAVAILABLE' } };
    expect(await exporter.export({ evidence_id: 'x' }, frame, staying)).toMatchObject(away);
    expect(await gone.findPublished()).toMatchObject(away);
  });

  it('has no result when the caller reads none', async () => {
    const exported = await exporterFor(createJsonReply(record), keys).export({ evidence_id: 'x' }, frame, staying);
    expect(exported.ok && 'result' in exported.value).toBe(false);
  });

  it('is refused as the record itself is', async () => {
    const exporter = exporterFor(fail('GENERAL_NOTFOUND', 'There is nothing at this address.'), keys);
    expect(await exporter.export({ evidence_id: 'x' }, frame, staying)).toMatchObject({
      failure: { code: 'GENERAL_NOTFOUND' },
    });
  });

  it('can be checked long after its key was replaced: every public key stays published', async () => {
    const { keys: published } = await keys.published();
    expect(published.map((key) => [key['kid'], key.crv, key['alg']])).toEqual([
      ['newest', 'Ed25519', 'EdDSA'],
      ['old', 'Ed25519', 'EdDSA'],
    ]);
    expect(JSON.stringify(published)).not.toContain('"d":');
  });
});
