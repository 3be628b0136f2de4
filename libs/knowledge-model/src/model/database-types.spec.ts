/** Types of columns, and the page that tells of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { columnReadingOf, databaseTypes, fieldTypeOf } from './database-types.js';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/databases.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('docs/databases.md', () => {
  it('has the table of the types', () => {
    const told = rows.flatMap(([types = '', ...told]) =>
      [...types.replace('an enumeration', '`enumeration`').matchAll(/`([^`]+)`/g)].map(([, name]) => [name, ...told]),
    );
    const expected = [...databaseTypes].map(([name, { field, readAs, equality, isOrderedAsText }]) => {
      const isText = field === 'string' && readAs === undefined;
      const isServed = readAs === undefined || equality !== undefined;
      const isSorted = readAs === undefined || isOrderedAsText === true;
      return [name, field, isServed ? 'yes' : 'no', isText ? 'in the collation `C`' : isSorted ? 'yes' : 'no'];
    });
    expect(told.sort()).toEqual(expected.sort());
    expect(rows.at(-1)).toEqual(['every other type', fieldTypeOf('point'), 'no', 'no']);
  });
});

describe('the reading of a column', () => {
  const type = { schema: 'shop', name: 'mood', shown: 'mood', isEnumeration: false, isDomain: false, isNameable: true };

  it.each([
    ['an enumeration', { isEnumeration: true }, { schema: 'shop', name: 'mood', equality: 'exact' }],
    [
      'a type with a name of the page in another schema',
      { name: 'uuid', shown: 'shop.uuid' },
      { schema: 'shop', name: 'uuid' },
    ],
    [
      'a type that is called enumeration',
      { name: 'enumeration', shown: 'enumeration' },
      { schema: 'shop', name: 'enumeration' },
    ],
    [
      'citext of any schema',
      { name: 'citext', shown: 'shop.citext' },
      { schema: 'shop', name: 'citext', equality: 'index', hasOwnOperators: true },
    ],
  ])('is text for %s', (_, more, read) => {
    expect(columnReadingOf({ ...type, ...more })).toEqual({ kind: 'text', type: read });
  });

  it('is its base type for a domain, and nothing for what fields have as it is', () => {
    const text = { ...type, schema: 'pg_catalog', name: 'varchar', shown: 'character varying' };
    expect(columnReadingOf(text)).toBeUndefined();
    expect(columnReadingOf({ ...text, isDomain: true })).toEqual({
      kind: 'cast',
      type: { schema: 'pg_catalog', name: 'varchar' },
    });
  });

  it('uses no index where texts cannot be made values of the type', () => {
    expect(columnReadingOf({ ...type, isEnumeration: true, isDomain: true, isNameable: false })).toEqual({
      kind: 'text',
      type: { schema: 'shop', name: 'mood' },
    });
  });
});
