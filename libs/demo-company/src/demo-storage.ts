/**
 * A storage of the demo: its definition, and the elements of each facet in tree order, made as they are read.
 */
import { normaliseDefinition, findType, type StorageModel } from '@tessera/content-model';
import type { ElementDocument, StorageDefinition } from '@tessera/contracts';
import { cultureByLanguage, languages, type DemoElement } from './draft.js';
import { generateElementWithHistory, type HistoryOptions } from './generate-history.js';

export type DemoStorage = {
  readonly definition: StorageDefinition;
  readonly model: StorageModel;
  /** In the order of the definition; nothing is kept, a facet can be large. */
  readonly elements: ReadonlyMap<string, Iterable<ElementDocument>>;
};

export const createDemoStorage = (
  definition: StorageDefinition,
  facets: Readonly<Record<string, () => Iterable<DemoElement>>>,
  around: Pick<HistoryOptions, 'people'>,
): DemoStorage => {
  const model = normaliseDefinition(definition);
  const surroundings = {
    ...around,
    isVersioned: (type: string) => findType(model, type)?.versioned ?? false,
    absent: languages.filter((language) => !model.cultures.includes(Number(cultureByLanguage[language]))),
  };
  const elements = definition.facets.map(
    ({ name }) => [name, elementsWithHistory(facets[name], surroundings)] as const,
  );
  return { definition, model, elements: new Map(elements) };
};

const elementsWithHistory = (
  drafts: (() => Iterable<DemoElement>) | undefined,
  around: HistoryOptions,
): Iterable<ElementDocument> => ({
  *[Symbol.iterator]() {
    let ordinal = 0;
    for (const draft of drafts?.() ?? []) {
      yield generateElementWithHistory(draft, ordinal, around);
      ordinal += 1;
    }
  },
});
