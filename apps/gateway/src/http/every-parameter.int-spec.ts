/** Group A at the edge: where each operation takes each member of its request from, and what it says to those who may not. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fillPath, pathParameterNames, acceptsIdempotencyKey, type HttpOperation } from '@tessera/contracts';
import * as contentRepo from '@tessera/contracts/content-repo';
import { findOperations } from '@tessera/testing';
import { z } from 'zod';
import { openTestStack, type TestStack } from '../testing/test-stack.js';
import { buildRequestWithMembers, type RequestParameterSamples } from '../testing/write-request.js';

const operations = findOperations(contentRepo, 'A').map((operation) => [operation.name, operation] as const);

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());

/** Member of a request -> how a client writes it, and what the service gets. What is not named here is a text. */
const written: RequestParameterSamples = {
  $page: { text: '3', value: 3 },
  $pageSize: { text: '7', value: 7 },
  $culture: { text: '1033', value: 1033 },
  $resources: { text: 'attributes,related', value: ['attributes', 'related'] },
  $select: { text: 'name,cost', value: ['name', 'cost'] },
  $expandRelated: { text: 'owner,uses', value: ['owner', 'uses'] },
  $filter: { text: "name -eq 'a & b'", value: "name -eq 'a & b'" },
  asOf: { text: '2026-05-07T08:30:00+02:00', value: '2026-05-07T08:30:00+02:00' },
  ifMatch: { text: '"17"', value: '"17"' },
  match: { text: 'key', value: 'key' },
  ignoreWarnings: { text: 'true', value: true },
};
const batch = { elements: [{ type: 'area', attributes: { name: { 1033: 'Ä' } }, parentId: null }] };

const fullRequestOf = (operation: HttpOperation, apiVersion: string) =>
  buildRequestWithMembers(operation, { ...written, apiVersion: { text: apiVersion, value: apiVersion } }, batch);

const versionsOf = ({ request }: HttpOperation): readonly string[] => {
  const { enum: versions } = z.toJSONSchema(request.shape['apiVersion'], { io: 'input' });
  return (versions ?? []).map(String);
};

describe('every operation of the content repository', () => {
  it.each(operations)(
    '%s: reads each request member from path, query, header or body and passes it on',
    async (_, operation) => {
      expect(versionsOf(operation)).not.toEqual([]);
      for (const version of versionsOf(operation)) {
        const { path, options, expected } = fullRequestOf(operation, version);
        const { status, body } = await stack.request(path, options);
        expect({ status, request: body?.['request'] }).toEqual({ status: 200, request: expected });
        const { 'api-version': inHeader = '', ...headers } = options.headers;
        const again = await stack.request(`${path}&api-version=${inHeader}`, { ...options, headers });
        expect(again.body?.['request']).toEqual(expected);
      }
    },
  );

  it.each(operations)('%s: can be called without its optional members', async (_, { request, http }) => {
    const needed = Object.keys(request.shape).filter(
      (name) => name !== http.body && !request.shape[name]?.safeParse(undefined).success,
    );
    const names = needed.map((name) => [name, `a-${name}`] as const);
    const query = needed.filter((name) => !pathParameterNames(http).includes(name)).map((name) => `${name}=a-${name}`);
    const path = `${fillPath(http, (name) => `a-${name}`)}?${query.join('&')}`;
    const body = http.body === undefined ? {} : { body: batch };
    const answer = await stack.request(path, { method: http.method.toUpperCase(), ...body });
    const expected = request.parse({ ...Object.fromEntries(names), ...(http.body && { [http.body]: batch }) });
    // `fetch` itself always says that any language will do.
    const language = 'acceptLanguage' in request.shape ? { acceptLanguage: '*' } : {};
    expect(answer.body?.['request']).toEqual({ ...expected, ...language });
  });

  it.each(operations)('%s: refuses an unknown api-version and names the supported ones', async (_, operation) => {
    const { path, options } = fullRequestOf(operation, versionsOf(operation)[0] ?? '');
    const headers = { ...options.headers, 'api-version': '9.9' };
    const { status, body } = await stack.request(path, { ...options, headers });
    expect({ status, body }).toMatchObject({ status: 400, body: { data: { error: 'GENERAL_PARAMETER_ILLEGAL' } } });
    for (const version of versionsOf(operation)) expect(body?.['message']).toContain(version);
  });

  it.each(operations)('%s: answers 401 without a credential and 403 without its scope', async (_, operation) => {
    const { path, options } = fullRequestOf(operation, versionsOf(operation)[0] ?? '');
    const nobody = await stack.request(path, { ...options, key: undefined });
    expect(nobody).toMatchObject({
      status: 401,
      body: { type: 'Unauthorized', data: { error: 'ACCESS_UNAUTHORIZED' } },
    });
    const other = await stack.request(path, { ...options, key: stack.keys.reader });
    expect(other).toMatchObject({ status: 403, body: { data: { error: 'ADMIN_ACCESS_ERROR' } } });
    expect(other.body?.['message']).toContain(operation.scope);
  });

  it.each(operations)('%s: names the option that is meant by another of other interfaces', async (_, operation) => {
    const { path, options } = fullRequestOf(operation, versionsOf(operation)[0] ?? '');
    const meantBy = {
      top: '$pageSize',
      $skip: '$page',
      offset: '$page',
      modifiedSince: '$filter',
      expand: '$expandRelated',
    };
    for (const [name, meant] of Object.entries(meantBy)) {
      const { status, body } = await stack.request(`${path}&${name}=1`, options);
      expect([name, status, body?.['errorCode']]).toEqual([name, 400, 'GENERAL_PARAMETER_ILLEGAL']);
      if (meant in operation.request.shape) expect(body?.['faults']).toMatchObject([{ path: name, suggestion: meant }]);
    }
  });

  it.each(operations.filter(([, { http }]) => http.path.includes('/_api/rest/release/')))(
    '%s: is also served under /_api/release without rest',
    async (_, operation) => {
      const { path, options, expected } = fullRequestOf(operation, versionsOf(operation)[0] ?? '');
      const { status, body } = await stack.request(path.replace('/_api/rest/release/', '/_api/release/'), options);
      expect({ status, request: body?.['request'] }).toEqual({ status: 200, request: expected });
    },
  );

  it('refuses an Idempotency-Key of more than 255 characters wherever one is accepted', async () => {
    const taking = operations.filter(([, operation]) => acceptsIdempotencyKey(operation));
    expect(taking.length).toBeGreaterThan(3);
    for (const [, operation] of taking) {
      const { path, options } = fullRequestOf(operation, versionsOf(operation)[0] ?? '');
      const headers = { ...options.headers, 'idempotency-key': 'k'.repeat(256) };
      expect((await stack.request(path, { ...options, headers })).status).toBe(400);
    }
  });
});
