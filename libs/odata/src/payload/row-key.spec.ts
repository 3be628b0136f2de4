import { expect, it } from '@jest/globals';
import { createSampleModel, findSampleType, type SampleRecord } from '../testing/sample-types.js';
import { createPayloadSerializer } from './payload-of.js';

const keyWith = (item: SampleRecord): string => {
  const type = findSampleType(createSampleModel({ ITEM: item, SUPPLIER: { fields: { ID: 'string' } } }), 'ITEM');
  const shown = type.properties.filter(({ id }) => id === 'NO');
  const representation = { version: '4.01', contentType: '', format: { kind: 'xml' } } as const;
  const places = new Map([['NO', 0]]);
  const subject = { type, shown, isSelected: true, expanded: [], linked: [], places, representation, isOne: true };
  return createPayloadSerializer({ root: 'https://host/trial.svc/', ...subject }, new Date(0)).key;
};

it('the row key differs when the same rows are serialized differently', () => {
  const usual: SampleRecord = { fields: { NO: 'integer' }, key: ['NO'], ways: { SUPPLIER: 'SUPPLIER' } };
  const keys = [
    usual,
    { ...usual, fields: { NO: 'string' } as const },
    { ...usual, key: [] },
    { ...usual, ways: {} },
    { ...usual, ways: { VENDOR: 'SUPPLIER' } },
  ].map(keyWith);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keyWith(usual)).toBe(keys[0]);
});
