import { describe, expect, it } from '@jest/globals';
import { asksForSomething, changeQuestion, emptyQuestion, questionOf, searchOf, type Question } from './question.js';

const question: Question = {
  fields: ['ORDER.PLANT', 'ORDER.ORDERED:month'],
  kpis: ['RATE', 'ORDERS'],
  filters: ['LARGE'],
  conditions: ["ORDER.PLANT in ('1, 2', '3')", 'ITEM.AMOUNT gt 10'],
  period: { field: 'ORDER.ORDERED', from: '2026-01-01', to: '2026-03-31', compare: 'year' },
  ...{ search: 'blue', isExactSearch: true, sort: '-RATE,ORDER.PLANT', page: 2 },
};

describe('a question in the address', () => {
  it('is the same when it is read again', () => {
    expect(questionOf(searchOf(question))).toEqual(question);
  });

  it('is nothing when nothing is asked', () => {
    expect(searchOf(emptyQuestion)).toEqual({});
    expect(questionOf({})).toEqual(emptyQuestion);
    expect([asksForSomething(emptyQuestion), asksForSomething(question)]).toEqual([false, true]);
  });

  it('names each column once, without spaces', () => {
    expect(questionOf({ kpis: ' RATE ,RATE,, ORDERS' }).kpis).toEqual(['RATE', 'ORDERS']);
  });

  it('says nothing of a search that is empty, and of bounds that are open', () => {
    const open: Question = { ...question, search: '', period: { field: 'ORDER.ORDERED', from: '', to: '' } };
    expect(searchOf(open)).not.toHaveProperty('exact');
    expect(searchOf(open)).toMatchObject({ date: 'ORDER.ORDERED' });
    expect(questionOf(searchOf(open)).period).toEqual(open.period);
  });
});

describe('a change of a question', () => {
  it('begins at the first page', () => {
    expect(changeQuestion(question, { search: 'red' })).toMatchObject({ search: 'red', page: 0, sort: question.sort });
    expect(changeQuestion(question, { page: 3 }).page).toBe(3);
  });

  it('is not sorted by what is not asked any more', () => {
    expect(changeQuestion(question, { kpis: ['ORDERS'] }).sort).toBe('ORDER.PLANT');
    expect(changeQuestion(question, { kpis: [], fields: [] }).sort).toBe('');
  });
});
