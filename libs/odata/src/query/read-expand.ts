/**
 * `$expand` -> the related entries that stand in an entry, each navigation property once. One entry with `$select` alone in its
 * parentheses is read in the row of the entry; several, and what shows further entries, by a statement of their own. `*`: all
 * navigation properties. Parentheses and quotes inside an option belong to it.
 */
import { findNearestName } from '@tessera/failures';
import type { EntityModel, EntityType, NavigationProperty } from '../model/entity-model.js';
import type { EntriesQuery, EntriesRequest } from './entries-query.js';
import { type PropertyFinder, getPropertyFinder } from './find-property.js';
import { type ListItem, type OptionFaultCollector, shortenText } from './option-fault.js';
import { createUnquotedPattern } from './scan-apply.js';
import { readSelect, type Selection } from './read-select.js';

/** Of one entry, in the row of the other. */
export type Expansion = Selection & {
  readonly navigation: NavigationProperty;
  /** What it leads to. */
  readonly type: EntityType;
};

/** Read by a statement of its own. */
export type LinkedExpansion = {
  readonly navigation: NavigationProperty;
  readonly entries: EntriesQuery;
  /** What they are asked for by, as a request of its own. */
  readonly request: EntriesRequest;
};

export type Expansions = {
  /** Both in the order of the type. */
  readonly expanded: readonly Expansion[];
  readonly linked: readonly LinkedExpansion[];
};

/** How `$expand` is read, wherever it stands. */
export type ExpandContext = {
  readonly model: EntityModel;
  readonly faults: OptionFaultCollector;
  /** What the options ask of the type. Their texts stand at their places in the whole text, behind spaces. */
  readonly readLinked: (type: EntityType, options: ExpandOptions) => Omit<LinkedExpansion, 'navigation'>;
  readonly stepsLeft: number;
  /** Expansions with a statement of their own that a request may still have. */
  readonly budget: { linkedLeft: number };
};

export const maxExpandSteps = 2;
export const maxLinkedExpansions = 20;

export type ExpandOptions = Readonly<Partial<Record<ExpandOptionName, string>>>;
type ExpandOptionName = (typeof optionNames)[number];

const optionNames = ['$select', '$expand', '$filter', '$search', '$orderby', '$top', '$skip', '$count'] as const;
/** One entry is neither filtered nor ordered. */
const optionNamesOfOne: readonly ExpandOptionName[] = ['$select', '$expand'];

type Reading = ExpandContext & { readonly finder: PropertyFinder };

export const readExpand = (
  expandReading: ExpandContext,
  finder: PropertyFinder,
  text: string | undefined,
): Expansions => {
  const { faults } = expandReading;
  if (text === undefined) return { expanded: [], linked: [] };
  const items = scanExpand(text);
  if (typeof items === 'number') {
    const message = 'Expected a list of names with commas, as in NAME,OTHER($select=ID).';
    faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'syntax', message, position: items });
    return { expanded: [], linked: [] };
  }
  const reading = { ...expandReading, finder };
  const found = new Map<string, readonly (Expansion | LinkedExpansion)[]>();
  for (const item of items) {
    if (faults.isFull()) break;
    const name = nameOfItem(reading, item);
    if (name === undefined) continue;
    if (found.has(name)) {
      const message = `${name} is expanded twice; name it once.`;
      faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'twice', message, position: item.start });
    } else found.set(name, readItem(reading, finder.navigation(name), item));
  }
  const read = finder.type.navigation.flatMap((navigation) => {
    const own = found.get(navigation.name);
    const isMeant = !own && found.has(everyNavigation) && !faults.isFull();
    return isMeant ? readItem(reading, navigation, { text: everyNavigation, start: 0 }) : (own ?? []);
  });
  return {
    expanded: read.flatMap((each) => ('entries' in each ? [] : [each])),
    linked: read.flatMap((each) => ('entries' in each ? [each] : [])),
  };
};

const everyNavigation = '*';

