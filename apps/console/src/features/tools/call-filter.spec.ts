import { expect, it } from '@jest/globals';
import { argumentsForAddress } from './address-state.js';
import { callsInput } from './call-filter.js';

const nowMs = Date.parse('2026-06-30T12:34:56.789Z');

it('the log is asked for what the filter says, from a whole minute on', () => {
  expect(callsInput(undefined, {}, nowMs)).toEqual({ pageSize: 50 });
  expect(callsInput('p2p-tools', { calledTool: 'load-data', outcome: 'ok', since: 'day' }, nowMs)).toEqual({
    ...{ pageSize: 50, assetId: 'p2p-tools', toolId: 'load-data', outcome: 'ok' },
    from: '2026-06-29T12:34:00.000Z',
  });
});

it('arguments stand in the address when there are some and not too many', () => {
  expect(argumentsForAddress({ a: 1 })).toEqual({ a: 1 });
  expect(argumentsForAddress({})).toBeUndefined();
  expect(argumentsForAddress(undefined)).toBeUndefined();
  expect(argumentsForAddress({ a: 'ü'.repeat(1_000) })).toBeUndefined();
});
