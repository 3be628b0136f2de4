import { describe, expect, it } from '@jest/globals';
import { readAssetSearch, readToolsSearch } from './-search.js';

describe('the address of a tool set', () => {
  it('has all that is seen', () => {
    const search = {
      ...{ tab: 'connect', tool: 'load-data', arguments: { columns: ['RATE'] }, draft: true, call: 'c' },
      ...{ client: 'terminal', way: 'key', calledTool: 'x', outcome: 'TOOL_FAILED', since: 'week' },
    };
    expect(readAssetSearch(search)).toEqual(search);
  });

  it.each([
    [{ tab: 'other', tool: '', arguments: [1], draft: 'yes', client: 'x', way: 'token', outcome: 1, since: 'year' }],
    [{ tool: 'x'.repeat(201), arguments: 'text', call: { a: 1 }, nothing: 1 }],
    [{ arguments: null }],
  ])('passes over what it does not understand: %j', (search) => {
    expect(readAssetSearch(search)).toEqual({});
  });

  it('takes a number for a name of digits', () => {
    expect(readAssetSearch({ tool: 42 })).toEqual({ tool: '42' });
  });
});

it('the address of all tool sets has the log and its filter', () => {
  expect(readToolsSearch({ tab: 'calls', outcome: 'ok', call: 'c', tool: 'x' })).toEqual({
    ...{ tab: 'calls', outcome: 'ok', call: 'c' },
  });
  expect(readToolsSearch({ tab: 'assets' })).toEqual({});
});
