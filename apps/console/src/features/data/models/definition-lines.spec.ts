import { expect, it } from '@jest/globals';
import { lineOfPath, linesOfDefinition } from './definition-lines.js';

const definition = {
  kind: 'KnowledgeModel',
  id: 'sales',
  name: '<b>"نص"\n</b>',
  extends: null,
  missing: undefined,
  records: [
    {
      id: 'ITEM',
      identifier: [],
      attributes: [
        { id: 'NO', column: 'no' },
        { id: 'AMOUNT', exact: true },
      ],
    },
    { id: 'ORDER', on: {} },
  ],
};
const lines = linesOfDefinition(definition);

it('a definition is written as JSON is', () => {
  for (const value of [definition, {}, [], [1, [2]], 'x', null])
    expect(
      linesOfDefinition(value)
        .map(({ text }) => text)
        .join('\n'),
    ).toBe(JSON.stringify(value, null, 2));
});

it('marks of direction are escaped: they would turn around the lines', () => {
  const [, line] = linesOfDefinition({ 'a\u2066': 'x\u202ey' });
  expect(line?.text).toBe('  "a\\u2066": "x\\u202ey"');
  expect(JSON.parse(`{${line?.text}}`)).toEqual({ 'a\u2066': 'x\u202ey' });
});

it.each([
  ['id', '  "id": "sales",'],
  ['records.0.attributes.1.exact', '          "exact": true'],
  ['records.1', '    {'],
  ['records.0.attributes.1.nothing.there', '        {'],
  ['nothing', '{'],
  ['', '{'],
])('%s stands in its line', (path, expected) => {
  expect(lines[lineOfPath(lines, path) - 1]?.text).toBe(expected);
});

it('the nearest thing around a path is the one that holds it', () => {
  const [record, attribute] = ['records.0', 'records.0.attributes.1'].map((path) => lineOfPath(lines, path));
  expect([lineOfPath(lines, 'records.0.x'), lineOfPath(lines, 'records.0.attributes.1.x')]).toEqual([
    record,
    attribute,
  ]);
});
