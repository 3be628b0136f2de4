import { expect, it } from '@jest/globals';
import { PublishedModels } from './published-models.js';

const broken = (id: string) => ({ kind: 'KnowledgeModel', id }) as const;

it('PublishedModels yields to the event loop between models while it compiles all of them', async () => {
  const stored = Array.from({ length: 5 }, (_, index) => broken(`m${index}`)).map((definition) => ({
    id: definition.id,
    version: 1,
    publishedAt: '',
    digest: definition.id,
    size: 100,
    definition,
  }));
  const compiled: string[] = [];
  const models = new PublishedModels(stored, new Map(), (id) => void compiled.push(id));
  const whole = models.whole();
  expect(compiled).toEqual(['m0']);
  await whole;
  expect(compiled).toEqual(models.ids);
  expect(models.size).toBe(0);
});
