/** A key of a filter -> what it means in a facet: a column, or the attributes of that name. */
import { findNearestName } from '@tessera/failures';
import type { AttributeType } from '@tessera/contracts';
import type { FacetModel, StorageModel } from '@tessera/content-model';
import type { ExpressionFault, FilterField } from '@tessera/filter';

const columnFields = ['type', 'state', 'stereotype'] as const;
export type ColumnField = (typeof columnFields)[number];

/** Types may spell an attribute differently or give it another type; then there are several. */
export type AttributeField = { readonly name: string; readonly type: AttributeType };

export type ResolvedField =
  | { readonly kind: 'column'; readonly column: ColumnField }
  | { readonly kind: 'attributes'; readonly attributes: readonly AttributeField[] };

export const resolveField = (
  field: FilterField,
  model: StorageModel,
  facet: FacetModel | undefined,
): ResolvedField | ExpressionFault => {
  const key = field.name.toLowerCase();
  const column = columnFields.find((name) => name === key);
  if (column) return { kind: 'column', column };
  const types = facet ? model.types.filter((type) => type.facet === facet.name) : model.types;
  const found = new Map<string, AttributeField>();
  for (const type of types) {
    const attribute = type.attributeByName.get(key);
    if (attribute) found.set(`${attribute.name} ${attribute.type}`, { name: attribute.name, type: attribute.type });
  }
  if (found.size > 0) return { kind: 'attributes', attributes: [...found.values()] };
  const known = types.flatMap((type) => type.attributes.map(({ name }) => name));
  const suggestion = findNearestName(field.name, [...columnFields, ...known]);
  return {
    position: field.start,
    message: `${JSON.stringify(field.name)} is no attribute of the ${facet ? `facet ${facet.name}` : 'storage'}, nor type, state or stereotype.${
      suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
    }`,
    rule: 'field',
    ...(suggestion !== undefined && { suggestion }),
  };
};
