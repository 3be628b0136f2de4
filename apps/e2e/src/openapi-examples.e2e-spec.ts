/**
 * The examples of the OpenAPI document: each is sent to the demo, answered with success and as it is recorded. On a product of its
 * own, since they write into the demo and read what only they have written.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpOperation } from '@tessera/contracts';
import * as agents from '@tessera/contracts/agents';
import * as contentRepo from '@tessera/contracts/content-repo';
import { examples } from '@tessera/contracts/examples';
import * as gateway from '@tessera/contracts/gateway';
import * as knowledgeModels from '@tessera/contracts/knowledge-models';
import * as toolGateway from '@tessera/contracts/tool-gateway';
import { callGeneratedClient, findOperations, type ClientAnswer, type ClientCall } from '@tessera/testing';
import { findCompileErrors } from '@tessera/testing/compile';
import { memberOf, memberNamesOf, parseJson, textOf } from './json.js';
import { createContractCheck, recordExamples, type RecordedExample } from './openapi/record-examples.js';
import { normaliseExample, keyVariableFor } from './openapi/send-examples.js';
import { checkoutFolder, startProduct, type Product } from './product.js';

const golden = join(checkoutFolder, 'libs/contracts/src/examples.golden.json');
const isUpdate = process.env['UPDATE_GOLDENS'] === '1';
const operations: readonly (readonly [string, HttpOperation])[] = [
  ...[contentRepo, knowledgeModels, toolGateway, agents, gateway].flatMap((group) => findOperations(group)),
].map((operation) => [operation.name, operation]);

let product: Product;
let document: unknown;
let recordings: ReadonlyMap<string, RecordedExample>;
beforeAll(async () => {
  product = await startProduct({ demo: 'tiny' });
  document = parseJson(await (await fetch(`${product.gateways[0]}/openapi.json`)).text());
  recordings = await recordExamples(
    product,
    document,
    operations.map(([, operation]) => operation),
  );
  if (isUpdate) writeGolden();
});
afterAll(() => product?.stop());

/** What was recorded before stays while its form is the same, so that the file changes only where answers do. */
const writeGolden = (): void => {
  const lines = [...recordings].map(([name, { example }]) => {
    const before = examples[name];
    const isSame = JSON.stringify(normaliseExample(before)) === JSON.stringify(normaliseExample(example));
    return `${JSON.stringify(name)}: ${JSON.stringify(before !== undefined && isSame ? before : example)}`;
  });
  writeFileSync(golden, `{\n${lines.join(',\n')}\n}\n`);
};

const recordingOf = (name: string): RecordedExample => {
  const recording = recordings.get(name);
  if (recording === undefined)
    throw new Error(
      `${name} has no example. Add a request to apps/e2e/src/openapi/*-examples.ts and run this spec with UPDATE_GOLDENS=1.`,
    );
  return recording;
};

type NamedCall = ClientCall & { readonly name: string; readonly key: string };

/** As the generator names it: `content.facets.list` is `contentFacetsList`. */
const clientCallOf = ({ operation, request: { parameters = {}, body } }: RecordedExample): NamedCall => {
  const at = (place: string) =>
    Object.fromEntries(
      operation.parameters
        .filter((each) => each.in === place && each.name in parameters)
        .map(({ name }) => [name, parameters[name]]),
    );
  const places = { path: at('path'), query: at('query'), headers: at('header') };
  const options = Object.fromEntries(Object.entries(places).filter(([, values]) => Object.keys(values).length > 0));
  return {
    name: operation.name,
    key: keyVariableFor(operation),
    operation: operation.name.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
    options: { ...options, ...(body !== undefined && { body }) },
  };
};

/** What the examples have deleted by then. Other writes are answered again by their keys. */
const isGone = (name: string): boolean =>
  /\.(delete|cancel|endOwn)$|^gateway\.team\w+\.end$/.test(name) || name === 'agents.conversations.read';

/** The client sends a key, which these do not take. */
const isOfPages = (name: string): boolean => /^gateway\.sessions\.(start|end)$/.test(name);

