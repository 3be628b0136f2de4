import { describe, expect, it } from '@jest/globals';
import type { AttributeDefinition, AttributeValues, StorageDefinition } from '@tessera/contracts';
import { checkElement } from './check-element.js';
import { normaliseDefinition } from './storage-model.js';
import { sampleDefinition } from './testing/sample-storage.js';

const storageWith = (attribute: Omit<AttributeDefinition, 'name'>) => {
  const type = { name: 'thing', facet: 'users', displayNames: {}, attributes: [{ name: 'value', ...attribute }] };
  const definition: StorageDefinition = { ...sampleDefinition, types: [...sampleDefinition.types, type] };
  return normaliseDefinition(definition);
};

const messagesOf = (attribute: Omit<AttributeDefinition, 'name'>, attributes: AttributeValues): readonly string[] =>
  checkElement(storageWith(attribute), { id: 'a', type: 'thing', attributes }).map(({ message }) => message);

const link = [{ url: 'https://x.example' }];

describe('the value of an attribute', () => {
  it.each([
    ['string', ['', 'text'], [1, true, link], 'a text'],
    ['number', [0, -1.5, 1e300], ['1', false, link], 'a number'],
    ['boolean', [true, false], ['true', 0], 'true or false'],
    ['link', [link, []], ['https://x.example', 1], 'a list of links'],
    ['file', [link], [true], 'a list of files'],
  ] as const)('of the type %s must be of the matching JSON type', (type, right, wrong, expected) => {
    for (const value of right)
      expect(messagesOf({ type }, { value: typeof value === 'object' ? [...value] : value })).toEqual([]);
    for (const value of wrong)
      expect(messagesOf({ type }, { value: typeof value === 'object' ? [...value] : value })).toEqual([
        expect.stringContaining(`expected ${expected}, got`),
      ]);
  });

  it.each([
    '2026-06-30T00:00:00',
    '2026-06-30T23:59:59.9999999',
    '2024-02-29T12:00:00',
    '9999-12-31T00:00:00',
    '0001-01-01T00:00:00',
  ])('may be the date-time %s', (value) => expect(messagesOf({ type: 'date-time' }, { value })).toEqual([]));

  it.each([
    '2026-06-30',
    '2026-06-30T00:00',
    '2026-06-30T00:00:00Z',
    '2026-06-30T00:00:00+02:00',
    '2025-02-29T12:00:00',
    '2026-04-31T00:00:00',
    '2026-13-01T00:00:00',
    '2026-06-30T24:00:00',
    '2026-06-30 00:00:00',
    '2026-06-30T00:00:00.12345678',
    '',
    '0000-05-30T00:00:00',
  ])('may not be the date-time "%s"', (value) =>
    expect(messagesOf({ type: 'date-time' }, { value })).toEqual([
      expect.stringContaining('expected a date-time without zone'),
    ]),
  );

  it('may have a culture only when the attribute is localised and the storage has the culture', () => {
    expect(messagesOf({ localised: true }, { value: { 1033: 'a', 1031: 'b', 127: 'c' } })).toEqual([]);
    expect(messagesOf({}, { value: { 127: 'c' } })).toEqual([]);
    expect(messagesOf({}, { value: { 1033: 'a' } })).toEqual(['"value" is not localised; expected one value']);
    expect(messagesOf({ localised: true }, { value: { 1036: 'a' } })).toEqual([
      'unknown culture "1036"; did you mean "1033"?',
    ]);
    expect(messagesOf({ localised: true, type: 'number' }, { value: { 1033: 'a' } })).toEqual([
      'expected a number, got the string "a"',
    ]);
  });

  it('is required for a mandatory attribute, in each mandatory culture unless the value is language-neutral', () => {
    expect(messagesOf({ mandatory: true }, {})).toEqual(['the attribute "value" is mandatory']);
    expect(messagesOf({ mandatory: true }, { value: '' })).toEqual(['the attribute "value" is mandatory']);
    expect(messagesOf({ mandatory: true }, { value: ' \n' })).toEqual(['the attribute "value" is mandatory']);
    expect(messagesOf({ mandatory: true, type: 'link' }, { value: [] })).toEqual([
      'the attribute "value" is mandatory',
    ]);
    expect(messagesOf({ mandatory: true }, { VALUE: 'x' })).toEqual([]);
    const both = { localised: true, mandatoryCultures: [1033, 1031] };
    expect(messagesOf(both, { value: { 1033: 'a' } })).toEqual(['"value" is mandatory in the culture 1031']);
    expect(messagesOf(both, { value: { 1033: 'a', 1031: ' ' } })).toEqual(['"value" is mandatory in the culture 1031']);
    expect(messagesOf(both, { value: { 127: '', 1033: 'a', 1031: 'b' } })).toEqual([]);
    expect(messagesOf(both, { value: { 127: '', 1033: ' ' } })).toEqual(['the attribute "value" is mandatory']);
    expect(messagesOf(both, { value: 'the same' })).toEqual([]);
    expect(messagesOf(both, {})).toEqual(['the attribute "value" is mandatory']);
  });

  it('is rejected for system attributes that a file may not set', () => {
    for (const name of ['state1', 'gotoUrl', 'State1'])
      expect(messagesOf({}, { [name]: 'x' })).toEqual([expect.stringContaining('is kept by the server')]);
    expect(
      messagesOf(
        {},
        { createdOn: '2020-01-01T00:00:00', changedOn: '2020-01-01T00:00:00', authorNote: { 1033: 'note' } },
      ),
    ).toEqual([]);
    expect(messagesOf({}, { createdOn: 'yesterday' })).toEqual([expect.stringContaining('date-time')]);
    expect(messagesOf({}, { majorVersion: 1 })).toEqual([
      expect.stringContaining('unknown attribute of "thing" "majorVersion"'),
    ]);
  });
});
