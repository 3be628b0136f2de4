/**
 * `$apply` -> conditions on entries, what makes groups, what is aggregated over them, and conditions on these groups:
 * `filter(...)/groupby((CITY,ORDER/COUNTRY),aggregate(AMOUNT with sum as TOTAL,$count as N,KPI))/filter(...)`. Properties are
 * aggregated over the entries of the set; a KPI of the model is a custom aggregate, over the rows that its formula names.
 */
import { findNearestName } from '@tessera/failures';
import {
  printExpectedNames,
  type FieldAggregate,
  isAggregatable,
  type ParsedFilter,
  aggregateResultType,
} from '@tessera/knowledge-model';
import { edmTypeOf } from '../model/entity-model-of.js';
import type { EntityModel, EntityProperty, EntityType, NavigationProperty } from '../model/entity-model.js';
import { type PropertyFinder, getPropertyFinder, describeUnknownProperty } from './find-property.js';
import { createGroupScope } from './group-scope.js';
import { type ListItem, type OptionFaultCollector, shortenText } from './option-fault.js';
import { type ParameterAliases, readFilter } from './read-filter.js';
import { readSearchFilter } from './read-search.js';
import { findClosingParenthesis, scanTransformations, splitNestedList, type Transformation } from './scan-apply.js';

/** A property that makes groups; `property.id` is that of its column. */
export type GroupKey = { readonly property: EntityProperty; readonly navigation?: NavigationProperty };

/** What is computed for each group; `property.id` is that of its column. */
export type Measure = { readonly property: EntityProperty; readonly aggregate?: FieldAggregate };

export type Grouping = { readonly keys: readonly GroupKey[]; readonly measures: readonly Measure[] };

export type ParsedApply = {
  readonly rowFilters: readonly ParsedFilter[];
  /** Absent: entries are answered. */
  readonly groups?: Grouping;
  readonly groupFilters: readonly ParsedFilter[];
};

type Reading = {
  readonly model: EntityModel;
  readonly finder: PropertyFinder;
  readonly text: string;
  readonly faults: OptionFaultCollector;
  readonly aliases: ParameterAliases | undefined;
};

const entriesAlone: ParsedApply = { rowFilters: [], groupFilters: [] };

export const readApply = (
  model: EntityModel,
  finder: PropertyFinder,
  text: string | undefined,
  faults: OptionFaultCollector,
  aliases?: ParameterAliases,
): ParsedApply => {
  if (text === undefined) return entriesAlone;
  const reading: Reading = { model, finder, text, faults, aliases };
  const found = scanTransformations(text);
  if (typeof found !== 'number')
    return found.reduce((applied, one) => readTransformation(reading, applied, one), entriesAlone);
  syntaxFault(reading, found, 'Expected transformations with a slash between, as in filter(...)/groupby((NAME)).');
  return entriesAlone;
};

const syntaxFault = ({ faults }: Reading, position: number, message: string, suggestion?: string): undefined =>
  void faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'syntax', message, position, suggestion });

const addUnsupported = ({ faults }: Reading, position: number, message: string): undefined =>
  void faults.add('ODATA_OPTION_UNSUPPORTED', { rule: 'apply', message, position });

const supportedTransformations: readonly string[] = ['filter', 'search', 'groupby', 'aggregate', 'identity'];
/** Of the standard. */
const otherTransformations: ReadonlySet<string> = new Set([
  ...['ancestors', 'bottomcount', 'bottompercent', 'bottomsum', 'compute', 'concat', 'descendants', 'expand', 'join'],
  ...['nest', 'orderby', 'outerjoin', 'skip', 'top', 'topcount', 'toppercent', 'topsum', 'traverse', 'addnested'],
]);

