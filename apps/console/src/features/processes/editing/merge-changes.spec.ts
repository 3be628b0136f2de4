import { describe, expect, it } from '@jest/globals';
import type { EditorField, FieldValues } from './editor-fields.js';
import { findDifferences, mergeValues, openConflicts, sideOf } from './merge-changes.js';

const field = (id: string): EditorField => ({
  ...{ id, member: 'attributes', name: id, label: id, culture: undefined, kind: 'text' },
  ...{ isMandatory: false, to: undefined, isMany: false },
});
const names = ['untouched', 'mine', 'theirs', 'both', 'same'] as const;
const fields = names.map(field);
const values = (texts: Readonly<Record<string, string>>): FieldValues =>
  Object.fromEntries(names.map((name) => [name, { kind: 'text', text: texts[name] ?? 'before' }]));
const states = {
  before: values({}),
  mine: values({ mine: 'my text', both: 'my text', same: 'new' }),
  theirs: values({ theirs: 'their text', both: 'their text', same: 'new' }),
};
const differences = findDifferences(fields, states);
const textsOf = (merged: FieldValues) =>
  names.map((name) => (merged[name]?.kind === 'text' ? merged[name].text : undefined));

describe('two changes of one version', () => {
  it('differ where the other one changed what is not the same here', () => {
    expect(differences.map(({ field: { id }, isConflict }) => [id, isConflict])).toEqual([
      ['theirs', false],
      ['both', true],
    ]);
  });

  it('leave what both changed to a person', () => {
    expect(openConflicts(differences, {}).map((each) => each.field.id)).toEqual(['both']);
    expect(openConflicts(differences, { both: 'mine' })).toEqual([]);
    expect(differences.map((each) => sideOf(each, { theirs: 'mine' }))).toEqual(['mine', undefined]);
  });

  it('become one: nothing that was typed is lost, and nothing that the other one saved', () => {
    expect(textsOf(mergeValues(states.mine, differences, { both: 'mine' }))).toEqual([
      'before',
      'my text',
      'their text',
      'my text',
      'new',
    ]);
    expect(textsOf(mergeValues(states.mine, differences, { both: 'theirs', theirs: 'mine' }))).toEqual([
      'before',
      'my text',
      'before',
      'their text',
      'new',
    ]);
  });

  it('are none when the other one changed nothing that is shown', () => {
    expect(findDifferences(fields, { ...states, theirs: states.before })).toEqual([]);
  });
});
