import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { findModel } from './caller-models.js';
import { PublishedModels } from './published-models.js';

const models = (...ids: readonly string[]) => {
  const definition: KnowledgeModelDefinition = { kind: 'KnowledgeModel', id: '', source: { schema: 's' } };
  const stored = ids.map((id) => ({
    id,
    version: 1,
    publishedAt: '',
    digest: id,
    size: 100,
    definition: { ...definition, id },
  }));
  return { models: new PublishedModels(stored, new Map(), () => undefined) };
};
type Stored = ConstructorParameters<typeof PublishedModels>[0];
const detailOf = (catalog: ReturnType<typeof models>, id: string) => {
  const found = findModel(catalog, id);
  return found.ok ? found.value.id : `${found.failure.code}: ${found.failure.detail}`;
};

describe('a model by its id', () => {
  it('is found by exactly that id', () => {
    expect(detailOf(models('p2p.base-km', 'p2p.de-km'), 'p2p.de-km')).toBe('p2p.de-km');
  });

  it.each([
    ['p2p.bas-km', 'There is no knowledge model p2p.bas-km. Did you mean p2p.base-km?'],
    ['P2P.DE-KM', 'There is no knowledge model P2P.DE-KM. Did you mean p2p.de-km?'],
    ['sales', 'There is no knowledge model sales; expected one of p2p.base-km, p2p.de-km.'],
  ])('is not found as %s, and the message names the models of the team', (id, detail) => {
    expect(detailOf(models('p2p.base-km', 'p2p.de-km'), id)).toBe(`KM_MODEL_NOTFOUND: ${detail}`);
  });

  it('is not suggested when it is invalid, and no model is compiled to find a suggestion among many', () => {
    const broken = { kind: 'KnowledgeModel', id: 'broken' } as const;
    const stored = [{ id: 'broken', version: 1, publishedAt: '', digest: 'b', size: 100, definition: broken }];
    const found = (id: string, unavailable: () => void, more: Stored = []) =>
      findModel({ models: new PublishedModels([...stored, ...more], new Map(), unavailable) }, id);
    expect(found('brokn', () => undefined)).toMatchObject({
      failure: { detail: 'There is no knowledge model brokn.' },
    });
    const many = Array.from({ length: 20 }, (_, index) => ({ ...broken, id: `broken-number-${index}` })).map(
      (definition) => ({
        id: definition.id,
        version: 1,
        publishedAt: '',
        digest: definition.id,
        size: 100,
        definition,
      }),
    );
    let compiled = 0;
    found('sales', () => compiled++, many);
    expect(compiled).toBe(0);
  });

  it('is not found for a team without models, and many models are not listed', () => {
    expect(detailOf(models(), 'm')).toBe('KM_MODEL_NOTFOUND: There is no knowledge model m.');
    const many = models(...Array.from({ length: 13 }, (_, index) => `model-${index}`));
    expect(detailOf(many, 'sales')).toBe('KM_MODEL_NOTFOUND: There is no knowledge model sales.');
  });
});