const readTransformation = (reading: Reading, applied: ParsedApply, transformation: Transformation): ParsedApply => {
  const { name, start, inner } = transformation;
  if (reading.faults.isFull()) return applied;
  if (name === 'identity' && !inner) return applied;
  if (!supportedTransformations.includes(name)) {
    if (otherTransformations.has(name))
      addUnsupported(reading, start, `${name} is not supported here; there are filter, search, groupby and aggregate.`);
    else {
      const message = `There is no transformation ${name === '' ? '""' : shortenText(name)}; expected filter, search, groupby or aggregate.`;
      syntaxFault(reading, start, message, findNearestName(name, supportedTransformations));
    }
    return applied;
  }
  if (!inner) {
    syntaxFault(reading, start + name.length, `Expected ( behind ${name}.`);
    return applied;
  }
  if (name === 'filter') return withFilter(reading, applied, inner);
  if (name === 'search') return withSearch(reading, applied, inner, start);
  if (applied.groups) {
    addUnsupported(reading, start, 'One groupby or aggregate is supported; what is computed of it can be filtered.');
    return applied;
  }
  const groups =
    name === 'groupby' ? readGroupby(reading, inner) : { keys: [], measures: readAggregates(reading, inner) };
  checkNames(reading, groups, start);
  return { ...applied, groups };
};

/** Places count from the beginning of `$apply`. */
const withFilter = (reading: Reading, applied: ParsedApply, { text, start }: ListItem): ParsedApply => {
  const { model, finder, faults } = reading;
  const { groups } = applied;
  const scope = groups ? createGroupScope(model, finder.type, groups) : { model, finder };
  const filters = readFilter(scope.model, scope.finder, `${' '.repeat(start)}${text}`, faults, reading.aliases).map(
    (filter) => ({
      ...filter,
      parameter: '$apply',
      text: reading.text,
    }),
  );
  return groups
    ? { ...applied, groupFilters: [...applied.groupFilters, ...filters] }
    : { ...applied, rowFilters: [...applied.rowFilters, ...filters] };
};

const withSearch = (
  reading: Reading,
  applied: ParsedApply,
  { text, start }: ListItem,
  position: number,
): ParsedApply => {
  const { finder, faults } = reading;
  if (applied.groups) {
    addUnsupported(reading, position, 'search finds entries; write it before groupby or aggregate.');
    return applied;
  }
  const filters = readSearchFilter(finder.type, `${' '.repeat(start)}${text}`, faults).map((filter) => ({
    ...filter,
    parameter: '$apply',
    text: reading.text,
  }));
  return { ...applied, rowFilters: [...applied.rowFilters, ...filters] };
};

const readGroupby = (reading: Reading, inner: ListItem): Grouping => {
  const open = inner.start + inner.text.length - inner.text.trimStart().length;
  const end = inner.start + inner.text.length;
  const close = reading.text[open] === '(' ? findClosingParenthesis(reading.text, open, end) : undefined;
  if (close === undefined) {
    syntaxFault(reading, open, 'Expected the properties in parentheses of their own, as in groupby((NAME)).');
    return { keys: [], measures: [] };
  }
  const keys = readKeys(reading, { text: reading.text.slice(open + 1, close), start: open + 1 });
  const rest = reading.text.slice(close + 1, end);
  return { keys, measures: rest.trim() === '' ? [] : readInnerAggregate(reading, rest, close + 1) };
};

/** `, aggregate(...)` behind the properties. */
const readInnerAggregate = (reading: Reading, rest: string, start: number): readonly Measure[] => {
  const comma = start + rest.length - rest.trimStart().length;
  const found = reading.text[comma] === ',' ? scanTransformations(reading.text, comma + 1, start + rest.length) : comma;
  const [first, ...others] = typeof found === 'number' ? [] : found;
  if (!first || first.name === '') {
    syntaxFault(
      reading,
      typeof found === 'number' ? found : comma,
      'Expected , and aggregate(...) behind the properties.',
    );
    return [];
  }
  if (first.name === 'aggregate' && first.inner && others.length === 0) return readAggregates(reading, first.inner);
  addUnsupported(reading, first.start, 'aggregate(...) alone can stand behind the properties; filter before groupby.');
  return [];
};

const readKeys = (reading: Reading, list: ListItem): readonly GroupKey[] => {
  const keys = new Map<string, GroupKey>();
  for (const item of splitNestedList(list)) {
    if (reading.faults.isFull()) break;
    const key = readKey(reading, item);
    if (key) keys.set(key.property.id, key);
  }
  return [...keys.values()];
};

