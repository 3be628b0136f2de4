/** Which attributes of an element a page shows, under which names, and what their values are. */
import type { AnswerFor } from '../../api/operations.js';
import { neutralCulture, type ContentElement, type ValuesByCulture } from './content-element.js';
import { toInstant } from './moments.js';
import type { LabelOf } from './names.js';

export type TypeDescription = AnswerFor<'listTypes'>['values'][number];
type AttributeDescription = TypeDescription['attributes'][number];

export type ShownAttribute = {
  readonly name: string;
  readonly label: string;
  readonly values: ValuesByCulture;
  /** In these a version has to have a value to be released. */
  readonly neededIn: readonly string[];
};

export type ShownAttributes = {
  /** With a value in each language: gaps count. */
  readonly localised: readonly ShownAttribute[];
  /** The same in all languages. */
  readonly neutral: readonly ShownAttribute[];
};

/** What the server keeps beside the content; the page says it elsewhere, or it is of no use to people. */
const keptByServer = [
  ...['createdOn', 'changedOn', 'state1', 'gotoUrl', 'version', 'majorVersion', 'minorVersion', 'isReleased'],
];

const isFilled = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
const hasValue = (values: ValuesByCulture): boolean => Object.values(values).some(isFilled);

type Described = Pick<AttributeDescription, 'name' | 'displayNames' | 'localised' | 'mandatoryCultures'>;

/** Attributes that the definition of the type does not have any more, but the element still has. */
const undefinedAttributes = (element: ContentElement, known: readonly AttributeDescription[]): readonly Described[] =>
  Object.entries(element.attributes)
    .filter(([name]) => !known.some((attribute) => attribute.name === name))
    .map(([name, values]) => ({
      ...{ name, displayNames: {}, localised: !(neutralCulture in values), mandatoryCultures: [] },
    }));

/** `type` is undefined when the storage does not have the type any more. */
export const chooseAttributes = (
  element: ContentElement,
  type: TypeDescription | undefined,
  labelOf: LabelOf,
): ShownAttributes => {
  const known = type?.attributes ?? [];
  const described: readonly Described[] = [...known, ...undefinedAttributes(element, known)];
  const shown = described
    .filter(({ name }) => !keptByServer.includes(name))
    .map((attribute) => ({
      name: attribute.name,
      isLocalised: attribute.localised,
      label: labelOf(attribute.name, attribute.displayNames),
      values: element.attributes[attribute.name] ?? {},
      neededIn: attribute.mandatoryCultures.map(String),
    }));
  const isShown = ({ values, neededIn }: ShownAttribute): boolean => hasValue(values) || neededIn.length > 0;
  return {
    localised: shown.filter((attribute) => attribute.isLocalised && isShown(attribute)),
    neutral: shown.filter((attribute) => !attribute.isLocalised && isShown(attribute)),
  };
};

/** A value as it is shown. */
export type ShownValue =
  | { readonly kind: 'gap' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'moment'; readonly instant: string }
  | { readonly kind: 'links'; readonly links: readonly ShownLink[] };

/** `address` is undefined when it is none that a page may lead to. */
export type ShownLink = { readonly title: string; readonly address?: string; readonly sizeBytes?: number };

const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/;

/** Only addresses of the web: others could run something. */
const webAddress = (text: unknown): string | undefined => {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
};

const readLink = (value: unknown): ShownLink | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const { title, name, url, sizeBytes }: Readonly<Record<string, unknown>> = { ...value };
  const words = [title, name, url].find((text) => typeof text === 'string' && text !== '');
  if (typeof words !== 'string') return undefined;
  return { title: words, address: webAddress(url), ...(typeof sizeBytes === 'number' && { sizeBytes }) };
};

export const showValue = (value: unknown): ShownValue => {
  if (!isFilled(value)) return { kind: 'gap' };
  if (typeof value === 'number') return { kind: 'number', value };
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value === 'string')
    return momentPattern.test(value) && !Number.isNaN(Date.parse(toInstant(value)))
      ? { kind: 'moment', instant: toInstant(value) }
      : { kind: 'text', text: value };
  const links = [value].flat().map(readLink);
  const known = links.filter((link) => link !== undefined);
  return known.length > 0 && known.length === links.length
    ? { kind: 'links', links: known }
    : { kind: 'text', text: JSON.stringify(value) };
};
