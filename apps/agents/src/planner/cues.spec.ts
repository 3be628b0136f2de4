import { describe, expect, it } from '@jest/globals';
import { findComparisons, findRanking, parseLocalizedNumber, type Intent, findIntents } from './cues.js';
import { detectLanguage } from './language.js';
import { wordsOf } from './words.js';

describe('intents', () => {
  it.each<[string, Intent]>([
    ['Hello', 'help'],
    ['Was kannst du beantworten?', 'help'],
    ['Which KPIs do you know?', 'help'],
    ['Block invoice 5100000001', 'act'],
    ['Bitte sperre die Rechnung', 'act'],
    ['Delete all orders', 'act'],
    ['What will the rate be next year?', 'forecast'],
    ['Wie hoch ist die Prognose?', 'forecast'],
    ['How do I create a purchase order?', 'procedure'],
    ['How are invoices verified?', 'procedure'],
    ['Wie läuft die Rechnungsprüfung?', 'procedure'],
    ['Wie wird ein Wareneingang gebucht?', 'procedure'],
    ['Wer ist für Wareneingänge verantwortlich?', 'procedure'],
    ['Who approves requisitions?', 'procedure'],
    ['Why is it so high?', 'drivers'],
    ['Woran liegt der Skontoverlust?', 'drivers'],
    ['and since when?', 'since-when'],
    ['seit wann?', 'since-when'],
    ['What does it mean?', 'explain'],
    ['Wie wird die Durchlaufzeit berechnet?', 'explain'],
    ['Does it meet the target?', 'target'],
    ['Wird das Ziel erreicht?', 'target'],
    ['How many orders?', 'count'],
    ['Wie viele Bestellungen?', 'count'],
    ['number of orders', 'number-of'],
    ['average net amount', 'average'],
    ['und nach Monat?', 'follow-up'],
    ['by plant and month', 'by-month'],
    ['pro Monat', 'by-month'],
    ['Wie hat sie sich entwickelt?', 'by-month'],
    ['by quarter', 'by-quarter'],
    ['Is it above 5 %?', 'yes-or-no'],
  ])('in "%s" are %s', (text, intent) => {
    expect([...findIntents(text).keys()]).toContain(intent);
    // The same places, in letters of any size.
    expect(findIntents(text.toUpperCase())).toEqual(findIntents(text));
  });

  it.each<[string, Intent]>([
    ['What is the maverick rate by plant?', 'procedure'],
    ['Value of blocked invoices by blocking reason', 'drivers'],
    ['Value of blocked invoices', 'act'],
    ['What is the maverick rate?', 'help'],
    ['How high is the open order value?', 'procedure'],
  ])('in "%s" are not %s', (text, intent) => {
    expect([...findIntents(text).keys()]).not.toContain(intent);
  });
});

describe('rankings', () => {
  it.each([
    ['top 5 suppliers', { by: 'most', limit: 5 }],
    ['die drei größten Lieferanten', { by: 'most', limit: 3 }],
    ['welche drei Lieferanten haben', { by: 'most', limit: 3 }],
    ['bottom 3 plants', { by: 'least', limit: 3 }],
    ['the lowest rate', { by: 'least', limit: undefined }],
    ['niedrigste Quote', { by: 'least', limit: undefined }],
    ['worst plant', { by: 'worst', limit: undefined }],
    ['das beste Werk', { by: 'best', limit: undefined }],
  ])('are found in "%s"', (text, ranking) => {
    expect(findRanking(wordsOf(text))).toMatchObject(ranking);
  });

  it.each(['rate by plant', 'the last 12 months', 'one order', 'plant 2010'])('are not found in "%s"', (text) => {
    expect(findRanking(wordsOf(text))).toBeUndefined();
  });
});

describe('comparisons', () => {
  it.each([
    ['above 5 %', '>', 5, 'percent'],
    ['mehr als 10.000 EUR', '>', 10_000, 'money'],
    ['at least 1,5 Mio. EUR', '>=', 1_500_000, 'money'],
    ['unter 30 Tagen', '<', 30, 'days'],
    ['höchstens 3 Prozent', '<=', 3, 'percent'],
    ['> 10k', '>', 10_000, 'none'],
  ])('are found in "%s"', (text, comparator, value, unit) => {
    expect(findComparisons(text)).toEqual([expect.objectContaining({ comparator, value, unit })]);
  });

  it('are not found in a date', () => {
    expect(findComparisons('over 2026-03-01')).toEqual([]);
  });

  it.each([
    ['10,000.50', 10_000.5],
    ['10.000,50', 10_000.5],
    ['10.000', 10_000],
    ['1.000.000', 1_000_000],
    ['4,5', 4.5],
    ['4.25', 4.25],
    ['7', 7],
  ])('parse the number %s as %s', (digits, value) => {
    expect(parseLocalizedNumber(digits)).toBe(value);
  });
});

describe('the language', () => {
  it.each([
    ['What is the rate by plant?', 'en'],
    ['Wie hoch ist die Quote je Werk?', 'de'],
    ['Durchlaufzeit für Größe', 'de'],
    ['Maverick', 'en'],
  ])('of "%s" is %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it('is that of the previous question when no word identifies it', () => {
    expect(detectLanguage('2026?', 'de')).toBe('de');
  });
});
