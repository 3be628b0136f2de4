/**
 * `('it''s')`, `(1)`, `(A='x',B=2)` -> the literals of the key, typed by its properties. Named parts come in any order.
 */
import { findNearestName } from '@tessera/failures';
import {
  type DataExpression,
  type DataLiteral,
  literalFormOf,
  createIllegalToken,
  isSymbol,
  readQuotedText,
  scanTokens,
  type Token,
  readTokenAt,
  typeCheckFilter,
} from '@tessera/filter';
import type { EdmType, EntityProperty, EntityType } from '../model/entity-model.js';
import { type PropertyFinder, getPropertyFinder } from './find-property.js';
import { type OptionFaultCollector, shortenText } from './option-fault.js';

type Form = DataLiteral['kind'];
const literalForms: Readonly<Record<EdmType, readonly [form: Form, example: string]>> = {
  'Edm.String': ['string', "'text'"],
  'Edm.Int64': ['number', '4711'],
  'Edm.Decimal': ['number', '12.5'],
  'Edm.Double': ['number', '12.5'],
  'Edm.Boolean': ['boolean', 'true'],
  'Edm.Date': ['date', '2015-05-07'],
  'Edm.TimeOfDay': ['time', '08:30:00'],
  'Edm.DateTimeOffset': ['datetime', '2015-05-07T08:30:00Z'],
};

/** A part as written: `NAME=literal`, or the literal alone. */
type Part = { readonly name?: string; readonly nameStart: number; readonly text: string; readonly start: number };

/** The condition that one entry fulfils; undefined after a fault. */
export const parseKeyPredicate = (
  type: EntityType,
  text: string,
  faults: OptionFaultCollector,
): DataExpression | undefined => {
  const parts = scanKey(text);
  if (typeof parts === 'number') {
    const message = `Expected a key such as ${exampleOf(type)}.`;
    faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'syntax', message, position: parts });
    return undefined;
  }
  const finder = getPropertyFinder(type);
  const found = new Map<EntityProperty, DataExpression>();
  for (const part of parts) {
    const property = propertyOf(type, finder, part, parts.length, faults);
    const condition = property && conditionOf(property, part, faults);
    if (condition && found.has(property)) {
      const message = `${property.name} stands there twice.`;
      faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'twice', message, position: part.nameStart });
    } else if (condition) found.set(property, condition);
  }
  if (faults.faults.length > 0) return undefined;
  const missing = type.key.filter((property) => !found.has(property)).map(({ name }) => name);
  if (missing.length === 0) return { kind: 'and', operands: [...found.values()] };
  const message = `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing; a key is ${exampleOf(type)}.`;
  faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'missing', message, position: text.length - 1 });
  return undefined;
};

const exampleOf = ({ key }: EntityType): string => {
  const [first] = key;
  if (first && key.length === 1) return `(${literalForms[first.edmType][1]})`;
  return `(${key.map(({ name, edmType }) => `${name}=${literalForms[edmType][1]}`).join(',')})`;
};

const spacePattern = /[ \t]+/y;
const symbolPattern = /[(),=]/y;
const wordPattern = /[^\s'(),=]+/y;

const readToken = (text: string, start: number): Token => {
  const quoted = text.charAt(start) === "'" ? readQuotedText(text, start) : undefined;
  if (quoted) return { kind: 'string', start, ...quoted };
  const token = readTokenAt('symbol', symbolPattern, text, start) ?? readTokenAt('word', wordPattern, text, start);
  return token ?? createIllegalToken(start, 'no part of a key');
};

/** What no value holds: the character that PostgreSQL does not store, and halves of characters. */
const unusableCharacter = /[\0\p{Cs}]/u;

/** The parts between the parentheses, or where it is no key. */
const scanKey = (text: string): readonly Part[] | number => {
  const unusable = text.search(unusableCharacter);
  if (!text.startsWith('(') || unusable >= 0) return Math.max(unusable, 0);
  const tokens = scanTokens(text, spacePattern, (start) => readToken(text, start));
  const parts: Part[] = [];
  let [index, from] = [1, 1];
  for (;;) {
    const [first, equals, second] = tokens.slice(index, index + 3);
    const isNamed = first?.kind === 'word' && equals?.kind === 'symbol' && equals.text === '=';
    const literal = isNamed ? second : first;
    index += isNamed ? 4 : 2;
    const mark = tokens[index - 1];
    const isLiteral = literal?.kind === 'word' || literal?.kind === 'string';
    if (!first || !isLiteral || !mark || !isSymbol(mark, ',', ')')) return from;
    const { start, end } = literal;
    parts.push({ ...(isNamed && { name: first.text }), nameStart: first.start, text: text.slice(start, end), start });
    if (isSymbol(mark, ')')) return mark.end === text.length ? parts : mark.end;
    from = mark.end;
  }
};

const propertyOf = (
  type: EntityType,
  finder: PropertyFinder,
  { name, nameStart }: Part,
  count: number,
  faults: OptionFaultCollector,
): EntityProperty | undefined => {
  const [only] = type.key;
  if (name === undefined && count === 1 && type.key.length === 1) return only;
  const found = name === undefined ? undefined : finder.find(name);
  if (found && type.key.includes(found)) return found;
  const names = type.key.map((property) => property.name);
  const message =
    name === undefined
      ? `Each part of a key is written with its name, as in ${exampleOf(type)}.`
      : `${shortenText(name)} is no part of the key, which is ${names.join(', ')}.`;
  const suggestion = name === undefined ? undefined : findNearestName(name, names);
  faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'key', message, position: nameStart, suggestion });
  return undefined;
};

const conditionOf = (
  property: EntityProperty,
  part: Part,
  faults: OptionFaultCollector,
): DataExpression | undefined => {
  const { id, type, edmType } = property;
  const position = part.start;
  const span = { start: position, end: position + part.text.length };
  const [form, example] = literalForms[edmType];
  const written = part.text.startsWith("'")
    ? 'string'
    : part.text === 'true' || part.text === 'false'
      ? 'boolean'
      : literalFormOf(part.text);
  const condition: DataExpression = {
    kind: 'compare',
    operator: 'eq',
    field: { name: id, applied: [], start: part.nameStart, end: span.end },
    literal: { kind: form, text: exactText(form, part.text), ...span },
  };
  const typing = typeCheckFilter(condition, new Map([[id, { type, nullable: false }]]));
  if (written === form && typing.ok) return condition;
  const [misfit] = written === form && !typing.ok ? typing.faults : [];
  const message =
    misfit?.message ??
    `${property.name} is ${edmType}; expected a value such as ${example}, but there is ${shortenText(part.text)}.`;
  faults.add('KM_FILTER_TYPE', { rule: 'type', message, position });
  return undefined;
};

/** Without quotes; moments to the microsecond, since a key is one moment and not the span that a shorter literal stands for. */
const exactText = (form: Form, text: string): string => {
  if (form === 'string') return text.slice(1, -1).replaceAll("''", "'");
  if (form !== 'time' && form !== 'datetime') return text;
  const [, upToMinute = '', seconds = ':00', fraction = '', zone = ''] =
    /^(.*?\d{2}:\d{2})(:\d{2})?(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})?$/.exec(text) ?? [];
  return `${upToMinute}${seconds}.${fraction.padEnd(6, '0')}${zone}`;
};
