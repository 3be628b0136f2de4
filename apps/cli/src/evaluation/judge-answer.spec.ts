import { describe, expect, it } from '@jest/globals';
import { judgeAnswer } from './judge-answer.js';

const truth = (figures: readonly number[], texts: readonly string[] = []) => ({
  figures,
  texts,
  expects: 'answer' as const,
});
const asked = ['What is the maverick rate in plant 2010?'];

describe('judgeAnswer', () => {
  it.each([
    ['a figure with thousands', 'Order value: **8,021,924.26 EUR**.', [8_021_924.26], 'right'],
    ['German numbers', 'Bestellwert: 8.021.924,26 EUR', [8_021_924.26], 'right'],
    ['a rate in percent', 'Maverick buying: 9.48 %.', [0.0948], 'right'],
    ['a rate in other digits', 'Maverick buying: 9.4771 %.', [0.094771], 'right'],
    ['one of two figures', 'DE: 12; ES: 13', [12, 99], 'half'],
    ['another figure', 'Maverick buying: 4.2 %.', [0.0948], 'wrong'],
    ['no figure', 'I did not find that.', [0.0948], 'refused'],
    ['the question again alone', `I cannot answer "${asked[0]}".`, [2010], 'refused'],
    ['the right figure among readings', '1. plant: 12\n2. supplier: 13\n\nWhich one do you mean?', [12], 'half'],
    ['readings without the right figure', '1. plant: 12\n\nWhich one do you mean?', [99], 'refused'],
  ])('judges %s', (_, answer, figures, verdict) => {
    expect(judgeAnswer(answer, asked, truth(figures))).toBe(verdict);
  });

  it('wants every text, in any case', () => {
    expect(judgeAnswer('1020 Ludwigshafen: 12', asked, truth([12], ['ludwigshafen']))).toBe('right');
    expect(judgeAnswer('Hamburg: 12', asked, truth([12], ['Ludwigshafen']))).toBe('half');
    expect(judgeAnswer('Create order', asked, truth([], ['Verify invoices']))).toBe('refused');
  });

  it('wants no figure of a refusal, and a question where one has to be asked back', () => {
    const refusal = { figures: [], texts: [], expects: 'refusal' as const };
    expect(judgeAnswer('I give no figure.', asked, refusal)).toBe('right');
    expect(judgeAnswer('Revenue is 42.', asked, refusal)).toBe('wrong');
    const question = { figures: [], texts: [], expects: 'question' as const };
    expect(judgeAnswer('1. plant: 12\n2. supplier: 13\nWhich one do you mean?', asked, question)).toBe('right');
    expect(judgeAnswer('12', asked, question)).toBe('half');
    expect(judgeAnswer('I give no figure.', asked, question)).toBe('refused');
  });
});
