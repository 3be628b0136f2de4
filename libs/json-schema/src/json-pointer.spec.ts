import { expect, it } from '@jest/globals';
import { pathOf } from './json-pointer.js';

it.each<[string, readonly string[]]>([
  ['', []],
  ['/a', ['a']],
  ['/a/0/b', ['a', '0', 'b']],
  ['/a~1b/c~0d', ['a/b', 'c~d']],
  ['/~01', ['~1']],
  ['/', ['']],
  ['/a//b', ['a', '', 'b']],
])('reads the path of the pointer %j', (pointer, path) => {
  expect(pathOf(pointer)).toEqual(path);
});

it('leaves what is no escape as it is', () => {
  expect(pathOf('/100%/a b/~2')).toEqual(['100%', 'a b', '~2']);
});
