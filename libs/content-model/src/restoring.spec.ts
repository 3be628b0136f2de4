import { describe, expect, it } from '@jest/globals';
import { refusalOfRestoredVersion } from './restoring.js';
import type { VersionHead } from './version-heads.js';

const head = (versionId: string, major: number, minor: number, state: string): VersionHead => ({
  versionId,
  major,
  minor,
  state,
});
const released = head('r', 2, 0, 'released');
const draft = head('d', 2, 1, 'inProcess');

describe('a version that was deleted alone', () => {
  it('may come back when its element has neither a draft nor its number', () => {
    expect(refusalOfRestoredVersion([released], draft)).toBeUndefined();
    expect(refusalOfRestoredVersion([released, draft], head('x', 1, 0, 'expired'))).toBeUndefined();
  });

  it.each([
    ['is there again', [released, draft], draft, 'The version is there again, as 2.1'],
    [
      'would be a second draft',
      [released, { ...draft, minor: 2 }],
      head('x', 2, 1, 'inReview'),
      'Version 2.2 (d) is in',
    ],
    ['has a number that was given again', [released], head('x', 2, 0, 'expired'), 'The number 2.0 was given'],
    ['would be a second released one', [released], head('x', 1, 0, 'released'), 'Version 2.0 (r) is released already'],
  ])('may not when it %s', (_what, heads, version, message) => {
    expect(refusalOfRestoredVersion(heads, version)).toContain(message);
  });
});
