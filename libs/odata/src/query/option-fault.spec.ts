import { describe, expect, it } from '@jest/globals';
import { maxQueryFaults, type QueryFault } from '@tessera/knowledge-model';
import { createOptionFaultCollector, shortenText, splitAtCommas } from './option-fault.js';

describe('a collector of the faults of an option', () => {
  it('names the option and the place, counted from one in the message', () => {
    const faults: QueryFault[] = [];
    const message = 'NOO is no property.';
    createOptionFaultCollector('$orderby', faults).add('GENERAL_PARAMETER_ILLEGAL', {
      ...{ rule: 'property', message, position: 3, suggestion: 'NO' },
    });
    expect(faults).toMatchObject([
      { code: 'GENERAL_PARAMETER_ILLEGAL', path: '$orderby', position: 3, rule: 'property' },
    ]);
    expect(faults[0]?.message).toBe('$orderby, character 4: NOO is no property. Did you mean NO?');
  });

  it('is full with the faults of all options together, and takes no more', () => {
    const faults: QueryFault[] = [];
    const [select, orderby] = ['$select', '$orderby'].map((option) => createOptionFaultCollector(option, faults));
    for (let position = 0; position < maxQueryFaults; position++) {
      expect(orderby?.isFull()).toBe(false);
      select?.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'name', message: 'Unknown.', position });
    }
    expect(orderby?.isFull()).toBe(true);
    orderby?.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'name', message: 'Unknown.', position: 0 });
    expect(faults).toHaveLength(maxQueryFaults);
  });
});

describe('a text in a message', () => {
  it.each([
    ['is left as it is up to 60 characters', 'x'.repeat(60), 'x'.repeat(60)],
    ['is cut behind 60 characters', 'x'.repeat(61), `${'x'.repeat(60)}...`],
    ['has no half of a character', '\ud83d', '\ufffd'],
  ])('%s', (_title, text, expected) => expect(shortenText(text)).toBe(expected));
});

describe('a list with commas', () => {
  it.each([
    ['A', [{ text: 'A', start: 0 }]],
    [
      ' A , B',
      [
        { text: 'A', start: 1 },
        { text: 'B', start: 5 },
      ],
    ],
    [
      'A,,B',
      [
        { text: 'A', start: 0 },
        { text: '', start: 2 },
        { text: 'B', start: 3 },
      ],
    ],
  ])('%j has items with their places', (text, expected) => expect(splitAtCommas(text)).toEqual(expected));
});
