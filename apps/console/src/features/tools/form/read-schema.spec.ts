import { describe, expect, it } from '@jest/globals';
import type { FormNode } from './form-node.js';
import { readForm } from './read-schema.js';

/** The node of a member `a` with a schema. */
const nodeOf = (schema: object, more: object = {}): FormNode => {
  const form = readForm({ type: 'object', properties: { a: schema }, ...more });
  if (form.kind !== 'object') throw new Error(`The form is ${form.kind}.`);
  const [member] = form.members;
  if (member === undefined) throw new Error('The form has no member.');
  return member.node;
};
const labelsOf = (node: FormNode): readonly string[] =>
  node.kind === 'choice' ? node.choices.map(({ label }) => label) : [];
const kindsOf = (node: FormNode): readonly string[] =>
  node.kind === 'alternatives' ? node.options.map(({ kind }) => kind) : [];

describe('a form', () => {
  it('has the members of the schema in their order, with what is required', () => {
    const form = readForm({
      type: 'object',
      required: ['b'],
      properties: {
        b: { type: 'string' },
        a: { type: 'integer', default: 5, title: 'Page', description: ' Of rows. ' },
      },
      additionalProperties: false,
    });
    expect(form).toEqual({
      ...{ kind: 'object', isRequired: true },
      members: [
        { name: 'b', node: { kind: 'text', isRequired: true, isLong: false, isSecret: false, mayBeEmpty: false } },
        {
          name: 'a',
          node: { kind: 'number', isRequired: false, standard: 5, title: 'Page', description: 'Of rows.' },
        },
      ],
    });
  });

  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'number' }, 'number'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'boolean' }, 'choice'],
    [{ type: 'boolean', default: false }, 'flag'],
    [{ enum: ['a', 1] }, 'choice'],
    [{ const: 'a' }, 'choice'],
    [{ type: 'null' }, 'choice'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ type: 'object', properties: {}, additionalProperties: false }, 'object'],
    [{ type: ['string', 'null'] }, 'alternatives'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'alternatives'],
    [{ oneOf: [{ type: 'string' }] }, 'text'],
    [{ allOf: [{ type: 'string' }] }, 'text'],
  ])('shows %j as %s', (schema, kind) => {
    expect(nodeOf(schema).kind).toBe(kind);
  });

  it.each([
    [{}],
    [true],
    [{ type: 'object' }],
    [{ type: 'object', additionalProperties: { type: 'string' } }],
    [{ type: 'object', properties: { b: {} }, additionalProperties: true }],
    [{ type: 'object', properties: { b: {} }, patternProperties: { '^x': {} } }],
    [{ type: 'array' }],
    [{ type: 'array', prefixItems: [{}], items: { type: 'string' } }],
    [{ allOf: [{ type: 'string' }, { minLength: 2 }] }],
    [{ $ref: 'https://elsewhere.example/schema' }],
    [{ anyOf: [] }],
  ])('asks for JSON where it cannot show %j', (schema) => {
    expect(nodeOf(schema as object).kind).toBe('json');
  });

  it('follows references within the schema', () => {
    const $defs = { plant: { enum: ['1010', '3010'], description: 'A plant.' } };
    const node = nodeOf({ $ref: '#/$defs/plant', description: 'Where.' }, { $defs });
    expect([labelsOf(node), node.description]).toEqual([['1010', '3010'], 'Where.']);
  });

  it('explains choices beside which something else may be written', () => {
    const items = { anyOf: [{ enum: ['RATE', 'COUNT'] }, { type: 'string' }] };
    const node = nodeOf({ type: 'array', items, description: 'What to load.\nRATE: Maverick buying' });
    const [choice] = node.kind === 'list' && node.item.kind === 'alternatives' ? node.item.options : [];
    expect(choice?.kind === 'choice' && choice.choices.map(({ description }) => description)).toEqual([
      'Maverick buying',
      undefined,
    ]);
    expect(node.description).toBe('What to load.');
  });

  it('ends at a level where nobody finds their way', () => {
    const deep = Array.from({ length: 20 }).reduce<object>((items) => ({ type: 'array', items }), { type: 'string' });
    let node = nodeOf(deep);
    while (node.kind === 'list') node = node.item;
    expect(node.kind).toBe('json');
  });

  it('hides secrets, gives long texts room, and shows how something is written', () => {
    expect(nodeOf({ type: 'string', format: 'password' })).toMatchObject({ isSecret: true });
    expect(nodeOf({ type: 'string', writeOnly: true })).toMatchObject({ isSecret: true });
    expect(nodeOf({ type: 'string', maxLength: 4_000 })).toMatchObject({ isLong: true });
    expect(nodeOf({ type: 'string', format: 'date' })).toMatchObject({ placeholder: 'YYYY-MM-DD' });
    expect(nodeOf({ type: 'string', format: 'date', examples: ['2026-06-30'] })).toMatchObject({
      placeholder: '2026-06-30',
    });
  });
});

describe('choices', () => {
  it('are made of alternatives that are single values, with their words', () => {
    const node = nodeOf({
      oneOf: [{ const: 'a', title: 'First', description: 'The first.' }, { enum: ['b', 'c'] }, { type: 'null' }],
    });
    expect(labelsOf(node)).toEqual(['First', 'b', 'c', 'null']);
    expect(node).toMatchObject({ choices: [{ description: 'The first.' }, {}, {}, { value: null }] });
  });

  it('have the explanations that a description has in lines of their own', () => {
    const node = nodeOf({ description: 'A KPI.\nRATE: Maverick buying\nX: of nothing', enum: ['RATE', 'VALUE'] });
    expect(node).toMatchObject({
      description: 'A KPI.\nX: of nothing',
      choices: [{ label: 'RATE', description: 'Maverick buying' }, { label: 'VALUE' }],
    });
  });

  it('of the entries of a list are explained by the list', () => {
    const items = { enum: ['RATE'] };
    const node = nodeOf({ type: 'array', items, description: 'RATE: Maverick buying' });
    expect(node.description).toBeUndefined();
    expect(node).toMatchObject({ item: { choices: [{ description: 'Maverick buying' }] } });
  });
});

describe('alternatives', () => {
  it('are one for each type, and what stands beside them holds for each', () => {
    const node = nodeOf({ type: ['string', 'number', 'null'], maxLength: 5_000, description: 'Any.' });
    expect(kindsOf(node)).toEqual(['text', 'number', 'choice']);
    expect(node).toMatchObject({ description: 'Any.', options: [{ isLong: true }, {}, {}] });
    expect(kindsOf(nodeOf({ type: 'object', anyOf: [{ properties: { b: {} } }, { properties: { c: {} } }] }))).toEqual([
      ...['object', 'object'],
    ]);
  });
});
