/** Rules that hold for every operation of group A, checked on the launched product. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { pathParameterNames, acceptsIdempotencyKey, type HttpOperation } from '@tessera/contracts';
import { recordAnswers } from './compatibility/record-answers.js';
import {
  sendRequest,
  contentOperations,
  createRequestTargetResolver,
  toNamedCases,
  operationsWithMember,
  type RequestOptions,
  type StorageReply,
  type RequestTarget,
} from './group-a.js';
import { memberOf, memberNamesOf, textOf } from './json.js';
import { getSharedProduct, type RunningProduct } from './product.js';
import { createTestStorage } from './test-storage.js';

let product: RunningProduct;
let targetOf: (operation: HttpOperation) => Promise<RequestTarget>;
beforeAll(async () => {
  product = await getSharedProduct();
  await createTestStorage(product);
  targetOf = await createRequestTargetResolver(product);
});

/** The operation on a target that it fits. */
const call = async (operation: HttpOperation, asked?: RequestOptions): Promise<StorageReply> =>
  sendRequest(product, operation, await targetOf(operation), asked);

const codeOf = ({ document }: StorageReply): string => textOf(document, 'data', 'error');

const versionsOf = ({ request }: HttpOperation): readonly string[] =>
  ['1.0', '2.0', '3.0', '4.0'].filter((version) => request.shape['apiVersion']?.safeParse(version).success);

describe('every operation of the content repository', () => {
  it.each(toNamedCases(contentOperations))('%s: answers 200 with what its contract describes', async (_, operation) => {
    const { status, document, headers } = await call(operation);
    expect({ status, document }).toMatchObject({ status: 200 });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { reply } = operation;
    if (!('kind' in reply)) throw new Error(`${operation.name} answers no rendered document.`);
    expect(reply.schema.safeParse(document).error).toBeUndefined();
    // The description of a storage is no list.
    if (operation.name !== 'content.storages.describe')
      expect(memberOf(document, 'count')).toBe(
        memberNamesOf(memberOf(document, 'elements') ?? memberOf(document, 'values')).length,
      );
  });

  it.each(toNamedCases(contentOperations))(
    '%s: accepts its API versions in a header and in the query',
    async (_, operation) => {
      const standard = operation.request.shape['apiVersion']?.parse(undefined);
      for (const version of versionsOf(operation)) {
        const answers = [
          await call(operation, { headers: { 'api-version': version } }),
          await call(operation, { query: { 'api-version': version } }),
          ...(version === standard ? [await call(operation)] : []),
        ];
        for (const { status, document } of answers) {
          expect({ version, status }).toEqual({ version, status: 200 });
          const names = memberNamesOf(document);
          if (versionsOf(operation).length === 1) expect(names).toContain('values');
          // The oldest lists keep the name of their list and change that of the display names.
          else if (operation.name === 'content.facets.list' || operation.name === 'content.views.list')
            expect(memberNamesOf(memberOf(document, 'values', 0))).toContain(
              version === '1.0' ? 'displayName' : 'displayNames',
            );
          else if (version === '1.0' && operation.name === 'content.storages.describe')
            expect(names).toContain('dataCultures');
          else expect(names).toEqual(['count', version === '1.0' ? 'values' : 'elements']);
        }
      }
      const other = await call(operation, { headers: { 'api-version': '9.9' } });
      expect({ status: other.status, code: codeOf(other) }).toEqual({ status: 400, code: 'GENERAL_PARAMETER_ILLEGAL' });
    },
  );

  it.each(toNamedCases(operationsWithMember('storageId')))(
    '%s: answers the same 404 for storages of other teams and unknown ones',
    async (_, operation) => {
      const target = await targetOf(operation);
      const answers = [
        await sendRequest(product, operation, target, { storage: 'nobody/nothing' }),
        await sendRequest(product, operation, target, { storage: 'trial/nothing' }),
        await sendRequest(product, operation, target, { storage: 'northgate/p2p' }),
        await sendRequest(product, operation, target, { key: 'NORTHGATE_KEY' }),
      ];
      const answer = answers.map(({ status, text, path }) => `${status} ${text.replaceAll(path, '<path>')}`);
      expect(new Set(answer).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 404, document: { data: { error: 'CONTENT_NOTFOUND' } } });
    },
  );

  it.each(toNamedCases(operationsWithMember('elementId')))(
    '%s: answers 404 for an unknown element',
    async (_, operation) => {
      const { path, body } = await targetOf(operation);
      for (const elementId of ['00000000-0000-4000-8000-000000000000', 'no-uuid']) {
        const answer = await sendRequest(product, operation, { path: { ...path, elementId }, body });
        expect({ status: answer.status, code: codeOf(answer) }).toEqual({ status: 404, code: 'CONTENT_NOTFOUND' });
      }
    },
  );

  it.each(toNamedCases(operationsWithMember('facetId')))(
    '%s: accepts facet and view names in any letter case, and rejects unknown ones',
    async (_, operation) => {
      const { path, body } = await targetOf(operation);
      const shown = { facetId: 'PROCESSES', ...('viewId' in path && { viewId: 'Detail' }) };
      expect(await sendRequest(product, operation, { path: { ...path, ...shown }, body })).toMatchObject({
        status: 200,
      });
      const target = await targetOf(operation);
      for (const member of ['facetId', 'viewId'].filter((name) => pathParameterNames(operation.http).includes(name))) {
        const answer = await sendRequest(product, operation, {
          ...target,
          path: { ...target.path, [member]: 'nowhere' },
        });
        expect({ member, status: answer.status }).toEqual({ member, status: 404 });
      }
    },
  );

  it.each(toNamedCases(operationsWithMember('$filter')))(
    '%s: refuses a filter that does not parse, with the position',
    async (_, operation) => {
      const answer = await call(operation, { query: { $filter: "type -eq 'x" } });
      expect({ status: answer.status, code: codeOf(answer) }).toEqual({ status: 400, code: 'CONTENT_FILTER_SYNTAX' });
      expect(textOf(answer.document, 'message')).toContain('character 10');
    },
  );
});

