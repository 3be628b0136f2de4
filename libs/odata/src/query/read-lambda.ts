/**
 * `any` and `all` of a `$filter`: where the way to the entries leads, and what is named of them by a variable. Each has rows
 * of its own, whatever else the condition names.
 */
import { findNearestName, type FailureCode } from '@tessera/failures';
import type { DataExpression, DataField, DataValue, Span } from '@tessera/filter';
import { createRelatedKeyInRange, printExpectedNames, createRangeKey } from '@tessera/knowledge-model';
import type { EntityModel, NavigationProperty } from '../model/entity-model.js';
import { type PropertyFinder, getPropertyFinder, describeUnknownProperty } from './find-property.js';
import { type OptionFault, type OptionFaultCollector, shortenText } from './option-fault.js';

/** Entries that a variable stands for: the name of their rows in the condition, and what can be named of them. */
export type LambdaRange = { readonly key: string; readonly finder: PropertyFinder };

type LambdaScope = {
  readonly model: EntityModel;
  readonly finder: PropertyFinder;
  readonly faults: OptionFaultCollector;
  /** By variable. */
  readonly ranges: ReadonlyMap<string, LambdaRange>;
  /** Counts the ranges of the condition. */
  readonly numbers: { last: number };
};

type AnyExpression = DataExpression & { readonly kind: 'any' };

/** `readInside` names the fields of the condition inside. */
export const readLambda = (
  scope: LambdaScope,
  expression: AnyExpression,
  readInside: (ranges: LambdaScope['ranges'], operand: DataExpression) => DataExpression,
): DataExpression => {
  const { ranges } = scope;
  const start = beginOf(scope, expression.path);
  const way = followWay(scope, expression, start);
  const last = way?.at(-1);
  if (!way || !last) return expression;
  const { variable: name, operand } = expression;
  const inside = operand && name !== undefined ? readInside(new Map([...ranges, [name, last]]), operand) : undefined;
  return anyAlong(expression, start, way, inside);
};

/** Where a path begins: at a variable, or at the entry that is asked for. */
type WayBegin = { readonly outer: LambdaRange; readonly steps: readonly string[]; readonly offset: number };

const beginOf = ({ ranges, finder }: LambdaScope, path: string): WayBegin => {
  const [first = '', ...further] = path.split('.');
  const variable = ranges.get(first);
  return variable
    ? { outer: variable, steps: further, offset: first.length + 1 }
    : { outer: { key: finder.type.record, finder }, steps: [first, ...further], offset: 0 };
};

/** The condition that there are entries at the end of the way for which the condition inside holds. */
const anyAlong = (
  expression: AnyExpression,
  { outer }: WayBegin,
  way: readonly LambdaRange[],
  inside: DataExpression | undefined,
): DataExpression => {
  const { operand: _written, ...rest } = expression;
  return (
    way.reduceRight<DataExpression | undefined>((condition, { key }, at) => {
      const from = way[at - 1]?.key ?? outer.key;
      return { ...rest, range: { key, from }, ...(condition && { operand: condition }) };
    }, inside) ?? expression
  );
};

/** `NAV eq null` and `NAV ne null` of what leads to one entry: whether the caller sees one. Undefined of other conditions. */
export const readPresence = (scope: LambdaScope, condition: DataExpression): DataExpression | undefined => {
  if (condition.kind !== 'compare' || condition.literal.kind !== 'null') return undefined;
  const { field, operator } = condition;
  if (field.value || field.applied.length > 0 || (operator !== 'eq' && operator !== 'ne')) return undefined;
  const begin = beginOf(scope, field.name);
  if (!leadsToOne(scope, begin)) return undefined;
  const { start, end, name: path } = field;
  const expression: AnyExpression = { kind: 'any', path, start, end };
  const way = followWay(scope, expression, begin, false);
  if (!way) return expression;
  const found = anyAlong(expression, begin, way, undefined);
  return operator === 'ne' ? found : { kind: 'not', operand: found };
};

const leadsToOne = ({ model }: LambdaScope, { outer, steps }: WayBegin): boolean => {
  const end = steps.reduce<PropertyFinder | undefined>((finder, step) => {
    const navigation = finder?.find(step) ? undefined : finder?.navigation(step);
    const type = navigation?.isCollection === false ? model.typeByRecord.get(navigation.record) : undefined;
    return type && getPropertyFinder(type);
  }, outer.finder);
  return end !== undefined && steps.length > 0;
};

type CountValue = DataValue & { readonly kind: 'count' };

/** `NAV/$count`, also of a variable: one step to several entries. */
export const readCount = (scope: LambdaScope, value: CountValue): CountValue => {
  const begin = beginOf(scope, value.path);
  if (begin.steps.length > 1) {
    const message = `Paths to $count have one step; count what is further away with any, or in a query of its own.`;
    scope.faults.add('KM_JOIN_NOTFOUND', { ...wayFault, message, position: value.start });
    return value;
  }
  const [last] = followWay(scope, value, begin) ?? [];
  return last ? { ...value, range: { key: last.key, from: begin.outer.key } } : value;
};