/** Of the navigation property, or the star; undefined after a fault. */
const nameOfItem = (
  { finder, faults }: Reading,
  { text, start: position, options }: ExpandItem,
): string | undefined => {
  const [first = '', ...further] = text.split('/');
  const navigation = finder.navigation(first);
  const unsupported = (message: string): undefined => {
    faults.add('ODATA_OPTION_UNSUPPORTED', { rule: 'expand', message, position });
  };
  if (first === '') {
    const message = 'An item names nothing; expected a navigation property or *.';
    faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'empty', message, position });
    return undefined;
  }
  if (first.startsWith('$')) return unsupported(`${shortenText(first)} is not supported here.`);
  if (!navigation && first !== everyNavigation) {
    faults.add('KM_FIELD_NOTFOUND', { rule: 'unknown', position, ...unknownNavigation(finder, first) });
    return undefined;
  }
  if (further.length > 0) {
    const nested = `; what it leads to is expanded in its parentheses, as in ${first}($expand=NAME)`;
    return unsupported(
      `/${shortenText(further.join('/'))} is not supported here${further[0]?.startsWith('$') ? '' : nested}.`,
    );
  }
  if (navigation) return navigation.name;
  return options ? unsupported('* has no options here.') : everyNavigation;
};

const unknownNavigation = (finder: PropertyFinder, name: string) => {
  const { type, find } = finder;
  const names = type.navigation.map((navigation) => navigation.name);
  const property = find(name);
  return property
    ? { message: `${property.name} is a property, which leads nowhere; name it in $select.`, suggestion: undefined }
    : {
        message: `There is no navigation property ${shortenText(name)} in ${type.name}.`,
        suggestion: findNearestName(name, names),
      };
};

const readItem = (
  reading: Reading,
  navigation: NavigationProperty | undefined,
  { start, options = [] }: ExpandItem,
): readonly (Expansion | LinkedExpansion)[] => {
  const { model, faults } = reading;
  const type = navigation && model.typeByRecord.get(navigation.record);
  if (!type) return [];
  const found = readOptions(reading, navigation, options);
  if (!navigation.isCollection && found.$expand === undefined)
    return [{ navigation, type, ...readSelect(getPropertyFinder(type), found.$select, faults) }];
  if (navigation.isCollection && reading.finder.type.key.length === 0) {
    const { name } = reading.finder.type;
    const message = `Entries of ${name} have no key, behind which ${navigation.name} would have an address; read its entity set.`;
    faults.add('ODATA_OPTION_UNSUPPORTED', { rule: 'expand', message, position: start });
    return [];
  }
  if (reading.budget.linkedLeft-- === 0) {
    const message = `At most ${maxLinkedExpansions} navigation properties to several entries are expanded at once.`;
    faults.add('ODATA_OPTION_UNSUPPORTED', { rule: 'expand', message, position: start });
  }
  return [{ navigation, ...reading.readLinked(type, navigation.isCollection ? found : { ...found, $top: '1' }) }];
};

/** Each text behind as many spaces as characters stand before it in the whole. */
const readOptions = (
  { faults, stepsLeft }: Reading,
  navigation: NavigationProperty,
  options: readonly ExpandOption[],
): ExpandOptions => {
  const names = navigation.isCollection ? optionNames : optionNamesOfOne;
  const found: Partial<Record<ExpandOptionName, string>> = {};
  for (const option of options) {
    if (faults.isFull()) break;
    const name = nameOfOption(option, names, faults);
    const { value, start: position } = option;
    if (name === undefined || !value) continue;
    if (found[name] !== undefined) {
      const message = `${name} stands there twice.`;
      faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'twice', message, position });
    } else if (name === '$expand' && stepsLeft <= 1) {
      const message = `Entries are expanded ${maxExpandSteps} steps deep; read the entity set of ${navigation.name} with $expand.`;
      faults.add('ODATA_OPTION_UNSUPPORTED', { rule: 'expand', message, position });
    } else if (hasValue(name, value, faults)) found[name] = ' '.repeat(value.start) + value.text;
  }
  return found;
};

