/** An entity data model as CSDL JSON. What has the value that CSDL JSON takes for absent is left out. */
import {
  containerName,
  type EntityModel,
  type EntityProperty,
  type EntityType,
  schemaNamespace,
} from '../model/entity-model.js';
import type { ODataVersion } from '../query/choose-representation.js';
import {
  type Annotation,
  annotationsOfContainer,
  annotationsOfProperty,
  annotationsOfSet,
  annotationsOfType,
  type AnnotationValue,
  createDescriptionAnnotation,
  customTerms,
  vocabularies,
} from './annotations.js';
import { hasEntitySets, type CsdlNavigation, navigationsOf, fractionalSecondsPrecision } from './structure.js';

type Json = { readonly [member: string]: unknown };

/** The text of the document. */
export const printCsdlJson = (model: EntityModel, version: ODataVersion): string =>
  JSON.stringify({
    $Version: version,
    ...(hasEntitySets(model) && { $EntityContainer: `${schemaNamespace}.${containerName}` }),
    $Reference: Object.fromEntries(
      vocabularies.map(({ address, namespace: $Namespace, alias: $Alias }) => [
        `${address}.json`,
        { $Include: [{ $Namespace, $Alias }] },
      ]),
    ),
    [schemaNamespace]: {
      ...Object.fromEntries(model.types.map((type) => [type.name, typeOf(model, type)])),
      ...Object.fromEntries(customTerms.map((term) => [term.name, termOf(term)])),
      ...(hasEntitySets(model) && { [containerName]: containerOf(model) }),
    },
  });

const typeOf = (model: EntityModel, type: EntityType): Json => ({
  $Kind: 'EntityType',
  ...(type.key.length > 0 && { $Key: type.key.map(({ name }) => name) }),
  ...annotationMembers(annotationsOfType(type)),
  ...Object.fromEntries(type.properties.map((property) => [property.name, propertyOf(property)])),
  ...Object.fromEntries(navigationsOf(model, type).map((one) => [one.name, navigationOf(one)])),
});

const propertyOf = (property: EntityProperty): Json => {
  const precision = fractionalSecondsPrecision[property.edmType];
  return {
    ...(property.edmType !== 'Edm.String' && { $Type: property.edmType }),
    ...(property.nullable && { $Nullable: true }),
    ...(precision !== undefined && { $Precision: precision }),
    ...annotationMembers(annotationsOfProperty(property)),
  };
};

const navigationOf = ({ type, isCollection, nullable, constraints }: CsdlNavigation): Json => ({
  $Kind: 'NavigationProperty',
  ...(isCollection ? { $Collection: true } : nullable && { $Nullable: true }),
  $Type: `${schemaNamespace}.${type.name}`,
  ...(constraints.length > 0 && {
    $ReferentialConstraint: Object.fromEntries(constraints.map(({ property, referenced }) => [property, referenced])),
  }),
});

const termOf = ({ appliesTo, description: text }: (typeof customTerms)[number]): Json => ({
  $Kind: 'Term',
  $AppliesTo: appliesTo,
  ...annotationMembers([createDescriptionAnnotation(text)]),
});

const containerOf = (model: EntityModel): Json => ({
  $Kind: 'EntityContainer',
  ...annotationMembers(annotationsOfContainer(model)),
  ...Object.fromEntries(model.types.map((type) => [type.setName, setOf(model, type)])),
});

const setOf = (model: EntityModel, type: EntityType): Json => {
  const bindings = navigationsOf(model, type).map(({ name, type: { setName } }) => [name, setName] as const);
  return {
    $Collection: true,
    $Type: `${schemaNamespace}.${type.name}`,
    ...(bindings.length > 0 && { $NavigationPropertyBinding: Object.fromEntries(bindings) }),
    ...annotationMembers(annotationsOfSet(type)),
  };
};

const annotationMembers = (annotations: readonly Annotation[]): Json =>
  Object.fromEntries(
    annotations.map(({ term, qualifier, value }) => [`@${term}${qualifier ? `#${qualifier}` : ''}`, jsonOf(value)]),
  );

const jsonOf = (value: AnnotationValue): unknown => {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'boolean':
    case 'integer':
      return value.value;
    case 'member':
      return value.member;
    case 'texts':
      return value.texts;
    case 'properties':
    case 'navigation':
      return value.names;
    case 'property':
      return value.name;
    case 'records':
      return value.records.map(jsonOf);
    case 'record':
      return Object.fromEntries(value.members.map(([name, inner]) => [name, jsonOf(inner)]));
  }
};
