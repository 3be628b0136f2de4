import { describe, expect, it } from '@jest/globals';
import { fillSchema } from './fill-schema.js';

const answer = {
  text: 'Maverick buying: 4.2 %.',
  data: {
    language: 'en',
    kpi: 'MAVERICK_RATE',
    value: 0.042,
    unit: '%',
    rows: [{ MAVERICK_RATE: 0.042 }],
    filters: ['Open items'],
  },
};
const schemaOf = (properties: object) => ({ type: 'object', properties });

describe('an answer in the form of a schema', () => {
  it('fills the members whose names it knows', () => {
    const schema = schemaOf({
      answer: { type: 'string' },
      wert: { type: 'number' },
      filters: { type: 'array', items: { type: 'string' } },
      rows: { type: 'array', items: { type: 'object' } },
      confidence: { type: 'number' },
    });
    expect(fillSchema(answer, schema)).toEqual({
      answer: answer.text,
      wert: 0.042,
      filters: ['Open items'],
      rows: answer.data.rows,
    });
  });

  it('omits members whose values do not fit the schema', () => {
    const schema = schemaOf({
      value: { type: 'integer' },
      kpi: { enum: ['OTHER'] },
      filters: { type: 'array', items: { type: 'number' } },
      unit: { type: ['string', 'null'] },
    });
    expect(fillSchema(answer, schema)).toEqual({ unit: '%' });
  });

  it('has all known members when there is no schema', () => {
    expect(fillSchema(answer, undefined)).toEqual({ ...answer.data, text: answer.text });
  });
});
