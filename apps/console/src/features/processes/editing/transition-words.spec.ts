import { describe, expect, it } from '@jest/globals';
import { fillMessage } from '../../../language/fill-message.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { isAskedFirst, wordsOfTransition } from './transition-words.js';

const { en } = processesEditingMessages;
const words = (from: string, to: string): string =>
  wordsOfTransition(
    { from, to },
    (name, ...[values]) => fillMessage('en', en[name], values),
    (state) => state,
  ).replaceAll(/[\u2066-\u2069]/g, '');

describe('a transition', () => {
  it.each([
    ['inProcess', 'inReview', 'Send to review'],
    ['inProcess', 'released', 'Release'],
    ['requestToExpire', 'released', 'Keep released'],
    ['inReview', 'inProcess', 'Back to draft'],
    ['show', 'hide', 'Hide'],
    ['inProcess', 'archived', 'Set to archived'],
    ['inProcess', 'constructor', 'Set to constructor'],
  ])('from %s to %s is called %s', (from, to, text) => {
    expect(words(from, to)).toBe(text);
  });

  it('is asked about first when it cannot simply be taken back', () => {
    expect(isAskedFirst({ from: 'inProcess', to: 'released' })).toBe(true);
    expect(isAskedFirst({ from: 'requestToExpire', to: 'expired' })).toBe(true);
    expect(isAskedFirst({ from: 'requestToExpire', to: 'released' })).toBe(false);
    expect(isAskedFirst({ from: 'inProcess', to: 'inReview' })).toBe(false);
  });
});
