/** The fields of a form for an element, from its type: a field for each value, of localised attributes one for each culture. */
import type { AnswerFor } from '../../../api/operations.js';
import { neutralCulture, type ContentElement } from '../content-element.js';
import { nameOf, type LabelOf } from '../names.js';

export type TypeDescription = AnswerFor<'listTypes'>['values'][number];

export type FieldKind = 'text' | 'number' | 'boolean' | 'date-time' | 'items' | 'references';

export type EditorField = {
  /** `attributes.name.1031`, `attributes.critical`, `related.uses`: as faults of the server name it. */
  readonly id: string;
  readonly member: 'attributes' | 'related';
  readonly name: string;
  readonly label: string;
  /** Of one value of several; undefined where there is only one. */
  readonly culture: string | undefined;
  readonly kind: FieldKind;
  /** Without it a version cannot be released. */
  readonly isMandatory: boolean;
  /** Of a relation: to which types, all when undefined; and whether to more than one element. */
  readonly to: readonly string[] | undefined;
  readonly isMany: boolean;
};

/** An entry of an attribute of files or links. */
export type LinkItem = {
  readonly title?: string;
  readonly name?: string;
  readonly url: string;
  readonly mediaType?: string;
  readonly sizeBytes?: number;
};
/** An element that a relation leads to. */
export type Reference = { readonly id: string; readonly name: string; readonly facetName: string };

/** What stands in a field: numbers, dates and yes or no as text, empty where there is none. */
export type FieldValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'items'; readonly items: readonly LinkItem[] }
  | { readonly kind: 'references'; readonly references: readonly Reference[] };
/** By the ids of fields. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

type FieldsContext = {
  /** Those of the storage. */
  readonly cultures: readonly string[];
  readonly labelOf: LabelOf;
};

const emptyText: FieldValue = { kind: 'text', text: '' };
export const valueOf = (values: FieldValues, { id }: Pick<EditorField, 'id'>): FieldValue => values[id] ?? emptyText;

/** All that people may write; what the server keeps is not among them. */
export const fieldsOf = (
  type: TypeDescription,
  element: Pick<ContentElement, 'attributes'>,
  { cultures, labelOf }: FieldsContext,
): readonly EditorField[] => [
  ...type.attributes
    .filter(({ isSystem }) => !isSystem)
    .flatMap((attribute): readonly EditorField[] => {
      const { name, displayNames, mandatory, mandatoryCultures } = attribute;
      const field = {
        ...{ member: 'attributes' as const, name, label: labelOf(name, displayNames) },
        ...{ kind: kindOf(attribute.type), to: undefined, isMany: false },
      };
      if (!attribute.localised)
        return [{ ...field, id: `attributes.${name}`, culture: undefined, isMandatory: mandatory }];
      // Values in cultures that the storage does not have any more are still there.
      const stored = Object.keys(element.attributes[name] ?? {});
      return [...new Set([...cultures, ...stored])].map((each) => ({
        ...{ ...field, id: `attributes.${name}.${each}`, culture: each },
        isMandatory: mandatory && mandatoryCultures.map(String).includes(each),
      }));
    }),
  ...type.relations
    .filter(({ isSystem }) => !isSystem)
    .map(({ name, displayNames, to, many }): EditorField => ({
      ...{ id: `related.${name}`, member: 'related', name, label: labelOf(name, displayNames) },
      ...{ culture: undefined, kind: 'references', isMandatory: false, to, isMany: many },
    })),
];

const kindOf = (type: TypeDescription['attributes'][number]['type']): FieldKind => {
  switch (type) {
    case 'string':
      return 'text';
    case 'file':
    case 'link':
      return 'items';
    case 'number':
    case 'boolean':
    case 'date-time':
      return type;
  }
};

/** What an element has in these fields. Names of what relations lead to are there where they were expanded. */
export const valuesOf = (fields: readonly EditorField[], element: ContentElement, culture: string): FieldValues =>
  Object.fromEntries(fields.map((field) => [field.id, storedValue(field, element, culture)]));

const storedValue = (field: EditorField, element: ContentElement, culture: string): FieldValue => {
  if (field.kind === 'references') {
    const targets = element.related[field.name] ?? [];
    return { kind: 'references', references: targets.map((target) => referenceTo(target, culture)) };
  }
  const value = element.attributes[field.name]?.[field.culture ?? neutralCulture];
  if (field.kind === 'items') return { kind: 'items', items: Array.isArray(value) ? value.flatMap(readItem) : [] };
  return { kind: 'text', text: textOfValue(value) };
};

const textOfValue = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

export const referenceTo = (
  element: Pick<ContentElement, 'id' | 'facetName' | 'attributes'>,
  culture: string,
): Reference => ({
  id: element.id,
  facetName: element.facetName,
  name: nameOf(element, culture).text || element.id,
});

const readItem = (item: unknown): readonly LinkItem[] => {
  if (typeof item !== 'object' || item === null || !('url' in item)) return [];
  const text = (name: string): Readonly<Record<string, string>> => {
    const value: unknown = Object.entries(item).find(([member]) => member === name)?.[1];
    return typeof value === 'string' ? { [name]: value } : {};
  };
  const size: unknown = 'sizeBytes' in item ? item.sizeBytes : undefined;
  return [
    {
      ...{ url: String(item.url), ...text('title'), ...text('name'), ...text('mediaType') },
      ...(typeof size === 'number' && { sizeBytes: size }),
    },
  ];
};

/** Whether two values say the same; of references only where they lead. */
export const isSameValue = (one: FieldValue, other: FieldValue): boolean => comparable(one) === comparable(other);

const comparable = (value: FieldValue): string => {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'items':
      return JSON.stringify(value.items.map(({ title, name, url }) => [title ?? '', name ?? '', url]));
    case 'references':
      return JSON.stringify(value.references.map(({ id }) => id));
  }
};

export const changedFields = (
  fields: readonly EditorField[],
  before: FieldValues,
  now: FieldValues,
): readonly EditorField[] => fields.filter((field) => !isSameValue(valueOf(before, field), valueOf(now, field)));
