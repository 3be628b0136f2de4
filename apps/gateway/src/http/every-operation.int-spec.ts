/** Rules of the edge for each operation of all groups: names that nobody knows, a slash at the end, other methods. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fillPath, type HttpOperation, memberNamesAt } from '@tessera/contracts';
import * as agents from '@tessera/contracts/agents';
import * as contentRepo from '@tessera/contracts/content-repo';
import * as gateway from '@tessera/contracts/gateway';
import * as knowledgeModels from '@tessera/contracts/knowledge-models';
import * as toolGateway from '@tessera/contracts/tool-gateway';
import { findOperations } from '@tessera/testing';
import { openTestStack, type Answer, type RequestOptions, type TestStack } from '../testing/test-stack.js';

const operations = [agents, contentRepo, gateway, knowledgeModels, toolGateway]
  .flatMap((declarations) => findOperations(declarations))
  .map((operation) => [operation.name, operation] as const);
const withBody = operations.filter(([, { http }]) => http.method !== 'get' && !http.isTextBody);

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack({ IGNORED_PARAMETERS: 'sap-client, trackingId' });
});
afterAll(() => stack?.stop());

const pathSamples: Readonly<Record<string, string>> = {
  ...{ key: '(1)', team: 'operators', memberId: 'anna', role: 'buyer', version: '1', part: 'PLANT' },
  ...{ keyId: 'abcdefghijkl', sessionId: '01980000-0000-7000-8000-000000000042' },
};
const pathOf = ({ http }: HttpOperation): string => fillPath(http, (member) => pathSamples[member] ?? 'x');

const send = ({ http }: HttpOperation, path: string, options: RequestOptions = {}): Promise<Answer> => {
  const pageHeaders = { Origin: `http://localhost:${stack.gateway.port}`, 'X-Tessera-Request': '1' };
  return stack.request(path, {
    ...{ method: http.method.toUpperCase(), key: http.isSignIn ? undefined : stack.keys.operator },
    ...(http.isSignIn && { headers: pageHeaders }),
    ...options,
  });
};

/** The fault texts of a body for names that nobody knows, in whatever shape its group has. */
const unknownNamesIn = ({ text }: Answer): readonly string[] =>
  [...new Set([...text.matchAll(/(?:query|body) ([^\s:"]+): is not known/g)].map(([, name = '']) => name))].toSorted();

const nearMiss = (name: string): string => `${name}x`;

describe('an unknown parameter of the query', () => {
  it.each(operations)('%s: is refused, with the nearest one', async (_, operation) => {
    const parameters = Object.keys(operation.request.shape).filter(
      (name) =>
        !operation.http.path.includes(`{${name}}`) &&
        name !== operation.http.body &&
        operation.http.headers?.[name] === undefined &&
        name !== 'aliases',
    );
    const [known] = parameters.filter((name) => name.length > 3);
    const names = ['timezone', 'dateRange', ...(known === undefined ? [] : [nearMiss(known)])];
    const answer = await send(operation, `${pathOf(operation)}?${names.map((name) => `${name}=1`).join('&')}`);
    expect([answer.status, unknownNamesIn(answer)]).toEqual([400, names.toSorted()]);
    if (known !== undefined) expect(answer.text).toContain(`did you mean \\"${known}\\"?`);
  });

  it.each(operations)('%s: is ignored when it begins with _ or utm_, or the operator says so', async (_, operation) => {
    const answer = await send(operation, `${pathOf(operation)}?_=1&utm_source=mail&sap-client=100&trackingId=7`);
    expect(answer.text).not.toContain('is not known');
    expect(answer.text).not.toContain('not supported');
  });
});

describe('an unknown member of a body', () => {
  const free = new Set(['tools.call', 'agents.tools.execute']);

  it.each(withBody.filter(([name]) => !free.has(name)))(
    '%s: is refused, with the nearest one',
    async (_, operation) => {
      const { body } = operation.http;
      const [known] = body === undefined ? [] : memberNamesAt(operation.request, [body], {});
      const names = ['timezone', ...(known === undefined || known.length < 4 ? [] : [nearMiss(known)])];
      const content = Object.fromEntries(names.map((name) => [name, 1]));
      const answer = await send(operation, pathOf(operation), { body: { ...content, _x: 1, utm_x: 1, trackingId: 1 } });
      expect(answer.status).toBe(400);
      // A value of one of several shapes is told what these are.
      if (operation.http.isSignIn !== true) expect(unknownNamesIn(answer)).toEqual(names.toSorted());
      if (names.length > 1) expect(answer.text).toContain(`did you mean \\"${known}\\"?`);
    },
  );
});

describe('a slash at the end of the path', () => {
  it.each(operations)('%s: is the same path', async (_, operation) => {
    const path = pathOf(operation);
    const [plain, slashed] = [await send(operation, `${path}?zone=1`), await send(operation, `${path}/?zone=1`)];
    expect([slashed.status, slashed.text]).toEqual([plain.status, plain.text]);
    expect(unknownNamesIn(slashed)).toEqual(['zone']);
  });
});

describe('another method', () => {
  it.each(operations)('%s: is 405 with Allow, in the shape of the group', async (_, operation) => {
    const path = pathOf(operation);
    for (const method of ['PATCH', 'OPTIONS']) {
      const { status, headers, body } = await send(operation, path, { method, key: undefined });
      const allowed = headers.get('allow')?.split(', ') ?? [];
      expect([status, body?.['errorCode'] ?? Object(body?.['error'])['errorCode']]).toEqual([
        405,
        'GENERAL_METHOD_NOTALLOWED',
      ]);
      expect(allowed).toContain(operation.http.method.toUpperCase());
      expect(allowed.includes('HEAD')).toBe(allowed.includes('GET'));
    }
  });
});
