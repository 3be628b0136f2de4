/**
 * The entity data model of a knowledge model as its caller sees it: plain data, from which CSDL is printed and by which
 * names in requests are found. Names are OData names; ids are those of the knowledge model. Never holds what the caller
 * may not see; it is not in the view.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';

export type EdmType =
  | 'Edm.String'
  | 'Edm.Int64'
  | 'Edm.Double'
  | 'Edm.Decimal'
  | 'Edm.Boolean'
  | 'Edm.Date'
  | 'Edm.TimeOfDay'
  | 'Edm.DateTimeOffset';

export type EntityProperty = {
  readonly name: string;
  /** Of the field. */
  readonly id: string;
  readonly type: ValueType;
  readonly edmType: EdmType;
  /** Whether numbers are written as strings. */
  readonly exact: boolean;
  readonly nullable: boolean;
  readonly label: string;
  readonly description: string;
  readonly unit?: string;
  readonly format?: string;
  readonly filterable: boolean;
  readonly sortable: boolean;
};

export type NavigationProperty = {
  readonly name: string;
  /** The record at its other end. */
  readonly record: string;
  readonly isCollection: boolean;
  /** Whether there may be no entry at its other end though the keys have values: hidden by a policy, or one to one. */
  readonly isOptional: boolean;
  /** Property of this type -> property of the other; none when the caller does not see all of them. */
  readonly keys: readonly { readonly property: string; readonly referenced: string }[];
};

export type EntityType = {
  readonly name: string;
  /** Of its entity set: the name with `_entries`. */
  readonly setName: string;
  /** The id. */
  readonly record: string;
  readonly label: string;
  readonly description: string;
  /** In the order of the identifier; empty when there is none that the caller sees. */
  readonly key: readonly EntityProperty[];
  readonly properties: readonly EntityProperty[];
  readonly propertyByName: ReadonlyMap<string, EntityProperty>;
  readonly navigation: readonly NavigationProperty[];
};

export type EntityModel = {
  readonly label: string;
  readonly description: string;
  readonly types: readonly EntityType[];
  readonly typeByRecord: ReadonlyMap<string, EntityType>;
};

export const namespace = 'ODataKnowledgeModel';
export const container = 'Container';
/** The schema's own terms: the name of what is annotated, and how its values are shown. */
export const terms = { label: 'Label', format: 'Format' } as const;
