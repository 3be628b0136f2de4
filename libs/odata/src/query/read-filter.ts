/**
 * `$filter` -> a condition that names fields by their ids. Names may go along a navigation property:
 * `SUPPLIER/COUNTRY`. Where it leads to several entries, one that fits is enough.
 */
import { type FailureCode, findNearestName } from '@tessera/failures';
import {
  type DataExpression,
  type DataField,
  type DataLiteral,
  type DataValue,
  parseDataFilter,
  parseDataOrder,
} from '@tessera/filter';
import { printExpectedNames, fieldsOfValue, type ParsedFilter } from '@tessera/knowledge-model';
import { type EntityModel, type EntityProperty, findEntityType } from '../model/entity-model.js';
import { type PropertyFinder, getPropertyFinder, describeUnknownProperty } from './find-property.js';
import { type OptionFault, type OptionFaultCollector, shortenText } from './option-fault.js';
import { type LambdaRange, readCount, readLambda, readPresence, resolveLambdaField } from './read-lambda.js';

type NameScope = {
  readonly model: EntityModel;
  readonly finder: PropertyFinder;
  readonly faults: OptionFaultCollector;
  readonly related: Map<string, PropertyFinder>;
  readonly ranges: ReadonlyMap<string, LambdaRange>;
  readonly numbers: { last: number };
};

/** Literals by the names with which `@` begins. */
export type ParameterAliases = Readonly<Record<string, string>>;

export const readFilter = (
  model: EntityModel,
  finder: PropertyFinder,
  text: string | undefined,
  faults: OptionFaultCollector,
  aliases: ParameterAliases = {},
): readonly ParsedFilter[] => {
  if (text === undefined) return [];
  const naming = nameScope(model, finder, faults);
  const parsing = parseDataFilter(text, parserOptions(naming, aliases));
  if (!parsing.ok) {
    const { message, position, rule } = parsing.fault;
    faults.add('KM_FILTER_SYNTAX', { message, position, rule });
    return [];
  }
  const expression = withIds(naming, parsing.value);
  return [{ parameter: '$filter', text, expression }];
};

const nameScope = (model: EntityModel, finder: PropertyFinder, faults: OptionFaultCollector): NameScope => ({
  ...{ model, finder, faults },
  ...{ related: new Map(), ranges: new Map(), numbers: { last: 0 } },
});

const parserOptions = (naming: NameScope, aliases: ParameterAliases) => ({
  dialect: 'odata' as const,
  isBoolean: (name: string) => propertyNamed(naming, name)?.type === 'boolean',
  isField: (name: string) => propertyNamed(naming, name) !== undefined,
  aliases: new Map(Object.entries(aliases)),
});

/** A value to order by: its names as ids, and the properties that it names. */
export type OrderExpression = { readonly value: DataValue; readonly properties: readonly EntityProperty[] };

/** Undefined after a fault. */
export const readOrderValue = (
  model: EntityModel,
  finder: PropertyFinder,
  text: string,
  faults: OptionFaultCollector,
  aliases: ParameterAliases = {},
): OrderExpression | undefined => {
  const naming = nameScope(model, finder, faults);
  const before = faults.faults.length;
  const parsing = parseDataOrder(text, parserOptions(naming, aliases));
  if (!parsing.ok) {
    const { message, position, rule } = parsing.fault;
    faults.add('GENERAL_PARAMETER_ILLEGAL', { message, position, rule });
    return undefined;
  }
  const named = fieldsOfValue(parsing.value);
  for (const field of named) checkSortable(naming, field);
  const value = valueById(naming, parsing.value);
  const properties = named.flatMap(({ name }) => propertyNamed(naming, name) ?? []);
  return faults.faults.length > before ? undefined : { value, properties };
};

const checkSortable = (naming: NameScope, { name, start: position }: DataField): void => {
  const [first = '', ...further] = name.split('.');
  const navigation = naming.finder.navigation(first);
  const property = propertyNamed(naming, name);
  if (further.length > 0 && navigation?.isCollection === true) {
    const message = `${navigation.name} leads to several entries; order by properties of one entry.`;
    naming.faults.add('ODATA_OPTION_UNSUPPORTED', { rule: 'navigation', message, position });
  } else if (property?.sortable === false) {
    const message = `${property.name} is not sortable; sort by another property.`;
    naming.faults.add('SORT_UNKNOWN_FIELD', { rule: 'sortable', message, position });
  }
};

/** Of this type or, along a way, of another; whether the way may be gone is told with its faults. */
const propertyNamed = (naming: NameScope, path: string): EntityProperty | undefined => {
  const [first = '', ...steps] = path.split('.');
  const name = steps.pop();
  if (name === undefined) return naming.finder.find(first);
  return steps
    .reduce((finder, step) => finder && stepFrom(naming, finder, step), relatedFinder(naming, first))
    ?.find(name);
};

