import { describe, expect, it } from '@jest/globals';
import { readElements } from '../content-element.js';
import { fieldsOf, valuesOf, type FieldValue, type FieldValues } from './editor-fields.js';
import { processType, storedProcess } from './testing/sample-process.js';
import { valueFaults, writtenMembers } from './written-element.js';

const [element] = readElements([storedProcess]);
if (!element) throw new Error('The sample is no element.');
const fields = fieldsOf(processType, element, { cultures: ['1033', '1031'], labelOf: (name) => name });
const before = valuesOf(fields, element, '1033');
const text = (value: string): FieldValue => ({ kind: 'text', text: value });
const written = (changed: FieldValues) => writtenMembers(fields, before, { ...before, ...changed });

describe('what is written', () => {
  it('is nothing when nothing was changed', () => {
    expect(written({})).toEqual({});
    expect(written({ 'attributes.name.1033': text('Order') })).toEqual({});
  });

  it('is an attribute with all of its cultures, because it is replaced whole', () => {
    expect(written({ 'attributes.name.1031': text('Bestellen') })).toEqual({
      attributes: { name: { 1033: 'Order', 1031: 'Bestellen', 3082: 'Pedido' } },
    });
  });

  it('leaves out what was emptied, and removes what is empty in all cultures', () => {
    expect(written({ 'attributes.name.3082': text(' ') })).toEqual({ attributes: { name: { 1033: 'Order' } } });
    expect(written({ 'attributes.name.3082': text(''), 'attributes.name.1033': text('') })).toEqual({
      attributes: { name: null },
    });
    expect(written({ 'attributes.casesPerYear': text('') })).toEqual({ attributes: { casesPerYear: null } });
    expect(written({ 'attributes.links': { kind: 'items', items: [] } })).toEqual({ attributes: { links: null } });
  });

  it.each([
    ['attributes.critical', 'false', { critical: false }],
    ['attributes.casesPerYear', '1410.5', { casesPerYear: 1410.5 }],
    ['attributes.casesPerYear', '-2e3', { casesPerYear: -2000 }],
    ['attributes.validFrom', '2026-06-30', { validFrom: '2026-06-30T00:00:00' }],
    ['attributes.validFrom', '2026-06-30T08:30', { validFrom: '2026-06-30T08:30:00' }],
    ['attributes.validFrom', '2026-06-30 08:30:15.5', { validFrom: '2026-06-30T08:30:15.5' }],
  ])('has the type of its attribute: %s %j', (id, value, attributes) => {
    expect(written({ [id]: text(value) })).toEqual({ attributes });
  });

  it('keeps what a link has beside title and address', () => {
    const items = [{ url: 'https://b.example/', title: 'Page', sizeBytes: 3 }];
    expect(written({ 'attributes.links': { kind: 'items', items } })).toEqual({ attributes: { links: items } });
  });

  it('is all that a relation leads to, in order', () => {
    const references = ['dms', 'erp'].map((id) => ({ id, name: id, facetName: 'it' }));
    expect(written({ 'related.uses': { kind: 'references', references } })).toEqual({
      related: { uses: ['dms', 'erp'] },
    });
    expect(written({ 'related.owner': { kind: 'references', references: [] } })).toEqual({ related: { owner: [] } });
  });
});

describe('what cannot be written', () => {
  it.each([
    ['attributes.casesPerYear', 'many', 'number'],
    ['attributes.casesPerYear', '1.410,5', 'number'],
    ['attributes.casesPerYear', '1e999', 'number'],
    ['attributes.casesPerYear', '0x10', 'number'],
    ['attributes.validFrom', '30.06.2026', 'dateTime'],
    ['attributes.validFrom', '2026-06-30T08:30:00Z', 'dateTime'],
  ])('of %s is %j', (id, value, fault) => {
    expect(valueFaults(fields, { ...before, [id]: text(value) })).toEqual({ [id]: fault });
  });

  it('of links is one without an address', () => {
    const items = [{ url: ' ', title: 'Page' }];
    expect(valueFaults(fields, { ...before, 'attributes.links': { kind: 'items', items } })).toEqual({
      'attributes.links': 'address',
    });
  });

  it('is nothing of what is stored, and nothing of what is empty', () => {
    expect(valueFaults(fields, before)).toEqual({});
    expect(valueFaults(fields, { ...before, 'attributes.casesPerYear': text('') })).toEqual({});
  });
});
