/** The types of a facet, as their list says them. */
import type { FacetModel, StorageModel, TypeModel } from '@tessera/content-model';

export const presentTypes = (model: StorageModel, { name: facet }: FacetModel) =>
  model.types.filter((type) => type.facet === facet).map((type) => presentType(model, type));

const presentType = ({ relations }: StorageModel, type: TypeModel) => {
  const { name, displayNames, versioned, states, transitions, childTypes, contentTypes } = type;
  return {
    ...{ name, displayNames, versioned },
    attributes: type.attributes.map((attribute) => ({
      name: attribute.name,
      displayNames: attribute.displayNames,
      type: attribute.type,
      localised: attribute.localised,
      mandatory: attribute.mandatory,
      mandatoryCultures: attribute.mandatoryCultures,
      isSystem: attribute.isSystem,
    })),
    relations: relations
      .filter(({ from }) => from?.includes(name) ?? true)
      .map((relation) => ({
        name: relation.name,
        displayNames: relation.displayNames,
        ...(relation.to && { to: relation.to }),
        many: relation.many,
        isSystem: relation.isSystem,
      })),
    ...{ states, transitions, childTypes, contentTypes },
  };
};
