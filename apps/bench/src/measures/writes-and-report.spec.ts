import { describe, expect, it } from '@jest/globals';
import { findElementState } from './writes-and-report.js';

describe('the state of an element in a report', () => {
  const element = (id: string, state: string, children: readonly object[] = []) => ({
    id,
    state,
    attributes: {},
    children,
  });

  it('is found at any depth', () => {
    const report = { count: 1, values: [element('a', 'released', [element('b', 'requestToExpire')])] };
    expect(findElementState(report, 'b')).toBe('requestToExpire');
    expect(findElementState(report, 'c')).toBeUndefined();
  });

  it('is not taken from a reference to the element', () => {
    const related = { releaseHistory: [{ id: 'b', state: 'expired' }] };
    const report = { values: [{ ...element('a', 'show'), related }, element('b', 'released')] };
    expect(findElementState(report, 'b')).toBe('released');
  });
});
