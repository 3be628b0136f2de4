/**
 * What the metadata say beside structure, as data that both notations print: texts, units, formats, and what a client
 * can do.
 */
import { dataFunctionNames } from '@tessera/filter';
import {
  type EntityModel,
  type EntityProperty,
  type EntityType,
  schemaNamespace,
  customTermNames,
} from '../model/entity-model.js';
import { aggregationMethodsFor } from '../query/read-apply.js';
import { maxExpandSteps } from '../query/read-expand.js';
import { searchableProperties } from '../query/read-search.js';

export type AnnotationValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'member'; readonly type: string; readonly member: string }
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'properties' | 'navigation'; readonly names: readonly string[] }
  | { readonly kind: 'property'; readonly name: string }
  | AnnotationRecord
  | { readonly kind: 'records'; readonly records: readonly AnnotationRecord[] };

type AnnotationRecord = {
  readonly kind: 'record';
  readonly members: readonly (readonly [string, AnnotationValue])[];
};

/** `qualifier`: tells several of the same term apart. */
export type Annotation = { readonly term: string; readonly qualifier?: string; readonly value: AnnotationValue };
type Annotations = readonly Annotation[];

const vocabulary = (name: string) => ({
  namespace: `Org.OData.${name}.V1`,
  alias: name,
  address: `https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.${name}.V1`,
});
export const vocabularies = ['Core', 'Measures', 'Capabilities', 'Aggregation'].map(vocabulary);

export const customTerms = [
  {
    name: customTermNames.label,
    appliesTo: ['EntityContainer', 'EntityType', 'Property'],
    description: 'The name that is shown; that of the element when absent',
  },
  { name: customTermNames.format, appliesTo: ['Property'], description: "How values are shown, e.g. ',.2f' or '%'" },
] as const;

export const createDescriptionAnnotation = (text: string): Annotation => ({
  term: 'Core.Description',
  value: { kind: 'text', text },
});

const booleanValue = (value: boolean): AnnotationValue => ({ kind: 'boolean', value });
const capabilityAnnotation = (name: string, value: AnnotationValue): Annotation => ({
  term: `Capabilities.${name}`,
  value,
});
const capabilityDenied = (term: string, member: string): Annotation =>
  capabilityAnnotation(term, { kind: 'record', members: [[member, booleanValue(false)]] });

type DescribedElement = { readonly label: string; readonly description: string };

const textsOf = ({ label, description: text }: DescribedElement, name: string): Annotations => [
  ...(text === '' ? [] : [createDescriptionAnnotation(text)]),
  ...(label === name ? [] : [tesseraAnnotation(customTermNames.label, label)]),
];

const tesseraAnnotation = (term: string, text: string): Annotation => ({
  term: `${schemaNamespace}.${term}`,
  value: { kind: 'text', text },
});

export const annotationsOfProperty = (property: EntityProperty): Annotations => [
  ...textsOf(property, property.name),
  ...(property.unit === undefined
    ? []
    : [{ term: 'Measures.Unit', value: { kind: 'text', text: property.unit } } as const]),
  ...(property.format === undefined ? [] : [tesseraAnnotation(customTermNames.format, property.format)]),
];

export const annotationsOfType = (type: EntityType): Annotations => textsOf(type, type.name);

/** Of an entity set: what a client would expect, or try, and cannot do. */
export const annotationsOfSet = (type: EntityType): Annotations => [
  ...restrictionOf(
    'FilterRestrictions',
    ['Filterable', 'NonFilterableProperties'],
    type,
    ({ filterable }) => filterable,
  ),
  ...restrictionOf('SortRestrictions', ['Sortable', 'NonSortableProperties'], type, ({ sortable }) => sortable),
  ...onEverySet,
  searchRestrictions(type),
  expandRestrictions(type),
  applySupported(type),
  ...type.kpis.map(customAggregate),
  ...(type.key.length === 0 ? [capabilityAnnotation('IndexableByKey', booleanValue(false))] : []),
];

