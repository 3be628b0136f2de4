/**
 * The entity data model of a view. Names are OData names; ids are those of the knowledge model. Never holds what the caller
 * may not see; it is not in the view.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import { fail, findNearestName, type Result, succeed } from '@tessera/failures';
import { withSuggestion } from '@tessera/filter';
import { printExpectedNames } from '@tessera/knowledge-model';
import { fromODataName } from '../names.js';

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
  /** The KPIs whose rows are related to those of this type: its custom aggregates. `id`: of the KPI. */
  readonly kpis: readonly EntityProperty[];
};

export type EntityModel = {
  readonly label: string;
  readonly description: string;
  readonly types: readonly EntityType[];
  readonly typeByRecord: ReadonlyMap<string, EntityType>;
};

export const schemaNamespace = 'ODataKnowledgeModel';
export const containerName = 'Container';
/** The schema's own terms: the name of what is annotated, and how its values are shown. */
export const customTermNames = { label: 'Label', format: 'Format' } as const;

const shownMax = 100;

/** `name`: without the suffix of its entity set. */
export const findEntityType = ({ types, typeByRecord }: EntityModel, name: string): Result<EntityType> => {
  // An id that looks like the name of another record is that name, since the metadata say so.
  const type = typeByRecord.get(fromODataName(name)) ?? typeByRecord.get(name);
  if (type) return succeed(type);
  const names = types.map((other) => other.name);
  const suggestion = findNearestName(name, names);
  const asked = (name.length > shownMax ? `${name.slice(0, shownMax)}...` : name).toWellFormed();
  const listed = suggestion === undefined ? printExpectedNames(names) : '';
  const message = withSuggestion(`There is no record ${asked === '' ? '""' : asked}${listed}.`, suggestion);
  return fail('KM_RECORD_NOTFOUND', message, {
    faults: [
      { in: 'path', path: 'record_id', rule: 'unknown', message, ...(suggestion !== undefined && { suggestion }) },
    ],
  });
};
