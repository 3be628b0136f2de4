import { describe, expect, it } from '@jest/globals';
import { type ByteReply, type CallFrame, type Caller, freshForHeader, type Operation } from '@tessera/contracts';
import { generateModelSpec, readODataMetadata, readODataService } from '@tessera/contracts/knowledge-models';
import { type Result, succeed } from '@tessera/failures';
import { OperationClient } from '@tessera/messaging';
import { ModelDocumentCache } from './model-documents.js';

const caller: Caller = { team: 'meridian', subject: 'ann', scopes: ['knowledge-models:read'] };
const frame: CallFrame = { caller, requestId: 'r', deadlineMs: Infinity, publicUrl: 'https://tessera.example' };
const requestOf = (more: object = {}) => readODataMetadata.request.parse({ km_id: 'p2p', ...more });

/** The service counts its documents. */
const openDocuments = () => {
  const requests: unknown[] = [];
  const call = async (_: Operation, request: unknown): Promise<Result<ByteReply>> =>
    succeed({
      contentType: 'application/xml',
      headers: { etag: `W/"${requests.push(request)}"`, [freshForHeader]: '3600000' },
      body: Buffer.from(`document ${requests.length}`),
    });
  const client: OperationClient = Object.assign(Object.create(OperationClient.prototype), { call });
  const documents = new ModelDocumentCache(client);
  const { signal } = new AbortController();
  const textOf = async (more: object = {}, by: Partial<CallFrame> = {}): Promise<string> => {
    const result = await documents.answer(readODataMetadata, requestOf(more), { ...frame, ...by }, signal);
    if (!result.ok) return result.failure.code;
    const { status = 200, body } = result.value;
    return `${status} ${body instanceof Uint8Array ? Buffer.from(body).toString() : ''}`;
  };
  return { textOf, requests, documents, signal };
};

describe('a document of a model', () => {
  it('is requested once for callers with the same rights, without the ETag of a caller', async () => {
    const { textOf, requests } = openDocuments();
    expect(await textOf({ ifNoneMatch: '"other"' })).toBe('200 document 1');
    expect(await textOf({}, { caller: { ...caller, subject: 'bob' } })).toBe('200 document 1');
    expect(requests).toEqual([requestOf()]);
  });

  it('is answered with 304 to a client that has it', async () => {
    const { textOf } = openDocuments();
    await textOf();
    expect(await textOf({ ifNoneMatch: 'W/"1"' })).toBe('304 ');
  });

  it.each<[string, object, Partial<CallFrame>]>([
    ['of another model', { km_id: 'o2c' }, {}],
    ['in another format', { $format: 'json' }, {}],
    ['for another type', { accept: 'application/json' }, {}],
    ['of another version', { odataMaxVersion: '4.0' }, {}],
    ['at another address', {}, { publicUrl: 'https://other.example' }],
    ['of another team', {}, { caller: { ...caller, team: 'northgate' } }],
    ['with other scopes', {}, { caller: { ...caller, scopes: [] } }],
    ['with further scopes', {}, { caller: { ...caller, furtherScopes: ['sales:all'] } }],
    ['with other attributes', {}, { caller: { ...caller, attributes: { plant: '1010' } } }],
  ])('%s is another one', async (_, more, by) => {
    const { textOf } = openDocuments();
    expect(await textOf()).toBe('200 document 1');
    expect(await textOf(more, by)).toBe('200 document 2');
  });

  it('is distinguished from other documents of the same model', async () => {
    const { documents, signal, requests } = openDocuments();
    await documents.answer(readODataService, readODataService.request.parse({ km_id: 'p2p' }), frame, signal);
    await documents.answer(generateModelSpec, generateModelSpec.request.parse({ km_id: 'p2p' }), frame, signal);
    await documents.answer(readODataMetadata, requestOf(), frame, signal);
    expect(requests).toHaveLength(3);
  });
});
