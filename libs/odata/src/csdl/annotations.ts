/**
 * What the metadata say beside structure, as data that both notations print: texts, units, formats, and what a client
 * can do.
 */
import { dataFunctionNames } from '@tessera/filter';
import { type EntityModel, type EntityProperty, type EntityType, namespace, terms } from '../model/entity-model.js';
import { methodsOf } from '../query/read-apply.js';
import { expandStepsMax } from '../query/read-expand.js';
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

export const ownTerms = [
  {
    name: terms.label,
    appliesTo: ['EntityContainer', 'EntityType', 'Property'],
    description: 'The name that is shown; that of the element when absent',
  },
  { name: terms.format, appliesTo: ['Property'], description: "How values are shown, e.g. ',.2f' or '%'" },
] as const;

export const description = (text: string): Annotation => ({ term: 'Core.Description', value: { kind: 'text', text } });

const boolean = (value: boolean): AnnotationValue => ({ kind: 'boolean', value });
const capability = (name: string, value: AnnotationValue): Annotation => ({ term: `Capabilities.${name}`, value });
const cannot = (term: string, member: string): Annotation =>
  capability(term, { kind: 'record', members: [[member, boolean(false)]] });

type DescribedElement = { readonly label: string; readonly description: string };

const textsOf = ({ label, description: text }: DescribedElement, name: string): Annotations => [
  ...(text === '' ? [] : [description(text)]),
  ...(label === name ? [] : [tesseraAnnotation(terms.label, label)]),
];

const tesseraAnnotation = (term: string, text: string): Annotation => ({
  term: `${namespace}.${term}`,
  value: { kind: 'text', text },
});

export const annotationsOfProperty = (property: EntityProperty): Annotations => [
  ...textsOf(property, property.name),
  ...(property.unit === undefined
    ? []
    : [{ term: 'Measures.Unit', value: { kind: 'text', text: property.unit } } as const]),
  ...(property.format === undefined ? [] : [tesseraAnnotation(terms.format, property.format)]),
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
  ...(type.key.length === 0 ? [capability('IndexableByKey', boolean(false))] : []),
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
    capability(term, {
      kind: 'record',
      members: [
        [can, boolean(names.length < properties.length)],
        [exceptions, { kind: 'properties', names }],
      ],
    }),
  ];
};

const searchRestrictions = (type: EntityType): Annotation =>
  searchableProperties(type).length > 0
    ? capability('SearchRestrictions', { kind: 'record', members: [['Searchable', boolean(true)]] })
    : cannot('SearchRestrictions', 'Searchable');

/** What leads to several entries needs the key of the entry, behind which their further pages are. */
const expandRestrictions = ({ key, navigation }: EntityType): Annotation => {
  const names = navigation.filter(({ isCollection }) => isCollection && key.length === 0).map(({ name }) => name);
  if (names.length === navigation.length) return cannot('ExpandRestrictions', 'Expandable');
  return capability('ExpandRestrictions', {
    kind: 'record',
    members: [
      ['Expandable', boolean(true)],
      ...(names.length > 0 ? [['NonExpandableProperties', { kind: 'navigation', names }] as const] : []),
      ['MaxLevels', { kind: 'integer', value: expandStepsMax }],
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
      ['AggregatableProperties', { kind: 'records', records: properties.map(aggregatable) }],
    ],
  },
});

const aggregatable = (property: EntityProperty): AnnotationRecord => ({
  kind: 'record',
  members: [
    ['Property', { kind: 'property', name: property.name }],
    ['SupportedAggregationMethods', { kind: 'texts', texts: methodsOf(property) }],
  ],
});

/** A KPI, by the name that `aggregate` takes, and the type of its values. */
const customAggregate = ({ name, edmType }: EntityProperty): Annotation => ({
  term: 'Aggregation.CustomAggregate',
  qualifier: name,
  value: { kind: 'text', text: edmType },
});

const onEverySet: Annotations = [
  capability('CountRestrictions', { kind: 'record', members: [['Countable', boolean(true)]] }),
  capability('TopSupported', boolean(true)),
  capability('SkipSupported', boolean(true)),
  capability('NavigationRestrictions', {
    kind: 'record',
    members: [['Navigability', { kind: 'member', type: 'Capabilities.NavigationType', member: 'Single' }]],
  }),
  cannot('InsertRestrictions', 'Insertable'),
  cannot('UpdateRestrictions', 'Updatable'),
  cannot('DeleteRestrictions', 'Deletable'),
];

const filterFunctions = [
  ...['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'and', 'or', 'not', 'add', 'sub', 'mul', 'div', 'divby', 'mod'],
  ...['contains', 'startswith', 'endswith', ...dataFunctionNames, 'any', 'all'],
];

export const annotationsOfContainer = (model: EntityModel): Annotations => [
  ...textsOf(model, ''),
  capability('ConformanceLevel', { kind: 'member', type: 'Capabilities.ConformanceLevelType', member: 'Minimal' }),
  capability('FilterFunctions', { kind: 'texts', texts: filterFunctions }),
  capability('BatchSupported', boolean(true)),
  capability('BatchSupport', {
    kind: 'record',
    members: [
      ['Supported', boolean(true)],
      ['ContinueOnErrorSupported', boolean(true)],
      ['SupportedFormats', { kind: 'texts', texts: ['application/json', 'multipart/mixed'] }],
    ],
  }),
];
