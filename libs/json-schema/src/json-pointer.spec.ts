import { expect, it } from '@jest/globals';
import { parseJsonPointer } from './json-pointer.js';

it.each<[string, readonly string[]]>([
  ['', []],
  ['/a', ['a']],
  ['/a/0/b', ['a', '0', 'b']],
  ['/a~1b/c~0d', ['a/b', 'c~d']],
  ['/~01', ['~1']],
  ['/', ['']],
  ['/a//b', ['a', '', 'b']],
])('reads the path of the pointer %j', (pointer, path) => {
  expect(parseJsonPointer(pointer)).toEqual(path);
});

it('parseJsonPointer leaves invalid escapes unchanged', () => {
  expect(parseJsonPointer('/100%/a b/~2')).toEqual(['100%', 'a b', '~2']);
});

// Section 5 of RFC 6901.
it.each<[string, string]>([
  ['/foo', 'foo'],
  ['/c%d', 'c%d'],
  ['/e^f', 'e^f'],
  ['/g|h', 'g|h'],
  ['/i\\j', 'i\\j'],
  ['/k"l', 'k"l'],
  ['/ ', ' '],
  ['/m~0n', 'm~n'],
])('reads the example %j of the RFC', (pointer, member) => {
  expect(parseJsonPointer(pointer)).toEqual([member]);
});

it('does not decode an escape twice', () => {
  expect(parseJsonPointer('/~001')).toEqual(['~01']);
});
