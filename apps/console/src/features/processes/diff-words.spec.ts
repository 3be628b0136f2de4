import { describe, expect, it } from '@jest/globals';
import { diffWords, type WordPart } from './diff-words.js';

const marked = (parts: readonly WordPart[]): string =>
  parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('');
const diff = (before: string, after: string) => {
  const found = diffWords(before, after);
  return [marked(found.before), marked(found.after)];
};

describe('the words of two texts', () => {
  it.each([
    ['Check invoices', 'Verify invoices', '[Check ]invoices', '[Verify ]invoices'],
    ['Verify invoices', 'Verify invoices automatically', 'Verify invoices', 'Verify invoices [automatically]'],
    ['a b c d', 'a c d', 'a [b ]c d', 'a c d'],
    ['', 'new', '', '[new]'],
    ['gone', '', '[gone]', ''],
    ['same', 'same', 'same', 'same'],
    ['one two', 'three four', '[one two]', '[three four]'],
  ])('%j and %j differ where they do', (before, after, left, right) => {
    expect(diff(before, after)).toEqual([left, right]);
  });

  it('are all there, in their order', () => {
    const [before, after] = ['  a  b\nc ', 'a x\n\nc d'];
    const found = diffWords(before, after);
    expect(found.before.map(({ text }) => text).join('')).toBe(before);
    expect(found.after.map(({ text }) => text).join('')).toBe(after);
  });

  it('of very long texts are not looked at one by one', () => {
    const long = 'word '.repeat(5_000);
    expect(diffWords(long, `${long}!`).before).toEqual([{ text: long, isChanged: true }]);
  });
});