const readKey = (reading: Reading, { text, start }: ListItem): GroupKey | undefined => {
  const { model, finder, faults } = reading;
  const [first = '', name, ...deeper] = text.split('/').map((step) => step.trim());
  if (first === '') return syntaxFault(reading, start, 'An item names nothing; expected a property.');
  if (text.includes('('))
    return addUnsupported(reading, start, `${shortenText(text)} is not supported here; properties are.`);
  const navigation = finder.navigation(first);
  const related = navigation && model.typeByRecord.get(navigation.record);
  const property = finder.find(text);
  if (property) return { property: columnOf(finder.type, property) };
  if (!navigation || !related)
    return void faults.add('KM_FIELD_NOTFOUND', {
      rule: 'unknown',
      position: start,
      ...describeUnknownProperty(finder, first),
    });
  if (navigation.isCollection)
    return addUnsupported(reading, start, `${navigation.name} leads to several entries, which make no group here.`);
  if (name === undefined || deeper.length > 0) {
    const message = `Expected ${navigation.name}/ and one property; paths have one step.`;
    return name === undefined ? syntaxFault(reading, start, message) : addUnsupported(reading, start, message);
  }
  const found = getPropertyFinder(related).find(name);
  if (found) return { property: columnOf(related, found), navigation };
  const position = start + text.indexOf('/') + 1;
  return void faults.add('KM_FIELD_NOTFOUND', {
    rule: 'unknown',
    position,
    ...describeUnknownProperty({ type: related }, name),
  });
};

const columnOf = ({ record }: EntityType, property: EntityProperty): EntityProperty => ({
  ...property,
  id: `${record}.${property.id}`,
  nullable: true,
});

const readAggregates = (reading: Reading, list: ListItem): readonly Measure[] => {
  const measures: Measure[] = [];
  for (const item of splitNestedList(list)) {
    if (reading.faults.isFull()) break;
    const measure = readMeasure(reading, item);
    if (measure) measures.push(measure);
  }
  return measures;
};

const aggregatePattern = /(\S+)(?:(\s+with\s+)(\S+))?(?:(\s+as\s+)(\S+))?\s*/y;
const identifierPattern = /^[A-Za-z_]\w{0,127}$/;

/** `NAME with METHOD as ALIAS`, `$count as ALIAS`, `KPI`, `KPI as ALIAS`. */
const readMeasure = (reading: Reading, { text, start }: ListItem): Measure | undefined => {
  aggregatePattern.lastIndex = 0;
  const [whole = '', name = '', before = '', method, as = '', alias] = aggregatePattern.exec(text) ?? [];
  if (name === '') return syntaxFault(reading, start, 'An item names nothing; expected what is aggregated.');
  if (whole.length < text.length) {
    const message = 'Expected NAME with METHOD as ALIAS, $count as ALIAS, or a KPI.';
    return syntaxFault(reading, start + whole.length, message);
  }
  const end = start + name.length + before.length + (method?.length ?? 0);
  if (alias !== undefined && !identifierPattern.test(alias)) {
    const message = `${shortenText(alias)} is no name; expected letters, digits and _.`;
    return syntaxFault(reading, end + as.length, message);
  }
  if (method === undefined && name !== '$count') return readKpi(reading, name, start, alias);
  if (alias === undefined)
    return syntaxFault(reading, end, `Expected as and a name for what is computed of ${shortenText(name)}.`);
  const aliased = { text: alias, start: end + as.length };
  if (name === '$count' && method === undefined) return countOf(reading, aliased);
  const methodItem = { text: method ?? '', start: start + name.length + before.length };
  return readMethod(reading, { text: name, start }, methodItem, aliased);
};

const readKpi = (reading: Reading, name: string, position: number, alias: string | undefined): Measure | undefined => {
  const { finder, faults } = reading;
  const { kpis, name: typeName } = finder.type;
  const kpi = kpis.find((each) => each.name === name) ?? kpis.find(({ id }) => id === name && !finder.find(name));
  if (kpi) return { property: { ...kpi, name: alias ?? kpi.name } };
  const property = finder.find(name);
  if (property) {
    const message = `${property.name} is a property; write how it is aggregated, as in ${property.name} with max as ALIAS.`;
    return syntaxFault(reading, position, message);
  }
  const names = kpis.map((each) => each.name);
  const suggestion = findNearestName(name, names);
  const listed = suggestion === undefined ? printExpectedNames(names) : '';
  const message = `There is no KPI ${shortenText(name)} to aggregate over ${typeName}${listed}.`;
  return void faults.add('KM_KPI_NOTFOUND', { rule: 'unknown', message, position, suggestion });
};

