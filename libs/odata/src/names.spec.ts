/** Ids become OData names and come back. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromODataName, toODataName, entitySetSuffix } from './names.js';

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

describe('the OData name of an id', () => {
  it('is the id where OData allows it', () => {
    for (const id of ['PO_ITEM', '_private', 'x002D_', '_x002d_', '_x002D', '__', 'Order2'])
      expect(toODataName(id)).toBe(id);
  });

  it('escapes characters that are not allowed, and texts that look like an escape', () => {
    expect(toODataName('PO-ITEM')).toBe('PO_x002D_ITEM');
    expect(toODataName('_x002D_')).toBe('_x005F_x002D_');
    expect(toODataName('_x005F-')).toBe('_x005F_x005F_x002D_');
    expect(toODataName('1')).toBe('_x0031_');
    expect(toODataName('Container', 1)).toBe('_x0043_ontainer');
    expect(toODataName('Container', 2)).toBe('_x0043__x006F_ntainer');
  });

  it('is at most 128 characters long with the suffix of an entity set, for any number of hyphens', () => {
    const id = `A${'-'.repeat(63)}`;
    expect(toODataName(id)).toBe(`L_x004C_0FFFFFFFFFFFFFFFEA${'_'.repeat(63)}`);
    expect(fromODataName(toODataName(id))).toBe(id);
    expect(fromODataName(toODataName(id, 1))).toBe(id);
    expect(toODataName(id, 1)).not.toBe(toODataName(id));
    fc.assert(
      fc.property(memberIds, depths, (id, escaped) => {
        const name = toODataName(id, escaped);
        expect(isSimpleIdentifier(name)).toBe(true);
        expect(name.length + entitySetSuffix.length).toBeLessThanOrEqual(128);
      }),
    );
  });

  it('is converted back to the same id', () => {
    fc.assert(
      fc.property(anyTexts, depths, (id, escaped) => {
        expect(fromODataName(toODataName(id, escaped))).toBe(id);
        expect(isSimpleIdentifier(toODataName(id, escaped))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('differs from the names of all other ids', () => {
    const names = new Map<string, string>();
    fc.assert(
      fc.property(anyTexts, depths, (id, escaped) => {
        const name = toODataName(id, escaped);
        expect(names.get(name) ?? id).toBe(id);
        names.set(name, id);
      }),
      { numRuns: 2_000 },
    );
  });

  it('may be replaced by the plain id in a request', () => {
    expect(fromODataName('PO-ITEM')).toBe('PO-ITEM');
    expect(fromODataName('_x002d_')).toBe('_x002d_');
    fc.assert(fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,63}$/), (id) => expect(fromODataName(id)).toBe(id)));
  });
});
