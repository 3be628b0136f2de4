import { expect, it } from '@jest/globals';
import { storedDefinitions } from './stored-definitions.js';
import { trialKind, trialOf } from './testing/trial-kind.js';

it('has what is published and what is drafted, each as far as it parses', async () => {
  const definitions = await storedDefinitions(
    [
      { id: 'a', published: { version: 2, digest: 'aa', definition: trialOf('a') } },
      { id: 'b', draft: { digest: 'bb', definition: { kind: 'Older' } } },
    ],
    trialKind.parse,
  );
  expect([...definitions]).toEqual([
    ['a', { published: { version: 2, digest: 'aa', definition: trialOf('a') } }],
    ['b', { draft: { digest: 'bb' } }],
  ]);
});
