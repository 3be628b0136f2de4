/** Ids become OData names and come back. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { idOf, nameOf, setSuffix } from './names.js';

const memberIds = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/),
  // Made of what escapes are made of, so that they meet.
  fc
    .array(fc.constantFrom('_', '-', 'x', '0', '002D', '005F', '_x002D_', 'L_x004C_', 'A', '__'), { maxLength: 20 })
    .map((parts) => `_${parts.join('')}`.slice(0, 64)),
  fc.stringMatching(/^[_x][-_x0]{40,63}$/),
);
const anyTexts = fc.oneof(
  memberIds,
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.constantFrom('0', '-', '_', '\ud800'),
);
const depths = fc.integer({ min: 0, max: 3 });
const isSimpleIdentifier = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

describe('the name of an id', () => {
  it('is the id where OData allows it', () => {
    for (const id of ['PO_ITEM', '_private', 'x002D_', '_x002d_', '_x002D', '__', 'Order2'])
      expect(nameOf(id)).toBe(id);
  });

  it('escapes what is not allowed, and what looks like an escape', () => {
    expect(nameOf('PO-ITEM')).toBe('PO_x002D_ITEM');
    expect(nameOf('_x002D_')).toBe('_x005F_x002D_');
    expect(nameOf('_x005F-')).toBe('_x005F_x005F_x002D_');
    expect(nameOf('1')).toBe('_x0031_');
    expect(nameOf('Container', 1)).toBe('_x0043_ontainer');
    expect(nameOf('Container', 2)).toBe('_x0043__x006F_ntainer');
  });

  it('stays within what OData allows, with the suffix of a set, however many hyphens there are', () => {
    const id = `A${'-'.repeat(63)}`;
    expect(nameOf(id)).toBe(`L_x004C_0FFFFFFFFFFFFFFFEA${'_'.repeat(63)}`);
    expect(idOf(nameOf(id))).toBe(id);
    expect(idOf(nameOf(id, 1))).toBe(id);
    expect(nameOf(id, 1)).not.toBe(nameOf(id));
    fc.assert(
      fc.property(memberIds, depths, (id, escaped) => {
        const name = nameOf(id, escaped);
        expect(isSimpleIdentifier(name)).toBe(true);
        expect(name.length + setSuffix.length).toBeLessThanOrEqual(128);
      }),
    );
  });

  it('reads back as the same id', () => {
    fc.assert(
      fc.property(anyTexts, depths, (id, escaped) => {
        expect(idOf(nameOf(id, escaped))).toBe(id);
        expect(isSimpleIdentifier(nameOf(id, escaped))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is no name of another id', () => {
    const names = new Map<string, string>();
    fc.assert(
      fc.property(anyTexts, depths, (id, escaped) => {
        const name = nameOf(id, escaped);
        expect(names.get(name) ?? id).toBe(id);
        names.set(name, id);
      }),
      { numRuns: 2_000 },
    );
  });

  it('may be left as it is in a request', () => {
    expect(idOf('PO-ITEM')).toBe('PO-ITEM');
    expect(idOf('_x002d_')).toBe('_x002d_');
    fc.assert(fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,63}$/), (id) => expect(idOf(id)).toBe(id)));
  });
});