/** Each call with literals, and its answer; the compiler compares their types with those of the client. */
const programOf = (calls: readonly NamedCall[]): string =>
  [
    "import * as client from './DEMO_KEY/sdk.gen';",
    "import type * as types from './DEMO_KEY/types.gen';",
    'export const work = async (): Promise<void> => {',
    ...calls.map(({ operation, options }) => `  await client.${operation}(${JSON.stringify(options)});`),
    '};',
    ...calls.flatMap(({ name, operation }) => {
      const answer = recordingOf(name).example.answers['application/json'];
      const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Responses`;
      return answer === undefined ? [] : [`export const ${operation}: types.${type}[200] = ${JSON.stringify(answer)};`];
    }),
    '// @ts-expect-error The path is needed.',
    'void client.contentFacetsList({});',
  ].join('\n');

describe('every operation of the OpenAPI document', () => {
  it.each(operations)('%s has an example of each parameter and of its body', (name) => {
    const { operation, example } = recordingOf(name);
    const without = operation.parameters.filter(
      (each) => !(each.name in example.parameters) && !(each.name in example.further),
    );
    expect(without.map((each) => each.name)).toEqual([]);
    expect(example.body !== undefined).toBe(operation.takesBody);
    expect(Object.keys(example.answers)).toEqual(operation.mediaTypes);
  });

  it.each(operations)('%s answers its example with success, as the contract describes', (name, contract) => {
    const { refusals, answer, example } = recordingOf(name);
    expect(refusals).toEqual([]);
    const fits = createContractCheck(contract);
    expect([answer, ...Object.values(example.answers)].filter((each) => !fits(each))).toEqual([]);
  });

  it.each(operations)('%s answers as recorded (UPDATE_GOLDENS=1 rewrites it)', (name) => {
    const { example } = recordingOf(name);
    if (!isUpdate) expect(normaliseExample(example)).toEqual(normaliseExample(examples[name]));
    for (const answer of Object.values(example.answers)) expect(JSON.stringify(answer).length).toBeLessThan(4_000);
  });
});

describe('a client that is generated from the OpenAPI document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'generated-gateway-client-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('compiles with every example, and receives the documented answers', async () => {
    const specification = join(folder, 'openapi.json');
    writeFileSync(specification, JSON.stringify(document));
    const calls = [...recordings.values()].map(clientCallOf);
    const sent = Map.groupBy(
      calls.filter(({ name }) => !isGone(name) && !isOfPages(name)),
      ({ key }) => key,
    );
    const answers: (readonly [NamedCall, ClientAnswer | undefined])[] = [];
    for (const [key, group] of sent) {
      const credential = { header: 'AppKey', value: product.environment[key] ?? '' } as const;
      const run = await callGeneratedClient({ specification, folder: join(folder, key), credential, calls: group });
      answers.push(...group.map((call, at) => [call, run[at]] as const));
    }
    const program = join(folder, 'program.ts');
    writeFileSync(program, programOf(calls));
    expect(findCompileErrors(program)).toEqual([]);
    const refused = answers.flatMap(([{ name }, answer]) =>
      answer?.status === 200 ? [] : [`${name} ${answer?.status} ${JSON.stringify(answer?.error)}`],
    );
    expect(refused).toEqual([]);
    const rows = /^knowledge\.(models|records)\.(data|query|queryData|postQuery)$/;
    const compared = answers.flatMap(([{ name }, answer]) => (rows.test(name) ? [[name, answer?.data] as const] : []));
    expect(compared).toHaveLength(8);
    for (const [name, data] of compared) expect([name, data]).toEqual([name, recordingOf(name).answer]);
  });
});

describe('an MCP server', () => {
  const path = '/studio-copilot/api/v1/mcp-servers/mcp/{asset_id}';
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const json = { 'content-type': 'application/json' };

  it.each<readonly [status: number, name: string, headers: Readonly<Record<string, string>>, body: string]>([
    [400, 'NO_JSON', json, '{"jsonrpc"'],
    [400, 'NO_MESSAGE', json, '{"jsonrpc": "2.0"}'],
    [400, 'UNSUPPORTED_VERSION', { ...json, 'mcp-protocol-version': '1999-01-01' }, list],
    [406, 'NOT_ACCEPTABLE', { ...json, accept: 'text/html' }, list],
    [415, 'NO_JSON_TYPE', { 'content-type': 'text/plain' }, list],
  ])('answers %i %s as the OpenAPI document says', async (status, name, headers, body) => {
    const response = await fetch(product.gateways[0] + path.replace('{asset_id}', 'p2p-tools'), {
      method: 'POST',
      headers: { AppKey: product.environment['DEMO_KEY'] ?? '', ...headers },
      body,
    });
    const described = ['paths', path, 'post', 'responses', String(status), 'content', 'application/json', 'examples'];
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(parseJson(await response.text())).toEqual(memberOf(document, ...described, name, 'value'));
  });

  it('answers a faulty parameter with a problem document, as the OpenAPI document says', async () => {
    const response = await fetch(`${product.gateways[0]}${path.replace('{asset_id}', 'p2p-tools')}?draft=perhaps`, {
      method: 'POST',
      headers: { AppKey: product.environment['DEMO_KEY'] ?? '', ...json },
      body: list,
    });
    const responses = memberOf(document, 'paths', path, 'post', 'responses');
    const described = memberOf(responses, '400', 'content', 'application/problem+json', 'examples');
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(memberNamesOf(described)).toEqual([textOf(parseJson(await response.text()), 'code')]);
  });
});
