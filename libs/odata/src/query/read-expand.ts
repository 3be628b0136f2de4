/**
 * `$expand` -> the related entries that stand in an entry, each once: those that a navigation property to one entry leads
 * to, with what `$select` in its parentheses chooses of them. `*`: all of these. Parentheses and quotes inside an option
 * belong to it.
 */
import { nearestName } from '@tessera/failures';
import type { EntityModel, EntityType, NavigationProperty } from '../model/entity-model.js';
import { type PropertyFinder, propertyFinder } from './find-property.js';
import { type ListItem, type OptionFaults, shortenText } from './option-fault.js';
import { readSelect, type Selection } from './read-select.js';

export type Expansion = Selection & {
  readonly navigation: NavigationProperty;
  /** What it leads to. */
  readonly type: EntityType;
};

type Reading = { readonly model: EntityModel; readonly finder: PropertyFinder; readonly faults: OptionFaults };

/** In the order of the type. */
export const readExpand = (
  model: EntityModel,
  finder: PropertyFinder,
  text: string | undefined,
  faults: OptionFaults,
): readonly Expansion[] => {
  if (text === undefined) return [];
  const items = scanExpand(text);
  if (typeof items === 'number') {
    const message = 'Expected a list of names with commas, as in NAME,OTHER($select=ID).';
    faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'syntax', message, position: items });
    return [];
  }
  const reading = { model, finder, faults };
  const found = new Map<string, Expansion | undefined>();
  for (const item of items) {
    if (faults.isFull()) break;
    const name = nameOfItem(reading, item);
    if (name === undefined) continue;
    if (found.has(name)) {
      const message = `${name} is expanded twice; name it once.`;
      faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'twice', message, position: item.start });
    } else found.set(name, name === star ? undefined : readItem(reading, item));
  }
  return finder.type.navigation.flatMap(
    (navigation) => found.get(navigation.name) ?? (found.has(star) ? wholeOf(model, navigation) : []),
  );
};

const star = '*';

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
  if (!navigation && first !== star) {
    faults.add('KM_FIELD_NOTFOUND', { rule: 'unknown', position, ...unknownNavigation(finder, first) });
    return undefined;
  }
  if (further.length > 0) return unsupported(`/${shortenText(further.join('/'))} is not supported here; one step is.`);
  if (!navigation) return options ? unsupported('* has no options here.') : star;
  if (!navigation.isCollection) return navigation.name;
  return unsupported(`${navigation.name} leads to several entries, which are not shown here; read their entity set.`);
};

const unknownNavigation = (finder: PropertyFinder, name: string) => {
  const { type, find } = finder;
  const names = type.navigation.filter(({ isCollection }) => !isCollection).map((navigation) => navigation.name);
  const property = find(name);
  return property
    ? { message: `${property.name} is a property, which leads nowhere; name it in $select.`, suggestion: undefined }
    : {
        message: `There is no navigation property ${shortenText(name)} in ${type.name}.`,
        suggestion: nearestName(name, names),
      };
};

const wholeOf = ({ typeByRecord }: EntityModel, navigation: NavigationProperty): readonly Expansion[] => {
  const type = typeByRecord.get(navigation.record);
  return type && !navigation.isCollection ? [{ navigation, type, shown: type.properties, isSelected: false }] : [];
};

const readItem = (reading: Reading, { text, options = [] }: ExpandItem): Expansion | undefined => {
  const navigation = reading.finder.navigation(text);
  const [whole] = navigation ? wholeOf(reading.model, navigation) : [];
  if (!whole) return undefined;
  const finder = propertyFinder(whole.type);
  let selection: Selection | undefined;
  for (const option of options) {
    if (!isSelect(option, reading.faults)) continue;
    const { text: names = '', start = option.start } = option.value ?? {};
    if (selection) {
      const message = '$select stands there twice.';
      reading.faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'twice', message, position: option.start });
    } else selection = readSelect(finder, names, offsetFaults(reading.faults, start));
  }
  return { ...whole, ...selection };
};

const selectNames: readonly string[] = ['$select', 'select'];

/** Names have no case, and `$` may be left out. */
const isSelect = ({ text, start: position, value }: ExpandOption, faults: OptionFaults): boolean => {
  const isKnown = selectNames.includes(text.toLowerCase());
  const suggestion = isKnown ? undefined : nearestName(text, selectNames);
  if (isKnown && value) return true;
  if (isKnown || suggestion !== undefined || !/^[$@]?\w/.test(text)) {
    const message = 'Expected $select= and properties with commas between.';
    faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'syntax', message, position, suggestion });
  } else {
    const message = `${shortenText(text)} is not supported here; there is $select.`;
    faults.add('ODATA_OPTION_UNSUPPORTED', { rule: 'expand', message, position });
  }
  return false;
};

/** Faults of a part of the text. */
const offsetFaults = (faults: OptionFaults, start: number): OptionFaults => ({
  ...faults,
  add: (code, fault) => faults.add(code, { ...fault, position: start + fault.position }),
});

/** `$select=A,B`; without a value when there is no `=`. */
export type ExpandOption = ListItem & { readonly value?: ListItem };

export type ExpandItem = ListItem & { readonly options?: readonly ExpandOption[] };

const name = /\s*([^\s,();]*)\s*/y;

/** The items, or the place where the text is no list of them. */
export const scanExpand = (text: string): readonly ExpandItem[] | number => {
  const items: ExpandItem[] = [];
  for (let at = 0; ; at++) {
    name.lastIndex = at;
    const [whole = '', path = ''] = name.exec(text) ?? [];
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
  const marks = /'(?:[^']|'')*'|[();]/g;
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
  if (equals < 0) return trimmed(whole, start);
  return { ...trimmed(whole.slice(0, equals), start), value: trimmed(whole.slice(equals + 1), start + equals + 1) };
};

const trimmed = (text: string, start: number): ListItem => ({
  text: text.trim(),
  start: start + text.length - text.trimStart().length,
});