describe('every read with', () => {
  it.each(toNamedCases(operationsWithMember('ifNoneMatch')))(
    'If-None-Match, %s: answers 304 when the caller has the current ETag',
    async (_, operation) => {
      const first = await call(operation);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"\d+-\d+\.\d+-/);
      const again = await call(operation, { headers: { 'If-None-Match': `"other", ${etag}` } });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      const other = await call(operation, { headers: { 'If-None-Match': '"other"' } });
      expect([other.status, other.text]).toEqual([200, first.text]);
    },
  );

  it.each(toNamedCases(operationsWithMember('asOf')))(
    'asOf, %s: returns the state at that instant',
    async (_, operation) => {
      const now = await call(operation);
      const then = await sendRequest(product, operation, await targetOf(operation), {
        query: { asOf: new Date().toISOString() },
      });
      expect([then.status, then.text]).toEqual([200, now.text]);
      expect((await call(operation, { query: { asOf: '2000-01-01T00:00:00Z' } })).status).toBe(404);
      const future = await call(operation, { query: { asOf: '9999-12-31T00:00:00Z' } });
      expect({ status: future.status, code: codeOf(future) }).toEqual({
        status: 400,
        code: 'GENERAL_PARAMETER_ILLEGAL',
      });
    },
  );
});

describe('every write with an Idempotency-Key', () => {
  const writes = contentOperations.filter(acceptsIdempotencyKey);

  it('covers every write of the content repository', () => {
    expect(writes).toEqual(contentOperations.filter(({ effect }) => effect === 'write'));
  });

  it.each(toNamedCases(writes))('%s: writes once and repeats the same bytes', async (_, operation) => {
    const target = await targetOf(operation);
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await sendRequest(product, operation, target, { headers });
    const again = await sendRequest(product, operation, target, { headers });
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null]);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it.each(toNamedCases(writes))('%s: rejects the key for another request', async (_, operation) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    expect((await call(operation, { headers })).status).toBe(200);
    const target = await targetOf(operation);
    const other = {
      ...target,
      ...(target.body !== undefined && { body: { elements: [{ type: 'area' }, { type: 'area' }] } }),
    };
    const answer = await sendRequest(product, operation, other, { headers });
    expect({ status: answer.status, code: codeOf(answer) }).toEqual({
      status: 422,
      code: 'GENERAL_IDEMPOTENCY_MISMATCH',
    });
  });
});

recordAnswers();
