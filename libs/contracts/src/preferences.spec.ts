import { describe, expect, it } from '@jest/globals';
import { prefersEvidence } from './preferences.js';

describe('Prefer: evidence', () => {
  it.each([
    'evidence',
    'Evidence',
    'odata.maxpagesize=5, evidence',
    'evidence; note="a, b"',
    ' respond-async ,evidence',
  ])('is found in %j', (prefer) => {
    expect(prefersEvidence(prefer)).toBe(true);
  });

  it.each([undefined, '', 'return=evidence', 'note="evidence"', 'note="a, evidence"', 'evidences'])(
    'is not found in %j',
    (prefer) => {
      expect(prefersEvidence(prefer)).toBe(false);
    },
  );
});
