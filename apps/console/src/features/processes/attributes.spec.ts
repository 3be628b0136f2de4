import { describe, expect, it } from '@jest/globals';
import { chooseAttributes, showValue, type TypeDescription } from './attributes.js';
import { readOnlyElement } from './content-element.js';
import { definedName, type LabelOf } from './names.js';

const attribute = (name: string, more: object = {}): TypeDescription['attributes'][number] => ({
  ...{ name, displayNames: {}, type: 'string', localised: false, mandatory: false, mandatoryCultures: [] },
  ...{ isSystem: false, ...more },
});
const type: TypeDescription = {
  ...{ name: 'process', displayNames: { 1033: 'Process' }, versioned: true, relations: [], states: [] },
  ...{ transitions: [], childTypes: [], contentTypes: [] },
  attributes: [
    attribute('name', { localised: true, mandatory: true, mandatoryCultures: [1033], displayNames: { 1031: 'Titel' } }),
    attribute('description', { localised: true }),
    attribute('casesPerYear', { type: 'number' }),
    attribute('unused'),
    attribute('version', { isSystem: true }),
  ],
};
const label =
  (culture: string): LabelOf =>
  (name, displayNames) =>
    definedName(name, displayNames, culture);
const element = (attributes: object) => {
  const found = readOnlyElement({ elements: [{ id: 'e', attributes }] });
  if (found === undefined) throw new Error('There is no element.');
  return found;
};

describe('the attributes of an element', () => {
  it('are those with a value, and those that are needed', () => {
    const shown = chooseAttributes(
      element({ casesPerYear: { 127: 12 }, version: { 127: '1.0' } }),
      type,
      label('1031'),
    );
    expect(shown.localised.map(({ label, neededIn }) => [label, neededIn])).toEqual([['Titel', ['1033']]]);
    expect(shown.neutral.map(({ label }) => label)).toEqual(['Cases per year']);
  });

  it('are also those that the type does not have any more', () => {
    const shown = chooseAttributes(element({ old: { 1033: 'x' }, older: { 127: 'y' } }), undefined, label('1033'));
    expect([shown.localised, shown.neutral].map((list) => list.map(({ name }) => name))).toEqual([['old'], ['older']]);
  });

  it('have a gap where one of several languages has nothing', () => {
    const [name] = chooseAttributes(element({ name: { 1033: 'Order' } }), type, label('1033')).localised;
    expect(['1033', '1031'].map((culture) => showValue(name?.values[culture]).kind)).toEqual(['text', 'gap']);
  });
});

describe('a value', () => {
  it.each([
    [undefined, { kind: 'gap' }],
    ['', { kind: 'gap' }],
    [[], { kind: 'gap' }],
    [0, { kind: 'number', value: 0 }],
    [false, { kind: 'boolean', value: false }],
    ['1.0', { kind: 'text', text: '1.0' }],
    ['2026-05-07T08:30:00Z', { kind: 'moment', instant: '2026-05-07T08:30:00Z' }],
    ['2026-05-07T08:30:00', { kind: 'moment', instant: '2026-05-07T08:30:00Z' }],
    ['2026-99-07T08:30:00Z', { kind: 'text', text: '2026-99-07T08:30:00Z' }],
    [{ a: 1 }, { kind: 'text', text: '{"a":1}' }],
  ])('%j is shown as %j', (value, shown) => {
    expect(showValue(value)).toEqual(shown);
  });

  it('of links and files leads there', () => {
    const file = { name: 'a.pdf', url: 'https://documents.example/a.pdf', mediaType: 'application/pdf', sizeBytes: 7 };
    expect(showValue([{ title: 'Page', url: 'https://house.example/p' }, file])).toEqual({
      kind: 'links',
      links: [
        { title: 'Page', address: 'https://house.example/p' },
        { title: 'a.pdf', address: 'https://documents.example/a.pdf', sizeBytes: 7 },
      ],
    });
  });

  it.each([['javascript', 'alert(1)'].join(':'), 'data:text/html,x', '//elsewhere', 'file:///etc/passwd'])(
    'that is a link to %s leads nowhere',
    (url) => {
      expect(showValue([{ title: 'Page', url }])).toEqual({ kind: 'links', links: [{ title: 'Page' }] });
    },
  );
});
