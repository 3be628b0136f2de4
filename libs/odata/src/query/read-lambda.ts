/**
 * `any` and `all` of a `$filter`: where the way to the entries leads, and what is named of them by a variable. Each has rows
 * of its own, whatever else the condition names.
 */
import { findNearestName, type FailureCode } from '@tessera/failures';
import type { DataExpression, DataField } from '@tessera/filter';
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
  const { ranges, finder } = scope;
  const [first = '', ...further] = expression.path.split('.');
  const variable = ranges.get(first);
  const outer = variable ?? { key: finder.type.record, finder };
  const steps = variable ? further : [first, ...further];
  const way = followWay(scope, expression, outer, steps, variable ? first.length + 1 : 0);
  const last = way?.at(-1);
  if (!way || !last) return expression;
  const { variable: name, operand } = expression;
  const inside = operand && name !== undefined ? readInside(new Map([...ranges, [name, last]]), operand) : undefined;
  return (
    way.reduceRight<DataExpression | undefined>((condition, { key }, at) => {
      const from = way[at - 1]?.key ?? outer.key;
      const { operand: _written, ...rest } = expression;
      return { ...rest, range: { key, from }, ...(condition && { operand: condition }) };
    }, inside) ?? expression
  );
};

/** Each step but the last leads to one entry, the last to several; undefined after a fault. */
const followWay = (
  scope: LambdaScope,
  { start }: AnyExpression,
  outer: LambdaRange,
  steps: readonly string[],
  offset: number,
): readonly LambdaRange[] | undefined => {
  const way: LambdaRange[] = [];
  let [finder, position] = [outer.finder, start + offset];
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1;
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
