import { describe, expect, it } from '@jest/globals';
import { chooseDeletion, checkVersionRestore } from './deletion.js';
import { standardTransitions } from './states.js';
import type { VersionHead } from './version-heads.js';

const versioned = { versioned: true, transitions: standardTransitions(true) };
const unversioned = { versioned: false, transitions: standardTransitions(false) };
const head = (version: string, state: string): VersionHead => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return { versionId: `v${version}`, major, minor, state };
};
const draft = head('1.1', 'inProcess');
const released = head('1.0', 'released');

describe('a deletion', () => {
  it('removes only the draft when there are older versions, even with children', () => {
    expect(chooseDeletion({ type: versioned, heads: [released, draft], version: draft, children: 3 })).toBe('draft');
  });

  it('removes the element when it has only a draft or no versions', () => {
    const only = head('0.1', 'inProcess');
    expect(chooseDeletion({ type: versioned, heads: [only], version: only, children: 0 })).toBe('element');
    const shown = head('1.0', 'show');
    expect(chooseDeletion({ type: unversioned, heads: [shown], version: shown, children: 0 })).toBe('element');
  });

  it.each([
    ['of an element with children', unversioned, [head('1.0', 'hide')], 2, 'has 2 children; move or delete them first'],
    ['of an element with one child', unversioned, [head('1.0', 'show')], 1, 'has one child; move or delete it first'],
    ['of a released version', versioned, [released], 0, 'Let it expire, by ReleasedToRequestToExpire'],
    ['of a released version with a draft, naming the draft', versioned, [released, draft], 0, 'by its own id, v1.1'],
    [
      'of a version in review, naming the transition back',
      versioned,
      [head('0.1', 'inReview')],
      0,
      'InReviewToInProcess',
    ],
    ['of an expired version', versioned, [head('1.0', 'expired')], 0, 'stays as history'],
  ] as const)('is rejected %s', (_case, type, heads, children, message) => {
    expect(chooseDeletion({ type, heads, version: heads[0], children })).toEqual({
      refusal: expect.stringContaining(message),
    });
  });
});

describe('a separately deleted version', () => {
  const head = (versionId: string, major: number, minor: number, state: string): VersionHead => ({
    versionId,
    major,
    minor,
    state,
  });
  const released = head('r', 2, 0, 'released');
  const draft = head('d', 2, 1, 'inProcess');

  it('can be restored when its element has neither a draft nor a version of the same number', () => {
    expect(checkVersionRestore([released], draft)).toBeUndefined();
    expect(checkVersionRestore([released, draft], head('x', 1, 0, 'expired'))).toBeUndefined();
  });

  it.each([
    ['has already been restored', [released, draft], draft, 'The version is there again, as 2.1'],
    [
      'would be a second draft',
      [released, { ...draft, minor: 2 }],
      head('x', 2, 1, 'inReview'),
      'Version 2.2 (d) is in',
    ],
    ['has a number that was reused', [released], head('x', 2, 0, 'expired'), 'The number 2.0 was given'],
    [
      'would be a second released version',
      [released],
      head('x', 1, 0, 'released'),
      'Version 2.0 (r) is released already',
    ],
  ])('cannot be restored when it %s', (_what, heads, version, message) => {
    expect(checkVersionRestore(heads, version)).toContain(message);
  });
});
