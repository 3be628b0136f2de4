/** The values of a form as a write has them: only what was changed, and of that all cultures, because what is named is replaced whole. */
import type { InputFor } from '../../../api/operations.js';
import { changedFields, valueOf, type EditorField, type FieldValues } from './editor-fields.js';

export type WrittenElement = InputFor<'writeElements'>['batch']['elements'][number];
type WrittenAttribute = NonNullable<WrittenElement['attributes']>[string];
type WrittenValue = string | number | boolean | { readonly title?: string; readonly url: string }[];

/** What cannot be sent, because the server would take it for something else. */
export type ValueFault = 'number' | 'dateTime' | 'address';

const dateTimePattern = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?)?$/;
const numberPattern = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Fields have read it in the language of the page. */
const numberOf = (text: string): number => (numberPattern.test(text) ? Number(text) : Number.NaN);

const dateTimeOf = (text: string): string => {
  const written = text.trim().replace(' ', 'T');
  if (!written.includes('T')) return `${written}T00:00:00`;
  return /T\d\d:\d\d$/.test(written) ? `${written}:00` : written;
};

/** By the ids of fields. */
export const valueFaults = (
  fields: readonly EditorField[],
  values: FieldValues,
): Readonly<Record<string, ValueFault>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const fault = faultOf(field, values);
      return fault === undefined ? [] : [[field.id, fault] as const];
    }),
  );

const faultOf = (field: EditorField, values: FieldValues): ValueFault | undefined => {
  const value = valueOf(values, field);
  if (value.kind === 'items') return value.items.some(({ url }) => url.trim() === '') ? 'address' : undefined;
  if (value.kind !== 'text' || value.text.trim() === '') return undefined;
  if (field.kind === 'number') return Number.isFinite(numberOf(value.text)) ? undefined : 'number';
  if (field.kind === 'date-time')
    return dateTimePattern.test(value.text.trim().replace(' ', 'T')) ? undefined : 'dateTime';
  return undefined;
};

/** For values without faults. */
export const writtenMembers = (
  fields: readonly EditorField[],
  before: FieldValues,
  now: FieldValues,
): Pick<WrittenElement, 'attributes' | 'related'> => {
  const changed = changedFields(fields, before, now);
  const named = (member: EditorField['member']): readonly string[] => [
    ...new Set(changed.filter((field) => field.member === member).map(({ name }) => name)),
  ];
  const [attributes, relations] = [named('attributes'), named('related')];
  const fieldsOfName = (name: string) => fields.filter((field) => field.member === 'attributes' && field.name === name);
  return {
    ...(attributes.length > 0 && {
      attributes: Object.fromEntries(attributes.map((name) => [name, writtenAttribute(fieldsOfName(name), now)])),
    }),
    ...(relations.length > 0 && {
      related: Object.fromEntries(relations.map((name) => [name, writtenRelation(`related.${name}`, now)])),
    }),
  };
};

const writtenAttribute = (fields: readonly EditorField[], values: FieldValues): WrittenAttribute => {
  const given = fields.flatMap((field) => {
    const value = writtenValue(field, values);
    return value === undefined ? [] : [{ culture: field.culture, value }];
  });
  const [first] = given;
  if (first === undefined) return null;
  if (first.culture === undefined) return first.value;
  return Object.fromEntries(given.map(({ culture = '', value }) => [culture, value]));
};

/** Undefined: there is none. */
const writtenValue = (field: EditorField, values: FieldValues): WrittenValue | undefined => {
  const value = valueOf(values, field);
  if (value.kind === 'items') return value.items.length === 0 ? undefined : [...value.items];
  if (value.kind === 'references' || value.text.trim() === '') return undefined;
  switch (field.kind) {
    case 'number':
      return numberOf(value.text);
    case 'boolean':
      return value.text === 'true';
    case 'date-time':
      return dateTimeOf(value.text);
    case 'text':
    case 'items':
    case 'references':
      return value.text;
  }
};

const writtenRelation = (id: string, values: FieldValues): string[] => {
  const value = values[id];
  return value?.kind === 'references' ? value.references.map((reference) => reference.id) : [];
};
