import { describe, expect, it } from '@jest/globals';
import { LoadDataArguments, LoadDataResult, type ToolKnowledgeModel } from '@tessera/contracts/knowledge-models';
import { compileSchema } from '@tessera/json-schema';
import { createFakeServices } from '../testing/fake-services.js';
import { testModelWithRenamedField, testModel } from '../testing/test-model.js';
import { VisibleModelCache } from './asset-tools.js';
import { toArgumentsSchema, toResultSchema } from './contract-schemas.js';
import { maxNamesInSchema } from './model-names.js';
import { type ModelToolDefinition, createModelToolSource } from './model-tools.js';
import type { JsonObject } from './tool.js';

const services = createFakeServices();
const options = { services, models: new VisibleModelCache(services) };
const kinds: readonly ModelToolDefinition['kind'][] = [
  'search-data',
  'load-data',
  'get-insights',
  'get-knowledge-model',
];

const toolOf = (kind: ModelToolDefinition['kind'], model?: ToolKnowledgeModel) =>
  createModelToolSource({ kind, id: kind, knowledgeModel: 'p2p' }, options).bind(model);

const fits = (schema: JsonObject, value: unknown): boolean => {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error(compiled.why);
  return compiled.validate(structuredClone(value));
};

/** Many columns, as a large model has them. */
const largeModel = (fields: number): ToolKnowledgeModel => ({
  ...testModel,
  records: testModel.records.map((record) => ({
    ...record,
    fields: Array.from({ length: fields }, (_, index) => ({
      id: `ORDER.FIELD_${index}`,
      name: `Field ${index}`,
      description: 'What somebody wrote about it. '.repeat(20),
      type: 'string' as const,
      filterable: true,
      sortable: true,
    })),
  })),
});

describe('schemas of the contracts', () => {
  it('are closed objects without references', () => {
    for (const kind of kinds) {
      const { inputSchema, outputSchema } = toolOf(kind);
      for (const schema of [inputSchema, outputSchema]) {
        expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
        expect(JSON.stringify(schema)).not.toMatch(/"\$(ref|defs|schema|id)"/);
      }
    }
  });

  it('require members with defaults in results, and not in arguments', () => {
    expect(toArgumentsSchema(LoadDataArguments)['required']).toEqual(['columns']);
    expect(toResultSchema(LoadDataResult)['required']).toEqual(['page', 'page_size', 'total', 'data_frame_content']);
  });
});

describe('the schema of load-data', () => {
  const schema = toolOf('load-data', testModel).inputSchema;
  const filtered = (list: string, filter: object) => ({ columns: ['ORDER.NO'], applied_filters: { [list]: [filter] } });

  it('has the columns of the model as enums, by type', () => {
    expect(fits(schema, { columns: ['ORDER.NO', 'ORDER_VALUE'], order_by: 'ORDER_VALUE' })).toBe(true);
    expect(fits(schema, { columns: ['ORDER.NOO'] })).toBe(false);
    expect(fits(schema, { columns: ['ORDER.NO'], filters: ['LARGE'] })).toBe(true);
    expect(fits(schema, { columns: ['ORDER.NO'], filters: ['SMALL'] })).toBe(false);
    expect(fits(schema, filtered('string_filters', { column_id: 'ORDER.NO', values: ['1'] }))).toBe(true);
    expect(fits(schema, filtered('string_filters', { column_id: 'ORDER.AMOUNT', values: ['1'] }))).toBe(false);
    expect(fits(schema, filtered('string_filters', { column_id: 'ORDER.NOTE', values: ['1'] }))).toBe(false);
    expect(fits(schema, filtered('numeric_filters', { column_id: 'ORDER_VALUE', value: 1 }))).toBe(true);
    expect(fits(schema, filtered('numeric_filters', { column_id: 'ORDER.DAY', value: 1 }))).toBe(false);
    expect(fits(schema, filtered('date_filters', { column_id: 'ORDER.DAY', start_date: '2026-02-28' }))).toBe(true);
    expect(fits(schema, filtered('date_filters', { column_id: 'ORDER.DAY', start_date: '2026-02-30' }))).toBe(false);
    expect(fits(schema, filtered('null_filters', { column_id: 'ORDER.DAY' }))).toBe(true);
  });

  it('contains the explanation of each name once', () => {
    const text = JSON.stringify(schema);
    expect(text).toContain('ORDER_VALUE: Order value (EUR) - The sum of all orders.');
    expect(text.split('Order value (EUR)')).toHaveLength(2);
    expect(text).toContain('LARGE: Large orders - More than 10,000 EUR.');
    expect(text).toContain('ORDER.AMOUNT: Amount (EUR)');
    expect(text).not.toContain('ORDER.NOTE: Note');
  });

  it('accepts only an empty list where the model has no names', () => {
    const bare: ToolKnowledgeModel = { ...testModel, filters: [], kpis: [] };
    const without = toolOf('load-data', bare).inputSchema;
    expect(fits(without, { columns: ['ORDER.NO'], filters: [] })).toBe(true);
    expect(fits(without, { columns: ['ORDER.NO'], filters: ['LARGE'] })).toBe(false);
  });

  it('has no enum when there are too many names', () => {
    const list = (fields: number) => toolOf('load-data', { ...largeModel(fields), kpis: [] }).inputSchema;
    expect(fits(list(maxNamesInSchema), { columns: ['ORDER.NONE'] })).toBe(false);
    expect(fits(list(maxNamesInSchema + 1), { columns: ['ORDER.NONE'] })).toBe(true);
    for (const fields of [maxNamesInSchema, 5_000]) {
      const sizes = kinds.map((kind) => JSON.stringify(toolOf(kind, largeModel(fields)).inputSchema).length);
      expect(Math.max(...sizes)).toBeLessThan(20_000);
    }
  });
});

describe('the schema of get-insights', () => {
  it('has separate enums for KPIs and fields', () => {
    const schema = toolOf('get-insights', testModel).inputSchema;
    expect(fits(schema, { kpi: 'ORDER_VALUE', field_ids: ['ORDER.NO'] })).toBe(true);
    expect(fits(schema, { kpi: 'ORDER.NO', field_ids: ['ORDER.NO'] })).toBe(false);
    expect(fits(schema, { kpi: 'ORDER_VALUE', field_ids: ['ORDER_VALUE'] })).toBe(false);
  });
});

describe('the description of a tool', () => {
  it('is taken from its definition; without one it describes the model and when to use the tool', () => {
    const own = createModelToolSource(
      { kind: 'load-data', id: 'l', knowledgeModel: 'p2p', description: 'Mine.' },
      options,
    );
    expect(own.bind(testModel).description).toBe('Mine.');
    const { description } = toolOf('load-data', testModel);
    for (const word of ['Use it', 'Purchase to pay', 'Order', 'Order value']) expect(description).toContain(word);
    expect(toolOf('load-data').description).toContain('p2p');
  });

  it('changes with the model', () => {
    expect(JSON.stringify(toolOf('load-data', testModelWithRenamedField).inputSchema)).toContain('ORDER.TOTAL');
  });
});