const stepFrom = ({ model }: NameScope, finder: PropertyFinder, step: string): PropertyFinder | undefined => {
  const type = model.typeByRecord.get(finder.navigation(step)?.record ?? '');
  return type && getPropertyFinder(type);
};

const withIds = (naming: NameScope, expression: DataExpression): DataExpression => {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { ...expression, operands: expression.operands.map((operand) => withIds(naming, operand)) };
    case 'not':
      return { ...expression, operand: withIds(naming, expression.operand) };
    case 'compare':
    case 'match':
      return (
        readPresence(naming, expression) ?? {
          ...expression,
          field: fieldById(naming, expression.field),
          literal: literalById(naming, expression.literal),
        }
      );
    case 'in':
      return {
        ...expression,
        field: fieldById(naming, expression.field),
        literals: expression.literals.map((literal) => literalById(naming, literal)),
      };
    case 'any':
      return readLambda(naming, expression, (ranges, operand) => withIds({ ...naming, ranges }, operand));
  }
};

/** A word that is the name of a property is told to be one by the id, when the condition is typed. */
const literalById = ({ finder }: NameScope, literal: DataLiteral): DataLiteral =>
  literal.kind === 'word' ? { ...literal, text: finder.find(literal.text)?.id ?? literal.text } : literal;

const fieldById = (naming: NameScope, field: DataField): DataField =>
  field.value ? { ...field, value: valueById(naming, field.value) } : namedById(naming, field);

const valueById = (naming: NameScope, value: DataValue): DataValue => {
  switch (value.kind) {
    case 'literal':
      return { ...value, literal: literalById(naming, value.literal) };
    case 'field':
      return { ...value, name: namedById(naming, { ...value, applied: [] }).name };
    case 'count':
      return readCount(naming, value);
    case 'negate':
      return { ...value, operand: valueById(naming, value.operand) };
    case 'arithmetic':
    case 'comparison':
      return { ...value, left: valueById(naming, value.left), right: valueById(naming, value.right) };
    case 'call':
      return { ...value, arguments: value.arguments.map((argument) => valueById(naming, argument)) };
  }
};

const namedById = (naming: NameScope, field: DataField): DataField => {
  const { finder, faults } = naming;
  if (faults.isFull()) return field;
  const [first = '', name, ...deeper] = field.name.split('.');
  const range = name === undefined ? undefined : naming.ranges.get(first);
  if (range) return resolveLambdaField(naming, range, field);
  const refuse = (code: FailureCode, told: Omit<OptionFault, 'position'>, position = field.start): DataField => {
    faults.add(code, { ...told, position });
    return field;
  };
  if (name === undefined) {
    const property = finder.find(first);
    if (property) return { ...field, name: property.id };
    if (!finder.navigation(first))
      return refuse('KM_FIELD_NOTFOUND', { rule: 'unknown', ...describeUnknownProperty(finder, first) });
    const ways = finder.navigation(first)?.isCollection ? `${first}/any(x:x/...), ${first}/$count` : `eq null, ne null`;
    const message = `${first} leads to other entries; expected ${first}/ and one of their properties, or ${ways}.`;
    return refuse('KM_FIELD_NOTFOUND', { rule: 'navigation', message });
  }
  const related = relatedFinder(naming, first);
  if (!related) return refuse('KM_FIELD_NOTFOUND', { rule: 'unknown', ...unknownWay(naming, first) });
  if (deeper.length > 0) {
    const message = `Paths have one step; any related record stands at their beginning, as in ${first}/${shortenText(name)}.`;
    return refuse('KM_JOIN_NOTFOUND', { rule: 'navigation', message });
  }
  const property = related.find(name);
  if (property) return { ...field, name: `${related.type.record}.${property.id}` };
  return refuse(
    'KM_FIELD_NOTFOUND',
    { rule: 'unknown', ...describeUnknownProperty(related, name) },
    field.start + first.length + 1,
  );
};

/** By a navigation property, or by the record; whether the records are related is known when the question is compiled. */
const relatedFinder = ({ model, finder, related }: NameScope, name: string): PropertyFinder | undefined => {
  const known = related.get(name);
  if (known) return known;
  const navigation = finder.navigation(name);
  const found = navigation ? undefined : findEntityType(model, name);
  const type = navigation ? model.typeByRecord.get(navigation.record) : found?.ok === true ? found.value : undefined;
  if (!type) return undefined;
  const made = getPropertyFinder(type);
  related.set(name, made);
  return made;
};

const unknownWay = ({ model, finder }: NameScope, name: string): Omit<OptionFault, 'position' | 'rule'> => {
  const ways = finder.type.navigation.map((each) => each.name);
  const suggestion = findNearestName(name, [...ways, ...model.types.map((each) => each.name)]);
  const listed = suggestion === undefined ? printExpectedNames(ways) : '';
  return { message: `There is no way from ${finder.type.name} to ${shortenText(name)}${listed}.`, suggestion };
};
