/** An entity data model as CSDL XML. Attributes that have the value that CSDL takes for absent are left out. */
import { create } from 'xmlbuilder2';
import {
  containerName,
  type EntityModel,
  type EntityProperty,
  type EntityType,
  schemaNamespace,
} from '../model/entity-model.js';
import type { ODataVersion } from '../query/choose-representation.js';
import { escapeXmlText } from '../xml-text.js';
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

type Element = ReturnType<typeof create>;

const edmxNamespace = 'http://docs.oasis-open.org/odata/ns/edmx';
const edmNamespace = 'http://docs.oasis-open.org/odata/ns/edm';

/** The text of the document. */
export const printCsdlXml = (model: EntityModel, version: ODataVersion): string => {
  const document = create({ version: '1.0', encoding: 'UTF-8' });
  const root = document.ele(edmxNamespace, 'edmx:Edmx').att('Version', version);
  for (const { namespace: name, alias, address } of vocabularies)
    root
      .ele('edmx:Reference')
      .att('Uri', `${address}.xml`)
      .ele('edmx:Include')
      .att('Namespace', name)
      .att('Alias', alias);
  const schema = root.ele('edmx:DataServices').ele(edmNamespace, 'Schema').att('Namespace', schemaNamespace);
  for (const type of model.types) writeType(schema, model, type);
  for (const term of customTerms) writeTerm(schema, term);
  if (hasEntitySets(model)) writeContainer(schema, model);
  return document.end();
};

const writeType = (schema: Element, model: EntityModel, type: EntityType): void => {
  const element = schema.ele('EntityType').att('Name', type.name);
  if (type.key.length > 0) {
    const key = element.ele('Key');
    for (const { name } of type.key) key.ele('PropertyRef').att('Name', name);
  }
  for (const property of type.properties) writeProperty(element, property);
  for (const navigation of navigationsOf(model, type)) writeNavigation(element, navigation);
  writeAnnotations(element, annotationsOfType(type));
};

const writeProperty = (type: Element, property: EntityProperty): void => {
  const { name, edmType, nullable } = property;
  const element = type.ele('Property').att('Name', name).att('Type', edmType);
  if (!nullable) element.att('Nullable', 'false');
  const precision = fractionalSecondsPrecision[edmType];
  if (precision !== undefined) element.att('Precision', String(precision));
  if (edmType === 'Edm.Decimal') element.att('Scale', 'variable');
  writeAnnotations(element, annotationsOfProperty(property));
};

const writeNavigation = (from: Element, { name, type, isCollection, nullable, constraints }: CsdlNavigation): void => {
  const target = `${schemaNamespace}.${type.name}`;
  const element = from.ele('NavigationProperty').att('Name', name);
  element.att('Type', isCollection ? `Collection(${target})` : target);
  if (!isCollection && !nullable) element.att('Nullable', 'false');
  for (const { property, referenced } of constraints)
    element.ele('ReferentialConstraint').att('Property', property).att('ReferencedProperty', referenced);
};

const writeTerm = (schema: Element, { name, appliesTo, description: text }: (typeof customTerms)[number]): void => {
  const element = schema.ele('Term').att('Name', name).att('Type', 'Edm.String').att('Nullable', 'false');
  writeAnnotations(element.att('AppliesTo', appliesTo.join(' ')), [createDescriptionAnnotation(text)]);
};

const writeContainer = (schema: Element, model: EntityModel): void => {
  const element = schema.ele('EntityContainer').att('Name', containerName);
  for (const type of model.types) writeSet(element, model, type);
  writeAnnotations(element, annotationsOfContainer(model));
};

const writeSet = (sets: Element, model: EntityModel, type: EntityType): void => {
  const element = sets.ele('EntitySet').att('Name', type.setName).att('EntityType', `${schemaNamespace}.${type.name}`);
  for (const { name, type: target } of navigationsOf(model, type))
    element.ele('NavigationPropertyBinding').att('Path', name).att('Target', target.setName);
  writeAnnotations(element, annotationsOfSet(type));
};

const writeAnnotations = (element: Element, annotations: readonly Annotation[]): void => {
  for (const { term, qualifier, value } of annotations) {
    const annotation = element.ele('Annotation').att('Term', term);
    if (qualifier !== undefined) annotation.att('Qualifier', qualifier);
    writeValue(annotation, value);
  }
};

/** Into an element that takes a value: an annotation, or a member of a record. */
const writeValue = (element: Element, value: AnnotationValue): void => {
  switch (value.kind) {
    case 'text':
      element.att('String', escapeXmlText(value.text));
      return;
    case 'boolean':
      element.att('Bool', String(value.value));
      return;
    case 'integer':
      element.att('Int', String(value.value));
      return;
    case 'member':
      element.att('EnumMember', `${value.type}/${value.member}`);
      return;
    case 'texts':
      writeAll(element, 'String', value.texts);
      return;
    case 'properties':
      writeAll(element, 'PropertyPath', value.names);
      return;
    case 'navigation':
      writeAll(element, 'NavigationPropertyPath', value.names);
      return;
    case 'property':
      element.att('PropertyPath', value.name);
      return;
    case 'record':
      writeRecord(element, value);
      return;
    case 'records': {
      const collection = element.ele('Collection');
      for (const record of value.records) writeRecord(collection, record);
    }
  }
};

const writeRecord = (element: Element, { members }: AnnotationValue & { readonly kind: 'record' }): void => {
  const record = element.ele('Record');
  for (const [name, inner] of members) writeValue(record.ele('PropertyValue').att('Property', name), inner);
};

const writeAll = (element: Element, name: string, texts: readonly string[]): void => {
  const collection = element.ele('Collection');
  for (const text of texts) collection.ele(name).txt(escapeXmlText(text));
};