/** Names have no case, and `$` may be left out; undefined after a fault. */
const nameOfOption = (
  { text, start: position, value }: ExpandOption,
  names: readonly ExpandOptionName[],
  faults: OptionFaultCollector,
): ExpandOptionName | undefined => {
  const written = `$${text.toLowerCase().replace('$', '')}`;
  const name = names.find((each) => each === written);
  const suggestion = name === undefined ? findNearestName(text, names) : undefined;
  if (name !== undefined && value) return name;
  if (name !== undefined || suggestion !== undefined || !/^[$@]?\w/.test(text)) {
    const message = `Expected ${name ?? '$select'}= and its value, as in ${exampleOptions[name ?? '$select']}.`;
    faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'syntax', message, position, suggestion });
  } else {
    const message = `${shortenText(text)} is not supported here; there are ${names.join(', ')}.`;
    faults.add('ODATA_OPTION_UNSUPPORTED', { rule: 'expand', message, position });
  }
  return undefined;
};

const exampleOptions: Readonly<Record<ExpandOptionName, string>> = {
  $select: '$select=A,B',
  $expand: '$expand=NAME',
  $filter: '$filter=A gt 1',
  $search: '$search=blue',
  $orderby: '$orderby=A desc',
  $top: '$top=10',
  $skip: '$skip=10',
  $count: '$count=true',
};

const valuePatterns: Readonly<Partial<Record<ExpandOptionName, RegExp>>> = {
  $top: /^\d{1,9}$/,
  $skip: /^\d{1,9}$/,
  $count: /^(?:true|false)$/,
};

/** Whether the value is one of the option; what is no number or truth value is read where it is used. */
const hasValue = (
  name: ExpandOptionName,
  { text, start: position }: ListItem,
  faults: OptionFaultCollector,
): boolean => {
  if (valuePatterns[name]?.test(text) ?? true) return true;
  const expected = name === '$count' ? 'true or false' : 'a number of at most nine digits';
  const message = `${name} is ${expected}, but there is ${text === '' ? 'nothing' : shortenText(text)}.`;
  faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'value', message, position });
  return false;
};

/** `$select=A,B`; without a value when there is no `=`. */
export type ExpandOption = ListItem & { readonly value?: ListItem };

export type ExpandItem = ListItem & { readonly options?: readonly ExpandOption[] };

const namePattern = /\s*([^\s,();]*)\s*/y;

/** The items, or the place where the text is no list of them. */
export const scanExpand = (text: string): readonly ExpandItem[] | number => {
  const items: ExpandItem[] = [];
  for (let at = 0; ; at++) {
    namePattern.lastIndex = at;
    const [whole = '', path = ''] = namePattern.exec(text) ?? [];
    const item = { text: path, start: at + whole.length - whole.trimStart().length };
    at += whole.length;
    const options = path !== '' && text[at] === '(' ? scanOptions(text, at + 1) : undefined;
    items.push({ ...item, ...(options && { options: options.items }) });
    if (options) at = options.end + 1;
    while (/\s/.test(text.charAt(at))) at++;
    if (at >= text.length) return items;
    if (text[at] !== ',') return at;
  }
};

type Options = { readonly items: readonly ExpandOption[]; readonly end: number };

/** Up to the parenthesis that closes what was opened before `start`. */
const scanOptions = (text: string, start: number): Options | undefined => {
  const marks = createUnquotedPattern('[();]');
  marks.lastIndex = start;
  const items: ExpandOption[] = [];
  let [depth, from] = [0, start];
  for (const { 0: mark, index } of text.matchAll(marks)) {
    const isEnd = mark === ')' && depth === 0;
    if (isEnd || (mark === ';' && depth === 0)) {
      items.push(optionIn(text, from, index));
      from = index + 1;
    }
    if (isEnd) return { items, end: index };
    if (mark === '(') depth++;
    if (mark === ')') depth--;
  }
  return undefined;
};

const optionIn = (text: string, start: number, end: number): ExpandOption => {
  const whole = text.slice(start, end);
  const equals = whole.indexOf('=');
  if (equals < 0) return trimmedItem(whole, start);
  return {
    ...trimmedItem(whole.slice(0, equals), start),
    value: trimmedItem(whole.slice(equals + 1), start + equals + 1),
  };
};

const trimmedItem = (text: string, start: number): ListItem => ({
  text: text.trim(),
  start: start + text.length - text.trimStart().length,
});