const methods: ReadonlyMap<string, Pick<FieldAggregate, 'function' | 'distinct'>> = new Map([
  ['sum', { function: 'sum', distinct: false }],
  ['min', { function: 'min', distinct: false }],
  ['max', { function: 'max', distinct: false }],
  ['average', { function: 'avg', distinct: false }],
  ['countdistinct', { function: 'count', distinct: true }],
]);

export const aggregationMethods: readonly string[] = [...methods.keys()];

/** The methods that there are of a property. */
export const aggregationMethodsFor = ({ type }: Pick<EntityProperty, 'type'>): readonly string[] =>
  [...methods].flatMap(([name, method]) => (isAggregatable(method.function, type) ? [name] : []));

const readMethod = (reading: Reading, item: ListItem, method: ListItem, alias: ListItem): Measure | undefined => {
  const { finder, faults } = reading;
  const { text: name, start: position } = item;
  const property = finder.find(name);
  if (!property && finder.navigation(name)) {
    const message = `${shortenText(name)} is of other entries; aggregate the entries of their own set, or a KPI.`;
    return addUnsupported(reading, position, message);
  }
  if (!property)
    return void faults.add('KM_FIELD_NOTFOUND', {
      rule: 'unknown',
      position,
      ...describeUnknownProperty(finder, name),
    });
  const found = methods.get(method.text);
  const possible = aggregationMethodsFor(property);
  if (!found || !possible.includes(method.text)) {
    const message = found
      ? `There is no ${method.text} of ${property.name}, whose values are of type ${property.type}; there are ${possible.join(', ')}.`
      : `There is no method ${shortenText(method.text)}; expected one of ${aggregationMethods.join(', ')}.`;
    return syntaxFault(
      reading,
      method.start,
      message,
      found ? undefined : findNearestName(method.text, aggregationMethods),
    );
  }
  const type = aggregateResultType(found.function, property.type);
  const exact = property.exact && found.function !== 'count';
  const { record } = finder.type;
  const aggregate = { id: `#${alias.text}`, ...found, record, field: property.id };
  const { unit, format } = property;
  const shown =
    found.function === 'count' ? {} : { ...(unit !== undefined && { unit }), ...(format !== undefined && { format }) };
  return { property: { ...measureColumn(aggregate.id, alias.text, type, exact), ...shown }, aggregate };
};

const countOf = ({ finder }: Reading, { text: alias }: ListItem): Measure => {
  const aggregate = { id: `#${alias}`, function: 'count', distinct: false, record: finder.type.record } as const;
  return { property: measureColumn(aggregate.id, alias, 'integer', false), aggregate };
};

const measureColumn = (id: string, name: string, type: EntityProperty['type'], exact: boolean): EntityProperty => ({
  ...{ name, id, type, edmType: edmTypeOf(type, exact), exact, nullable: true },
  ...{ label: name, description: '', filterable: true, sortable: true },
});

/** Each name of the answer stands for one thing, and for nothing else of the type. */
const checkNames = (reading: Reading, { keys, measures }: Grouping, position: number): void => {
  const { type } = reading.finder;
  const taken = new Set([...keys.map((key) => key.navigation?.name ?? key.property.name)]);
  for (const { property, aggregate } of measures) {
    const { name } = property;
    const isKpi = !aggregate && type.kpis.some((kpi) => kpi.name === name && kpi.id === property.id);
    const isDeclared = [...type.properties, ...type.navigation, ...(isKpi ? [] : type.kpis)].some(
      (each) => each.name === name,
    );
    if (taken.has(name) || isDeclared) {
      const what = taken.has(name) ? 'stands there twice' : `is a name of ${type.name} already`;
      syntaxFault(reading, position, `${name} ${what}; choose another behind as.`);
    }
    taken.add(name);
  }
};
