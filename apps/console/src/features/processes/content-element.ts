/** Elements as the content repository answers them, read into data: the contract leaves their members open. */
import { isObject, type JsonObject } from '../../api/json-values.js';

/** By culture identifier; `127` for what is the same in all languages. */
export type ValuesByCulture = Readonly<Record<string, unknown>>;

export type ContentElement = {
  readonly facetName: string;
  readonly id: string;
  /** Only of versioned types. */
  readonly versionId?: string;
  readonly creationId: string;
  readonly type: string;
  /** Empty where an answer does not say it: of what is above an element, and of references to what has no versions. */
  readonly state: string;
  /** Name of the type by culture. */
  readonly typeNames: ValuesByCulture;
  readonly attributes: Readonly<Record<string, ValuesByCulture>>;
  readonly related: Readonly<Record<string, readonly ContentElement[]>>;
  readonly children: readonly ContentElement[];
  readonly content: readonly ContentElement[];
  /** The nearest first. */
  readonly rootPath: readonly ContentElement[];
};

/** What does not depend on a language. */
export const neutralCulture = '127';

const membersOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Undefined for what is no element. */
const readElement = (value: unknown): ContentElement | undefined => {
  if (!isObject(value) || typeof value['id'] !== 'string') return undefined;
  const { versionId } = value;
  return {
    facetName: textOf(value['facetName']),
    id: value['id'],
    ...(typeof versionId === 'string' && { versionId }),
    creationId: textOf(value['creationId']),
    type: textOf(value['type']),
    state: textOf(value['state']),
    typeNames: membersOf(value['displayNames']),
    attributes: mapMembers(value['attributes'], membersOf),
    related: mapMembers(value['related'], readElements),
    children: readElements(value['children']),
    content: readElements(value['content']),
    rootPath: readElements(value['rootPath']),
  };
};

const mapMembers = <Value>(value: unknown, read: (member: unknown) => Value): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(membersOf(value)).map(([name, member]) => [name, read(member)]));

/** The elements of a list; what is none is left out. */
export const readElements = (value: unknown): readonly ContentElement[] =>
  Array.isArray(value) ? value.map(readElement).filter((element) => element !== undefined) : [];

/** The one of an answer of version 4.0. */
export const readOnlyElement = ({ elements }: { readonly elements?: unknown }): ContentElement | undefined =>
  readElements(elements)[0];

/** The value of an attribute that has no languages. */
export const neutralValue = (element: ContentElement, attribute: string): unknown =>
  element.attributes[attribute]?.[neutralCulture];

/** The same as text; empty when it is none. */
export const neutralText = (element: ContentElement, attribute: string): string =>
  textOf(neutralValue(element, attribute));
