import { describe, expect, it } from '@jest/globals';
import { addEntry, changeEntry, changeMember, changeOption, removeEntry, startDraft, type Draft } from './draft.js';
import { readDraft } from './read-draft.js';
import { readForm } from './read-schema.js';

const schema = {
  type: 'object',
  required: ['columns', 'reason'],
  properties: {
    columns: { type: 'array', items: { enum: ['RATE', 'VALUE'] } },
    reason: { type: 'string', minLength: 3 },
    page: { type: 'integer', default: 0 },
    ascending: { type: 'boolean', default: true },
    note: { type: ['string', 'null'] },
    token: { type: 'string', writeOnly: true },
    filters: {
      type: 'object',
      required: ['kind', 'value'],
      properties: {
        kind: { const: 'equals' },
        value: { type: 'number' },
        negation: { type: 'boolean', default: false },
      },
    },
    more: {},
    limit: {
      anyOf: [{ type: 'integer' }, { type: 'object', required: ['share'], properties: { share: { type: 'number' } } }],
    },
  },
};
const form = readForm(schema);
const start = (given?: unknown): Draft => startDraft(form, given);
const valueOf = (draft: Draft): unknown => readDraft(draft).value;

const objectIn = (draft: Draft) => {
  if (draft.kind !== 'object') throw new Error(`The draft is ${draft.kind}.`);
  return draft;
};
const memberOf = (draft: Draft, name: string) => {
  const object = objectIn(draft);
  const at = object.node.members.findIndex((member) => member.name === name);
  const member = object.members[at];
  if (member === undefined) throw new Error(`There is no ${name}.`);
  return { object, at, member };
};
const change = (draft: Draft, name: string, how: (member: Draft) => Draft): Draft => {
  const { object, at, member } = memberOf(draft, name);
  return changeMember(object, at, how(member));
};
const typeText = (draft: Draft, name: string, text: string): Draft =>
  change(draft, name, (member) => {
    if (member.kind !== 'text' && member.kind !== 'json') throw new Error(`${name} is ${member.kind}.`);
    return { ...member, text };
  });

describe('arguments', () => {
  const full = {
    ...{ columns: ['RATE'], reason: 'Paid', page: 2, ascending: false, note: null, token: 'x' },
    ...{ filters: { kind: 'equals', value: 1, negation: true }, more: { any: [1] }, limit: { share: 0.5 } },
  };

  it('are filled in and read again as they were', () => {
    expect(readDraft(start(full))).toEqual({ isGiven: true, value: full, faults: [] });
  });

  it('leave out what is empty, and what holds anyway', () => {
    const least = { columns: [], reason: 'Paid' };
    expect(valueOf(start(least))).toEqual(least);
    expect(valueOf(start({ ...least, page: 0, ascending: true }))).toEqual(least);
  });

  it('for others have no secrets', () => {
    const { token: _, ...rest } = full;
    expect(readDraft(start(full), { withoutSecrets: true }).value).toEqual(rest);
  });

  it.each([
    [{ columns: 'RATE', reason: 1, page: 'x', note: 5, filters: [], constructor: 1 }, { columns: [] }],
    [{ columns: ['NONE', 'VALUE'] }, { columns: ['VALUE'] }],
    ['text', { columns: [] }],
    [null, { columns: [] }],
  ])('pass over what does not fit: %j', (given, value) => {
    expect(valueOf(start(given))).toEqual(value);
  });

  it('that are missing are named with their place', () => {
    expect(readDraft(start({ columns: ['NONE'] })).faults).toEqual([
      { path: 'columns.0', rule: 'required' },
      { path: 'reason', rule: 'required' },
    ]);
    expect(readDraft(start({ columns: [], reason: 'Paid', filters: { negation: true } })).faults).toEqual([
      { path: 'filters.value', rule: 'required' },
    ]);
  });

  it('as JSON are checked', () => {
    const draft = typeText(start({ columns: [], reason: 'Paid' }), 'more', '{"a": ');
    expect(readDraft(draft).faults).toEqual([{ path: 'more', rule: 'json' }]);
    expect(valueOf(typeText(draft, 'more', '[1]'))).toEqual({ columns: [], reason: 'Paid', more: [1] });
  });

  it('may be an empty text where the schema says so', () => {
    const empty = readForm({ type: 'object', required: ['a'], properties: { a: { type: 'string', minLength: 0 } } });
    expect(readDraft(startDraft(empty)).value).toEqual({ a: '' });
  });
});

describe('a list', () => {
  const list = () => {
    const { member } = memberOf(start({ columns: ['RATE', 'VALUE'] }), 'columns');
    if (member.kind !== 'list') throw new Error('It is no list.');
    return member;
  };

  it('keeps the keys of its entries when others come and go', () => {
    const changed = addEntry(removeEntry(list(), 0));
    expect(changed.entries.map(({ key }) => key)).toEqual([1, 2]);
    expect(addEntry(removeEntry(removeEntry(list(), 0), 1)).entries.map(({ key }) => key)).toEqual([0]);
  });

  it('has the changed entry in its place', () => {
    const other = startDraft(list().node.item, 'RATE');
    expect(readDraft(changeEntry(list(), 1, other)).value).toEqual(['RATE', 'RATE']);
  });
});

describe('alternatives', () => {
  const limitOf = (given: unknown) => {
    const { member } = memberOf(start({ limit: given }), 'limit');
    if (member.kind !== 'alternatives') throw new Error('It is no choice.');
    return member;
  };

  it('begin with the one that what is given is of', () => {
    expect([limitOf(3).chosen, limitOf({ share: 1 }).chosen, limitOf(undefined).chosen]).toEqual([0, 1, 0]);
  });

  it('keep what was entered for each', () => {
    const other = startDraft(limitOf(3).node.options[1] ?? form, { share: 0.1 });
    const both = changeOption(limitOf(3), 1, other);
    expect([readDraft(both).value, readDraft({ ...both, chosen: 1 }).value]).toEqual([3, { share: 0.1 }]);
    expect(readDraft({ ...both, chosen: undefined }).isGiven).toBe(false);
  });

  it('know objects by their marks', () => {
    const marked = (mark: string) => ({ type: 'object', required: ['kind'], properties: { kind: { const: mark } } });
    const node = readForm({
      type: 'object',
      required: ['a'],
      properties: { a: { anyOf: [marked('x'), marked('y')] } },
    });
    const { member } = memberOf(startDraft(node, { a: { kind: 'y' } }), 'a');
    expect(member).toMatchObject({ kind: 'alternatives', chosen: 1 });
    expect(valueOf(startDraft(node))).toEqual({ a: { kind: 'x' } });
  });
});
