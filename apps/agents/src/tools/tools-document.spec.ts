import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { AgentDefinition } from '@tessera/contracts/agents';
import type { JsonObject } from '../models/model.js';
import type { AgentTool } from './agent-tool.js';
import { createTestTool } from '../testing/test-turn.js';
import { createToolsDocument } from './tools-document.js';

const load = createTestTool('load-data', {
  title: 'Load data',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['columns'],
    additionalProperties: false,
    properties: {
      columns: { type: 'array', items: { enum: Array.from({ length: 2_000 }, (_, index) => `ORDER.C${index}`) } },
      page: { type: 'integer', minimum: 0, default: 0 },
      limit: { type: ['integer', 'null'], exclusiveMinimum: 0 },
      window: { prefixItems: [{ type: 'integer' }, { type: 'integer' }], items: false },
      ship: { $ref: '#/$defs/address', description: 'Where it goes.' },
      bill: { anyOf: [{ $ref: '#/$defs/address' }, { type: 'null' }] },
    },
    $defs: {
      address: {
        type: 'object',
        properties: { city: { type: 'string' }, country: { $ref: '#/$defs/country' } },
        patternProperties: { '^x-': { const: 'x' } },
      },
      country: { type: 'string', examples: ['DE'] },
      unused: { type: 'string' },
    },
  },
  outputSchema: { type: 'object', required: ['total'], properties: { total: { type: 'integer' } } },
});
const block = createTestTool('block_invoice', {
  isReadOnly: false,
  inputSchema: {
    type: 'object',
    properties: { next: { $ref: '#/$defs/node' }, far: { $ref: 'https://x.example' } },
    $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } },
  },
});

const definition = AgentDefinition.parse({ kind: 'Agent', id: 'p2p.analyst', description: 'Answers with figures.' });
const documentOf = (
  version: '3.0' | '3.1',
  tools: readonly AgentTool[] = [load, block],
  number: number | 'draft' = 7,
) =>
  createToolsDocument({ agentId: 'p2p.analyst', version: number, definition }, tools, {
    version,
    publicUrl: 'https://tessera.example:8443',
  });

const faultsIn = async (document: JsonObject) => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  return valid ? [] : errors;
};
/** What stands at a path. */
const at = (document: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (place, name) => (typeof place === 'object' && place !== null ? Reflect.get(place, name) : undefined),
    document,
  );
const schemasOf = (document: JsonObject) => Object.keys(Object(at(document, 'components', 'schemas')));

describe.each(['3.0', '3.1'] as const)('the specification of tools in OpenAPI %s', (version) => {
  const document = documentOf(version);

  it('is valid', async () => {
    expect(document['openapi']).toBe({ '3.0': '3.0.3', '3.1': '3.1.1' }[version]);
    expect(await faultsIn(document)).toEqual([]);
    expect(await faultsIn(documentOf(version, []))).toEqual([]);
  });

  it('has an operation for each tool, at the address of the agent', () => {
    expect(at(document, 'servers')).toEqual([
      { url: 'https://tessera.example:8443/intelligence/api/ai/agents/p2p.analyst' },
    ]);
    expect(Object.keys(Object(document['paths']))).toEqual(['/tools/load-data', '/tools/block_invoice']);
    expect(at(document, 'paths', '/tools/load-data', 'post')).toMatchObject({
      operationId: 'load-data',
      summary: 'Load data',
      description: 'Does load-data.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/load-data.arguments' } } },
      },
    });
    const responses = at(document, 'paths', '/tools/block_invoice', 'post', 'responses');
    expect(Object.keys(Object(responses))).toEqual(['200', '400', '401', '403', '404', '429', '500', '503', 'default']);
  });

  it('contains the referenced definitions of tool schemas', () => {
    expect(schemasOf(document)).toEqual([
      'Problem',
      'load-data.arguments',
      'load-data.arguments.address',
      'load-data.arguments.country',
      'load-data.result',
      'block_invoice.arguments',
      'block_invoice.arguments.node',
      'block_invoice.result',
    ]);
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/\$defs|\$schema|x\.example/);
    expect(text).toContain('"$ref":"#/components/schemas/load-data.arguments.address"');
    const node = at(document, 'components', 'schemas', 'block_invoice.arguments.node');
    expect(node).toEqual({ properties: { next: { $ref: '#/components/schemas/block_invoice.arguments.node' } } });
  });

  it('describes the result of a tool without an output schema as an object', () => {
    expect(at(document, 'components', 'schemas', 'block_invoice.result')).toMatchObject({
      type: 'object',
      properties: { text: { type: 'string' } },
    });
  });

  it('requires the same credentials as every call', () => {
    expect(at(document, 'security')).toEqual([{ bearer: [] }, { appKey: [] }]);
    expect(at(document, 'components', 'securitySchemes')).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      appKey: { type: 'apiKey', in: 'header', name: 'AppKey' },
    });
  });

  it('requires the draft parameter in calls of a draft agent', async () => {
    const draft = documentOf(version, [load], 'draft');
    expect(at(draft, 'info', 'version')).toBe('draft');
    expect(at(draft, 'paths', '/tools/load-data', 'post', 'parameters')).toMatchObject([
      { name: 'draft', in: 'query', required: true },
    ]);
    expect(await faultsIn(draft)).toEqual([]);
  });
});

describe('a schema of a tool', () => {
  it('is unchanged in OpenAPI 3.1 except for its references', () => {
    const { properties } = load.inputSchema;
    expect(at(documentOf('3.1'), 'components', 'schemas', 'load-data.arguments', 'properties')).toEqual({
      ...Object(properties),
      ship: { $ref: '#/components/schemas/load-data.arguments.address', description: 'Where it goes.' },
      bill: { anyOf: [{ $ref: '#/components/schemas/load-data.arguments.address' }, { type: 'null' }] },
    });
  });

  it('is translated for OpenAPI 3.0', () => {
    const properties = at(documentOf('3.0'), 'components', 'schemas', 'load-data.arguments', 'properties');
    expect(properties).toMatchObject({
      limit: { type: 'integer', nullable: true, minimum: 0, exclusiveMinimum: true },
      window: { items: { anyOf: [{ type: 'integer' }, { type: 'integer' }] } },
      ship: { description: 'Where it goes.', allOf: [{ $ref: '#/components/schemas/load-data.arguments.address' }] },
    });
    expect(at(properties, 'columns', 'items', 'enum')).toHaveLength(2_000);
  });
});
