import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { canonicalJson, digestDefinition, canonicalDigest } from './digest.js';

it('canonicalJson writes members sorted by name', () => {
  const value = { b: [1, { z: null, a: 'ä"' }], a: undefined, '10': true, '9': 0.5 };
  expect(canonicalJson(value)).toBe('{"10":true,"9":0.5,"b":[1,{"a":"ä\\"","z":null}]}');
  expect(canonicalJson(undefined)).toBe('null');
});

it('canonicalDigest is the same for equal values and differs for different ones', () => {
  expect(canonicalDigest({ a: 1, b: 2 })).toEqual(canonicalDigest({ b: 2, a: 1 }));
  expect(canonicalDigest({ a: [1, 2] })).not.toEqual(canonicalDigest({ a: [2, 1] }));
  expect(canonicalDigest({ a: null })).not.toEqual(canonicalDigest({}));
});

it('digestDefinition treats null members as absent and digests the canonical JSON', () => {
  const definition = { id: 'a', list: [{ c: null, b: 1 }], none: null };
  const text = '{"id":"a","list":[{"b":1}]}';
  expect(digestDefinition(definition)).toBe(createHash('sha256').update(text).digest('hex'));
});