/** Each step but the last leads to one entry, the last to several unless it is to lead to one; undefined after a fault. */
const followWay = (
  scope: LambdaScope,
  { start }: Span,
  { outer, steps, offset }: WayBegin,
  isToMany = true,
): readonly LambdaRange[] | undefined => {
  const way: LambdaRange[] = [];
  let [finder, position] = [outer.finder, start + offset];
  for (const [at, step] of steps.entries()) {
    const isLast = isToMany && at === steps.length - 1;
    const navigation = finder.navigation(step);
    const type = navigation && scope.model.typeByRecord.get(navigation.record);
    const refused = type ? refusalOfStep(navigation, isLast) : unknownStep(finder, step);
    if (!navigation || !type || refused) {
      scope.faults.add(type ? 'KM_FILTER_SYNTAX' : 'KM_FIELD_NOTFOUND', { ...wayFault, ...refused, position });
      return undefined;
    }
    finder = getPropertyFinder(type);
    way.push({ key: createRangeKey(type.record, ++scope.numbers.last), finder });
    position += step.length + 1;
  }
  return way;
};

const wayFault = { rule: 'navigation', message: 'Expected a way to related entries.' } as const;

const refusalOfStep = ({ name, isCollection }: NavigationProperty, isLast: boolean) => {
  if (isCollection === isLast) return undefined;
  return isLast
    ? { message: `${name} leads to one entry; name its properties as ${name}/PROPERTY, without any or all.` }
    : { message: `${name} leads to several entries; look through them as ${name}/any(x:x/...).` };
};

const unknownStep = (finder: PropertyFinder, step: string) => {
  const { type, find } = finder;
  const names = type.navigation.flatMap(({ name, isCollection }) => (isCollection ? [name] : []));
  const property = find(step);
  if (property) return { message: `${property.name} is a property; any and all look through related entries.` };
  const suggestion = findNearestName(step, names);
  const listed = suggestion === undefined ? printExpectedNames(names) : '';
  return { message: `There is no way from ${type.name} to entries of ${shortenText(step)}${listed}.`, suggestion };
};

/** `x/PROPERTY` and `x/NAVIGATION/PROPERTY`. */
export const resolveLambdaField = (
  { model, faults }: Pick<LambdaScope, 'model' | 'faults'>,
  { key, finder }: LambdaRange,
  field: DataField,
): DataField => {
  const [variable = '', first = '', second, ...deeper] = field.name.split('.');
  const position = field.start + variable.length + 1;
  const shown = field.name.replaceAll('.', '/');
  const refuse = (code: FailureCode, told: Omit<OptionFault, 'position'>, at = position): DataField => {
    faults.add(code, { ...told, position: at });
    return field;
  };
  const navigation = finder.navigation(first);
  if (second === undefined) {
    const property = finder.find(first);
    if (property) return { ...field, name: `${key}.${property.id}`, shown };
    if (!navigation) return refuse('KM_FIELD_NOTFOUND', { rule: 'unknown', ...describeUnknownProperty(finder, first) });
    const message = `${shown} leads to other entries; expected ${shown}/ and one of their properties.`;
    return refuse('KM_FIELD_NOTFOUND', { rule: 'navigation', message });
  }
  const related = navigation && model.typeByRecord.get(navigation.record);
  if (!navigation || !related)
    return refuse('KM_FIELD_NOTFOUND', { rule: 'unknown', ...unknownNavigation(finder, first) });
  if (navigation.isCollection || deeper.length > 0) {
    const message = navigation.isCollection
      ? `${variable}/${first} leads to several entries; look through them as ${variable}/${first}/any(y:y/${second} ...).`
      : `Paths from ${variable} have two steps, as in ${variable}/${first}/${second}.`;
    return refuse('KM_JOIN_NOTFOUND', { rule: 'navigation', message });
  }
  const relatedFinder = getPropertyFinder(related);
  const property = relatedFinder.find(second);
  if (property) return { ...field, name: `${createRelatedKeyInRange(key, related.record)}.${property.id}`, shown };
  const told = { rule: 'unknown', ...describeUnknownProperty(relatedFinder, second) };
  return refuse('KM_FIELD_NOTFOUND', told, position + first.length + 1);
};

const unknownNavigation = ({ type }: PropertyFinder, name: string) => {
  const names = type.navigation.map((each) => each.name);
  const suggestion = findNearestName(name, names);
  const listed = suggestion === undefined ? printExpectedNames(names) : '';
  return { message: `There is no way from ${type.name} to ${shortenText(name)}${listed}.`, suggestion };
};
