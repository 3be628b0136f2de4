import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { parseWith } from './parse-with.js';

const schema = z.strictObject({
  kind: z.literal('Field'),
  type: z.enum(['integer', 'float', 'string']),
  parts: z.array(z.strictObject({ side: z.enum(['left', 'right']) })).optional(),
});

const faultsOf = (value: unknown) => {
  const parsed = parseWith(schema, value, 'file');
  return parsed.ok ? [] : parsed.faults.map(({ path, message, suggestion }) => [path, message, suggestion]);
};

describe('a value of an enumeration', () => {
  it('that is not a member is reported with the list and the nearest member', () => {
    expect(faultsOf({ kind: 'Field', type: 'flaot' })).toEqual([
      ['type', 'expected one of integer, float, string, not "flaot"; did you mean "float"?', 'float'],
    ]);
    expect(faultsOf({ kind: 'Field', type: 'geometry', parts: [{ side: 'left' }, { side: 5 }] })).toEqual([
      ['type', 'expected one of integer, float, string, not "geometry"', undefined],
      ['parts.1.side', 'expected one of left, right', undefined],
    ]);
    expect(faultsOf({ kind: 'Feild', type: 'float' })).toEqual([
      ['kind', 'expected Field, not "Feild"; did you mean "Field"?', 'Field'],
    ]);
  });

  it('that is missing is reported as missing', () => {
    expect(faultsOf({ kind: 'Field' })).toEqual([
      ['type', 'is missing; expected one of integer, float, string', undefined],
    ]);
  });
});

describe('a value of a discriminated union', () => {
  const shapes = z.strictObject({
    tool: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('search') }),
      z.strictObject({ kind: z.literal('load') }),
    ]),
    headers: z.record(z.string().regex(/^[a-z]+$/, 'expected the name of a header'), z.string()).optional(),
  });
  const faults = (value: unknown) => {
    const parsed = parseWith(shapes, value, 'file');
    return parsed.ok ? [] : parsed.faults.map(({ path, message, rule }) => [path, message, rule]);
  };

  it('is refused with the possible values of the discriminator', () => {
    expect(faults({ tool: { kind: 'serach' } })).toEqual([
      ['tool.kind', 'expected one of search, load, not "serach"; did you mean "search"?', 'invalid_value'],
    ]);
    expect(faults({ tool: {} })).toEqual([['tool.kind', 'is missing; expected one of search, load', 'invalid_value']]);
  });

  it('is refused with the expected format of a name', () => {
    expect(faults({ tool: { kind: 'load' }, headers: { 'X Y': '' } })).toEqual([
      ['headers.X Y', 'expected the name of a header', 'invalid_key'],
    ]);
  });
});

describe('an unknown member', () => {
  const policy = z.strictObject({
    record: z.string(),
    unless: z.strictObject({ scope: z.string() }).optional(),
  });
  const tool = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('search'), query: z.string().optional() }),
    z.strictObject({ kind: z.literal('load'), file: z.string().optional() }),
  ]);
  const model = z.strictObject({
    source: z.strictObject({ database: z.string() }).optional(),
    policies: z.array(policy).optional(),
    tools: z.record(z.string(), tool).optional(),
  });
  const faults = (value: unknown) => {
    const parsed = parseWith(model, value, 'file');
    return parsed.ok ? [] : parsed.faults.map(({ path, message, suggestion }) => [path, message, suggestion]);
  };

  it('is compared with the members of its place only', () => {
    expect(faults({ policies: [{ record: 'A', recrod: 'A', database: 'erp' }], scope: 'a' })).toEqual([
      ['policies.0.recrod', 'unknown member "recrod"; did you mean "record"?', 'record'],
      ['policies.0.database', 'unknown member "database"; expected record, unless', undefined],
      ['scope', 'unknown member "scope"; expected source, policies, tools', undefined],
    ]);
  });

  it('that belongs into a member beside it is reported with the path there', () => {
    expect(faults({ policies: [{ record: 'A', scope: 'all' }] })).toEqual([
      ['policies.0.scope', 'unknown member "scope"; did you mean "unless.scope"?', undefined],
    ]);
  });

  it('of one shape of several is compared with the members of that shape', () => {
    expect(faults({ tools: { a: { kind: 'load', query: 'x', fiel: 'y' } } })).toEqual([
      ['tools.a.query', 'unknown member "query"; expected kind, file', undefined],
      ['tools.a.fiel', 'unknown member "fiel"; did you mean "file"?', 'file'],
    ]);
  });
});
