import { describe, expect, it } from '@jest/globals';
import { readElements } from '../content-element.js';
import { definedName } from '../names.js';
import { changedFields, fieldsOf, isSameValue, valuesOf } from './editor-fields.js';
import { processType, storedProcess } from './testing/sample-process.js';

const context = {
  cultures: ['1033', '1031'],
  labelOf: (name: string, displayNames: Readonly<Record<string, unknown>> = {}) =>
    definedName(name, displayNames, '1031'),
};
const [element] = readElements([storedProcess]);
if (!element) throw new Error('The sample is no element.');
const fields = fieldsOf(processType, element, context);
const values = valuesOf(fields, element, '1031');

describe('the fields of a form', () => {
  it('are those of the type that people may write, one for each culture', () => {
    expect(fields.map(({ id, kind }) => [id, kind])).toEqual([
      ['attributes.name.1033', 'text'],
      ['attributes.name.1031', 'text'],
      ['attributes.name.3082', 'text'],
      ['attributes.critical', 'boolean'],
      ['attributes.casesPerYear', 'number'],
      ['attributes.validFrom', 'date-time'],
      ['attributes.links', 'items'],
      ['related.uses', 'references'],
      ['related.owner', 'references'],
    ]);
  });

  it('are called as the definition says, and say what a release needs', () => {
    expect(fields[0]).toMatchObject({ label: 'Bezeichnung', isMandatory: true });
    expect(fields[1]).toMatchObject({ label: 'Bezeichnung', isMandatory: false });
    expect(fields.at(-2)).toMatchObject({ label: 'Nutzt', to: ['application'], isMany: true });
    expect(fields.at(-1)).toMatchObject({ label: 'Owner', to: undefined, isMany: false });
  });

  it('have what the element has, and nothing else', () => {
    expect(values).toEqual({
      'attributes.name.1033': { kind: 'text', text: 'Order' },
      'attributes.name.1031': { kind: 'text', text: '' },
      'attributes.name.3082': { kind: 'text', text: 'Pedido' },
      'attributes.critical': { kind: 'text', text: 'true' },
      'attributes.casesPerYear': { kind: 'text', text: '1410' },
      'attributes.validFrom': { kind: 'text', text: '' },
      'attributes.links': { kind: 'items', items: [{ url: 'https://a.example/', title: 'Page', sizeBytes: 3 }] },
      'related.uses': { kind: 'references', references: [{ id: 'erp', facetName: 'it', name: 'ERP' }] },
      'related.owner': { kind: 'references', references: [{ id: 'ann', facetName: 'users', name: 'ann' }] },
    });
  });
});

describe('a change', () => {
  it('is another text, another address, or another element', () => {
    const text = (value: string) => ({ kind: 'text', text: value }) as const;
    expect([isSameValue(text('a'), text('a')), isSameValue(text('a'), text(' a'))]).toEqual([true, false]);
    const to = (id: string, name: string) =>
      ({ kind: 'references', references: [{ id, name, facetName: 'it' }] }) as const;
    expect([isSameValue(to('a', 'A'), to('a', 'B')), isSameValue(to('a', 'A'), to('b', 'A'))]).toEqual([true, false]);
    const link = (url: string, title?: string) => ({ kind: 'items', items: [{ url, title }] }) as const;
    expect([isSameValue(link('a'), link('a', '')), isSameValue(link('a'), link('b'))]).toEqual([true, false]);
  });

  it('is told from what was there before', () => {
    expect(changedFields(fields, values, values)).toEqual([]);
    const now = { ...values, 'attributes.casesPerYear': { kind: 'text', text: '7' } } as const;
    expect(changedFields(fields, values, now).map(({ id }) => id)).toEqual(['attributes.casesPerYear']);
  });
});