const restrictionOf = (
  term: string,
  [can, exceptions]: readonly [string, string],
  { properties }: EntityType,
  isAble: (property: EntityProperty) => boolean,
): Annotations => {
  const names = properties.filter((property) => !isAble(property)).map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    capabilityAnnotation(term, {
      kind: 'record',
      members: [
        [can, booleanValue(names.length < properties.length)],
        [exceptions, { kind: 'properties', names }],
      ],
    }),
  ];
};

const searchRestrictions = (type: EntityType): Annotation =>
  searchableProperties(type).length > 0
    ? capabilityAnnotation('SearchRestrictions', { kind: 'record', members: [['Searchable', booleanValue(true)]] })
    : capabilityDenied('SearchRestrictions', 'Searchable');

/** What leads to several entries needs the key of the entry, behind which their further pages are. */
const expandRestrictions = ({ key, navigation }: EntityType): Annotation => {
  const names = navigation.filter(({ isCollection }) => isCollection && key.length === 0).map(({ name }) => name);
  if (names.length === navigation.length) return capabilityDenied('ExpandRestrictions', 'Expandable');
  return capabilityAnnotation('ExpandRestrictions', {
    kind: 'record',
    members: [
      ['Expandable', booleanValue(true)],
      ...(names.length > 0 ? [['NonExpandableProperties', { kind: 'navigation', names }] as const] : []),
      ['MaxLevels', { kind: 'integer', value: maxExpandSteps }],
    ],
  });
};

/** Every property makes groups. */
const applySupported = ({ properties }: EntityType): Annotation => ({
  term: 'Aggregation.ApplySupported',
  value: {
    kind: 'record',
    members: [
      ['Transformations', { kind: 'texts', texts: ['filter', 'search', 'groupby', 'aggregate', 'identity'] }],
      ['Rollup', { kind: 'member', type: 'Aggregation.RollupType', member: 'None' }],
      ['AggregatableProperties', { kind: 'records', records: properties.map(aggregatableRecord) }],
    ],
  },
});

const aggregatableRecord = (property: EntityProperty): AnnotationRecord => ({
  kind: 'record',
  members: [
    ['Property', { kind: 'property', name: property.name }],
    ['SupportedAggregationMethods', { kind: 'texts', texts: aggregationMethodsFor(property) }],
  ],
});

/** A KPI, by the name that `aggregate` takes, and the type of its values. */
const customAggregate = ({ name, edmType }: EntityProperty): Annotation => ({
  term: 'Aggregation.CustomAggregate',
  qualifier: name,
  value: { kind: 'text', text: edmType },
});

const onEverySet: Annotations = [
  capabilityAnnotation('CountRestrictions', { kind: 'record', members: [['Countable', booleanValue(true)]] }),
  capabilityAnnotation('TopSupported', booleanValue(true)),
  capabilityAnnotation('SkipSupported', booleanValue(true)),
  capabilityAnnotation('NavigationRestrictions', {
    kind: 'record',
    members: [['Navigability', { kind: 'member', type: 'Capabilities.NavigationType', member: 'Single' }]],
  }),
  capabilityDenied('InsertRestrictions', 'Insertable'),
  capabilityDenied('UpdateRestrictions', 'Updatable'),
  capabilityDenied('DeleteRestrictions', 'Deletable'),
];

const filterFunctions = [
  ...['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'and', 'or', 'not', 'add', 'sub', 'mul', 'div', 'divby', 'mod'],
  ...['contains', 'startswith', 'endswith', ...dataFunctionNames, 'any', 'all'],
];

export const annotationsOfContainer = (model: EntityModel): Annotations => [
  ...textsOf(model, ''),
  capabilityAnnotation('ConformanceLevel', {
    kind: 'member',
    type: 'Capabilities.ConformanceLevelType',
    member: 'Minimal',
  }),
  capabilityAnnotation('FilterFunctions', { kind: 'texts', texts: filterFunctions }),
  capabilityAnnotation('BatchSupported', booleanValue(true)),
  capabilityAnnotation('BatchSupport', {
    kind: 'record',
    members: [
      ['Supported', booleanValue(true)],
      ['ContinueOnErrorSupported', booleanValue(true)],
      ['SupportedFormats', { kind: 'texts', texts: ['application/json', 'multipart/mixed'] }],
    ],
  }),
];
