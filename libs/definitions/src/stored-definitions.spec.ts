import { expect, it } from '@jest/globals';
import { storedDefinitions } from './definition.js';
import { testKind, testDefinition } from './testing/test-kind.js';

it('parses published versions and drafts, and omits what does not parse', async () => {
  const definitions = await storedDefinitions(
    [
      { id: 'a', published: { version: 2, digest: 'aa', definition: testDefinition('a') } },
      { id: 'b', draft: { digest: 'bb', definition: { kind: 'Older' } } },
    ],
    testKind.parse,
  );
  expect([...definitions]).toEqual([
    ['a', { published: { version: 2, digest: 'aa', definition: testDefinition('a') } }],
    ['b', { draft: { digest: 'bb' } }],
  ]);
});
