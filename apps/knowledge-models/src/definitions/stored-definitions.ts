/** The definitions of a team: its models as a kind of definitions, its tables beside them. */
import {
  KnowledgeModelDefinition,
  modelDeleted,
  modelPublished,
  type TableDefinition,
} from '@tessera/contracts/knowledge-models';
import type { DefinitionKind, StoredDefinitions } from '@tessera/definitions';
import { versionedModelDefinitions } from './definitions.repository.js';

export type Definition = KnowledgeModelDefinition | TableDefinition;

/** What a change of a model breaks depends on the models around it, so it is compared where these are known. */
export const modelDefinitionKind: Omit<DefinitionKind<KnowledgeModelDefinition>, 'compare'> = {
  tables: versionedModelDefinitions,
  parse: (stored) => {
    const read = KnowledgeModelDefinition.safeParse(stored);
    return read.success ? read.data : undefined;
  },
  publishedEvent: (modelId, version) => ({ event: modelPublished, data: { modelId, version } }),
  deletedEvent: (modelId) => ({ event: modelDeleted, data: { modelId } }),
};

export type StoredModels = StoredDefinitions<KnowledgeModelDefinition>;
type StoredModel = StoredModels extends ReadonlyMap<string, infer Model> ? Model : never;

/** What a definition is called among those of its kind. */
export const nameOfDefinition = (definition: Definition): string =>
  definition.kind === 'Table' ? `${definition.schema}.${definition.id}` : definition.id;

export const publishedDefinitions = (models: StoredModels): ReadonlyMap<string, KnowledgeModelDefinition> =>
  definitionsIn(models, ({ published }) => published?.definition);

/** With drafts in place of what is published. */
export const draftOrPublishedDefinitions = (models: StoredModels): ReadonlyMap<string, KnowledgeModelDefinition> =>
  definitionsIn(models, ({ draft, published }) => draft?.definition ?? published?.definition);

const definitionsIn = (
  models: StoredModels,
  pick: (model: StoredModel) => KnowledgeModelDefinition | undefined,
): ReadonlyMap<string, KnowledgeModelDefinition> =>
  new Map(
    [...models].flatMap(([id, model]) => {
      const definition = pick(model);
      return definition ? [[id, definition] as const] : [];
    }),
  );
