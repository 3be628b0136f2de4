import { expect, it } from '@jest/globals';
import { nearestName } from './nearest.js';

const names = ['$filter', '$select', '$resources', 'viewId'];

it('finds the name that was meant', () => {
  expect(nearestName('$fliter', names)).toBe('$filter');
  expect(nearestName('viewid', names)).toBe('viewId');
  expect(nearestName('resources', names)).toBe('$resources');
});

it('guesses nothing when no name is near', () => {
  expect(nearestName('utm_source', names)).toBeUndefined();
  expect(nearestName('x', names)).toBeUndefined();
  expect(nearestName('', [])).toBeUndefined();
});

it('prefers the nearest of several', () => {
  expect(nearestName('pageSizes', ['page', 'pageSize', 'pageSizeMax'])).toBe('pageSize');
});
