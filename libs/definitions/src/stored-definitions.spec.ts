import { expect, it } from '@jest/globals';
import { parseStoredDefinitions } from './definition.js';
import { testDefinitionKind, createTestDefinition } from './testing/test-kind.js';

it('parses published versions and drafts, and omits what does not parse', async () => {
  const definitions = await parseStoredDefinitions(
    [
      { id: 'a', published: { version: 2, digest: 'aa', definition: createTestDefinition('a') } },
      { id: 'b', draft: { digest: 'bb', definition: { kind: 'Older' } } },
    ],
    testDefinitionKind.parse,
  );
  expect([...definitions]).toEqual([
    ['a', { published: { version: 2, digest: 'aa', definition: createTestDefinition('a') } }],
    ['b', { draft: { digest: 'bb' } }],
  ]);
});
