import { describe, expect, it } from '@jest/globals';
import { succeed } from '@tessera/failures';
import { checkArguments, failOnTimeout } from './tool-calls.js';
import type { Tool } from '../tools/tool.js';

/** What nobody handled while `work` ran and a turn after it. */
const unhandledIn = async (work: () => Promise<unknown>): Promise<readonly unknown[]> => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', note);
  return unhandled;
};

const late = { failure: { code: 'SERVICE_UNAVAILABLE', detail: 'The tool did not answer in time.' } };

describe('failOnTimeout', () => {
  it('settles with the result or error of the tool', async () => {
    const { signal } = new AbortController();
    const result = succeed({ value: 1 });
    expect(await failOnTimeout(Promise.resolve(result), { signal })).toBe(result);
    await expect(failOnTimeout(Promise.reject(new Error('a bug')), { signal })).rejects.toThrow('a bug');
  });

  it('resolves to a timeout failure when the call is aborted, and leaves no rejection unhandled', async () => {
    const before = AbortSignal.abort();
    const during = new AbortController();
    const broken = Promise.withResolvers<never>();
    const unhandled = await unhandledIn(async () => {
      expect(await failOnTimeout(Promise.reject(new Error('a bug')), { signal: before })).toMatchObject(late);
      const running = failOnTimeout(broken.promise, { signal: during.signal });
      during.abort();
      expect(await running).toMatchObject(late);
      broken.reject(new Error('a bug'));
    });
    expect(unhandled).toEqual([]);
  });
});

const toolOf = (more: Partial<Tool>): Tool => ({
  ...{ id: 't', title: 't', description: '', isReadOnly: true, inputSchema: { type: 'object' } },
  run: () => Promise.reject(new Error('not called')),
  ...more,
});
const faultsOf = (tool: Tool, given: unknown) => {
  const checked = checkArguments(tool, given);
  return checked.ok ? [] : (checked.failure.faults ?? []).map(({ path, rule }) => `${path} ${rule}`);
};
const messagesOf = (tool: Tool, given: unknown): string => {
  const checked = checkArguments(tool, given);
  return checked.ok ? '' : (checked.failure.faults ?? []).map(({ message }) => message).join();
};
const filters = {
  type: 'object',
  required: ['columns'],
  properties: {
    columns: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 3 },
    filters: {
      type: 'array',
      items: {
        ...{ type: 'object', required: ['id', 'value'], properties: { id: {}, value: {} } },
        // Each could be a fault of each filter.
        dependentRequired: { other: Array.from({ length: 40 }, (_, index) => `name${index}`) },
      },
    },
  },
};

describe('checkArguments', () => {
  it.each([
    ['with names of the owner', toolOf({ inputSchema: filters, argumentsSchema: filters })],
    ['without', toolOf({ inputSchema: filters })],
  ])('returns all faults when there are few, and only the first ones when there are many, %s', (_, tool) => {
    expect(faultsOf(tool, { columns: ['a', 'c'], filters: [{}] })).toEqual([
      'columns.1 enum',
      'filters.0.id required',
      'filters.0.value required',
    ]);
    const many = { columns: ['a'], filters: Array.from({ length: 4_000 }, () => ({})) };
    expect(faultsOf(tool, many)).toEqual(['filters.0.id required']);
  });

  it('rejects values that are too costly to validate against the alternatives of the schema', () => {
    const anyOf = Array.from({ length: 600 }, (_, index) => ({ const: `v${index}` }));
    const tool = toolOf({ inputSchema: { type: 'object', properties: { a: { type: 'array', items: { anyOf } } } } });
    expect(faultsOf(tool, { a: ['v599'] })).toEqual([]);
    expect(messagesOf(tool, { a: Array.from({ length: 4_000 }, () => 'v599') })).toContain('too many alternatives');
  });

  it('rejects too many values and says how many are allowed', () => {
    const given = (length: number) => ({ a: Array.from({ length }, () => ({ a: 1 })) });
    expect(faultsOf(toolOf({}), given(5_999))).toEqual([]);
    const checked = checkArguments(toolOf({ argumentsSchema: { type: 'object' } }), given(6_000));
    expect(checked.ok ? [] : checked.failure).toMatchObject({
      code: 'TOOL_ARGUMENTS_INVALID',
      faults: [{ in: 'body', path: '', rule: 'size', message: expect.stringContaining('at most 12,000 values') }],
    });
  });

  it('takes null for absent, and ignores names that begin with _ or utm_', () => {
    const schema = { type: 'object', properties: { top: { type: 'integer' } }, additionalProperties: false };
    for (const tool of [toolOf({ inputSchema: schema }), toolOf({ inputSchema: schema, argumentsSchema: schema })]) {
      const given = { top: null, utm_source: 'mail', _: 1 };
      expect(checkArguments(tool, given)).toEqual({ ok: true, value: {} });
      expect(given).toHaveProperty('utm_source');
      expect(checkArguments(tool, null)).toEqual({ ok: true, value: {} });
      expect(faultsOf(tool, { top: 'x', utm: 1, _: 1 })).toEqual(['utm additionalProperties', 'top type']);
    }
  });

  it('ends in bounded time, whatever the patterns', () => {
    const allOf = Array.from({ length: 50 }, (_, index) => ({ pattern: `^(?:a?){150}b?c?${'d?'.repeat(index)}$` }));
    const tool = toolOf({ inputSchema: { type: 'object', properties: { a: { type: 'array', items: { allOf } } } } });
    expect(faultsOf(tool, { a: ['aaa'] })).toEqual([]);
    expect(faultsOf(tool, { a: Array.from({ length: 50 }, () => 'a'.repeat(20_000)) })).not.toEqual([]);
  });
});
