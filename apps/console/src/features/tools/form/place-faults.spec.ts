import { describe, expect, it } from '@jest/globals';
import { changeMember, startDraft, type Draft } from './draft.js';
import { placeFaults } from './place-faults.js';
import { readForm } from './read-schema.js';

const form = readForm({
  type: 'object',
  properties: {
    columns: { type: 'array', items: { type: 'string' } },
    'with.dot': { type: 'string' },
    inner: { type: 'object', properties: { a: {}, b: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
  },
});
const draft = startDraft(form, { columns: ['X', 'Y'], inner: { b: 'text' } });

const place = (faults: readonly (readonly [path: string, message: string])[], now: Draft = draft) => {
  const judged = { draft, faults: faults.map(([path, message]) => ({ path, message })) };
  const { atFields, elsewhere } = placeFaults(judged, now);
  return { atFields: Object.fromEntries(atFields), elsewhere: elsewhere.map(({ path }) => path) };
};

describe('faults', () => {
  it('stand at their fields, several of one below each other', () => {
    const found = place([
      ['columns.1', 'unknown name "Y"'],
      ['with.dot', 'is missing'],
      ['inner.b', 'expected string'],
      ['inner.b', 'expected number'],
    ]);
    expect(found).toEqual({
      atFields: {
        'columns.1': 'unknown name "Y"',
        'with.dot': 'is missing',
        'inner.b': 'expected string\nexpected number',
      },
      elsewhere: [],
    });
  });

  it('stand at the nearest field around them, with the rest of the way', () => {
    expect(
      place([
        ['inner.a.x.0', 'expected object'],
        ['columns.7', 'is missing'],
      ]).atFields,
    ).toEqual({
      'inner.a': 'x.0: expected object',
      columns: '7: is missing',
    });
  });

  it('of the whole, and of what is not shown, stand elsewhere', () => {
    expect(
      place([
        ['', 'too many'],
        ['unknown', 'unknown argument'],
        ['col', 'x'],
      ]),
    ).toEqual({
      atFields: {},
      elsewhere: ['', 'unknown', 'col'],
    });
  });

  it('are gone when their field was changed since, and no others', () => {
    if (draft.kind !== 'object') throw new Error('It is no object.');
    const now = changeMember(
      draft,
      1,
      startDraft(form.kind === 'object' ? (form.members[1]?.node ?? form) : form, 'z'),
    );
    expect(
      place(
        [
          ['with.dot', 'is missing'],
          ['columns.0', 'unknown'],
        ],
        now,
      ).atFields,
    ).toEqual({ 'columns.0': 'unknown' });
  });

  it('are none before anything was judged', () => {
    expect(placeFaults(undefined, draft)).toEqual({ atFields: new Map(), elsewhere: [] });
  });
});
