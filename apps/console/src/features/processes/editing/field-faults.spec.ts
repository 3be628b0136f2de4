import { describe, expect, it } from '@jest/globals';
import { readElements } from '../content-element.js';
import { fieldsOf } from './editor-fields.js';
import { fieldFaultsOf } from './field-faults.js';
import { processType, storedProcess } from './testing/sample-process.js';

const [element] = readElements([storedProcess]);
if (!element) throw new Error('The sample is no element.');
const fields = fieldsOf(processType, element, { cultures: ['1033', '1031'], labelOf: (name) => name });
const faultsOf = (detail: string) => fieldFaultsOf(detail, fields);

describe('the faults of a refused write', () => {
  it('stand at their fields', () => {
    const detail =
      'The elements cannot be written so; nothing was written. body elements.0.attributes.casesPerYear: expected a number, got the string "much". body elements.0.attributes.name.1031: expected a text, got the number 7. body elements.0.related.owner.1: "owner" leads to one element at most.';
    expect(faultsOf(detail)).toEqual({
      'attributes.casesPerYear': 'expected a number, got the string "much".',
      'attributes.name.1031': 'expected a text, got the number 7.',
      'related.owner': '"owner" leads to one element at most.',
    });
  });

  it('stand at the language or the attribute that only the message names', () => {
    const culture = 'version attributes.name: "name" is mandatory in the culture 1031.';
    expect(Object.keys(faultsOf(culture))).toEqual(['attributes.name.1031']);
    const missing = 'body elements.0.attributes: the attribute "casesPerYear" is mandatory.';
    expect(Object.keys(faultsOf(missing))).toEqual(['attributes.casesPerYear']);
    const gone = 'body elements.0.attributes.name.1040: unknown culture "1040".';
    expect(Object.keys(faultsOf(gone))).toEqual(['attributes.name.1033']);
  });

  it('that belong to no field are not said of one', () => {
    for (const detail of [
      'body elements.0.state: it is in the state "released".',
      'Version 1.0 is in the state inReview.',
      'body elements.0.attributes.nam: unknown attribute.',
      '',
    ])
      expect(faultsOf(detail)).toEqual({});
  });
});
