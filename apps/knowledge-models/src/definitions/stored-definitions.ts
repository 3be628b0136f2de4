/**
 * The definitions of a team as they are stored, parsed. What does not parse any more is not there for those that build on
 * it, but its digest and version are.
 */
import type { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';

export type Definition = KnowledgeModelDefinition | TableDefinition;

type Stored<D> = { readonly digest: string; readonly definition?: D };

export type StoredModel = {
  readonly published?: Stored<KnowledgeModelDefinition> & { readonly version: number };
  readonly draft?: Stored<KnowledgeModelDefinition>;
};
export type StoredTable = Stored<TableDefinition>;

export type StoredDefinitions = {
  /** By id. */
  readonly models: ReadonlyMap<string, StoredModel>;
  /** By `schema.id`. */
  readonly tables: ReadonlyMap<string, StoredTable>;
};

/** What a definition is called among those of its kind. */
export const nameOfDefinition = (definition: Definition): string =>
  definition.kind === 'Table' ? `${definition.schema}.${definition.id}` : definition.id;

export const publishedDefinitions = ({ models }: StoredDefinitions): ReadonlyMap<string, KnowledgeModelDefinition> =>
  definitionsIn(models, ({ published }) => published?.definition);

/** With drafts in place of what is published. */
export const draftedDefinitions = ({ models }: StoredDefinitions): ReadonlyMap<string, KnowledgeModelDefinition> =>
  definitionsIn(models, ({ draft, published }) => draft?.definition ?? published?.definition);

const definitionsIn = (
  models: StoredDefinitions['models'],
  pick: (model: StoredModel) => KnowledgeModelDefinition | undefined,
): ReadonlyMap<string, KnowledgeModelDefinition> =>
  new Map(
    [...models].flatMap(([id, model]) => {
      const definition = pick(model);
      return definition ? [[id, definition] as const] : [];
    }),
  );
