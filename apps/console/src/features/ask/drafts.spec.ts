import { expect, it } from '@jest/globals';
import { draftKey, Drafts } from './drafts.js';

it('drafts are kept for each conversation until they are empty', () => {
  const drafts = new Drafts();
  drafts.set('a', 'half a quest');
  drafts.set('b', 'x');
  drafts.set('b', '');
  expect([drafts.get('a'), drafts.get('b'), drafts.get('c')]).toEqual(['half a quest', '', '']);
});

it('a draft goes along to the conversation that it belongs to, and replaces nothing by nothing', () => {
  const drafts = new Drafts();
  drafts.set('to', 'kept');
  drafts.move('from', 'to');
  expect(drafts.get('to')).toBe('kept');
  drafts.set('from', 'typed meanwhile');
  drafts.move('from', 'to');
  expect([drafts.get('from'), drafts.get('to')]).toEqual(['', 'typed meanwhile']);
});

it('who listens hears of each change until they leave', () => {
  const drafts = new Drafts();
  let heard = 0;
  const leave = drafts.subscribe(() => (heard += 1));
  drafts.set('a', 'x');
  leave();
  drafts.set('a', 'y');
  expect(heard).toBe(1);
});

it('no two conversations have the same draft', () => {
  const keys = [draftKey('a', undefined), draftKey('a', 'b'), draftKey('a,b', undefined), draftKey('', 'a')];
  expect(new Set(keys).size).toBe(4);
});
