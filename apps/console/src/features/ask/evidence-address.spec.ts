import { expect, it } from '@jest/globals';
import { evidenceAddress } from './evidence-address.js';

it('is the page of the record', () => {
  expect(evidenceAddress('/intelligence/api/evidence/0199-ab_C')).toEqual({
    ...{ path: '/evidence/$evidenceId', params: { evidenceId: '0199-ab_C' } },
  });
});

it.each([
  undefined,
  '',
  '/intelligence/api/evidence/',
  '/intelligence/api/evidence/a/replay',
  'https://evil.example/a',
])('is none for %j', (address) => {
  expect(evidenceAddress(address)).toBeUndefined();
});
