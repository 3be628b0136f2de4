/**
 * Translates a JSON Schema (2020-12) to OpenAPI 3.0, which has fewer keywords. Never narrows: what cannot be said is left out,
 * and more where leaving it out would narrow (inside `not` or `oneOf`).
 */
import { isDeepStrictEqual } from 'node:util';
import { isSchemaObject } from '@tessera/json-schema';
import type { JsonObject } from '../models/model.js';
import { mapMembers } from './subschemas.js';

/** Said the same in both. */
const copiedKeywords = new Set([
  ...['title', 'description', 'default', 'deprecated', 'readOnly', 'writeOnly', 'format', 'pattern', 'multipleOf'],
  ...['minLength', 'maxLength', 'minProperties', 'maxProperties', 'minItems', 'maxItems', 'uniqueItems', '$ref'],
]);
/** Said in another way. */
const translatedKeywords = new Set([
  ...['type', 'const', 'enum', 'required', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'examples'],
  ...['properties', 'additionalProperties', 'items', 'allOf', 'anyOf', 'oneOf', 'not', '$comment'],
]);

/** Whether something was left out so far. */
type Translation = { isLossy: boolean };
type Translate = (schema: unknown) => JsonObject;

export const toOpenApiSchema = (schema: unknown): JsonObject => translateSchema(schema, { isLossy: false });

const translateSchema = (schema: unknown, translation: Translation): JsonObject => {
  if (schema === false) return { not: {} };
  if (!isSchemaObject(schema)) return {};
  // What a reference leads to may have lost something.
  if (
    '$ref' in schema ||
    Object.keys(schema).some((keyword) => !copiedKeywords.has(keyword) && !translatedKeywords.has(keyword))
  )
    translation.isLossy = true;
  const part: Translate = (inner) => translateSchema(inner, translation);
  const items = itemsOf(schema, part);
  return mergeSchemas([
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => copiedKeywords.has(keyword))),
    typeOf(schema, items),
    valuesOf(schema),
    boundOf(schema, { inclusive: 'minimum', exclusive: 'exclusiveMinimum', stricter: Math.max }),
    boundOf(schema, { inclusive: 'maximum', exclusive: 'exclusiveMaximum', stricter: Math.min }),
    membersOf(schema, part),
    ...combinationsOf(schema, translation, part),
  ]);
};

/** Of two parts that say the same keyword, the later one stands in `allOf`. A `$ref` stands alone. */
const mergeSchemas = (parts: readonly JsonObject[]): JsonObject => {
  const whole: Record<string, unknown> = {};
  const all: unknown[] = [];
  for (const { allOf, ...part } of parts) {
    if (Object.keys(part).some((keyword) => Object.hasOwn(whole, keyword))) all.push(part);
    else Object.assign(whole, part);
    all.push(...listOf(allOf));
  }
  const { $ref: reference, ...beside } = whole;
  if (reference === undefined) return all.length > 0 ? { ...whole, allOf: all } : whole;
  const isAlone = all.length === 0 && Object.keys(beside).length === 0;
  return isAlone ? whole : { ...beside, allOf: [{ $ref: reference }, ...all] };
};

/** A list has to say of what. */
const typeOf = ({ type }: JsonObject, items: JsonObject | undefined): JsonObject => {
  const types = type === undefined ? [] : Array.isArray(type) ? listOf(type) : [type];
  const nullable = types.includes('null') ? { nullable: true } : {};
  const others = types
    .filter((each) => each !== 'null')
    .map((each) => ({ type: each, ...nullable, ...(each === 'array' && { items: items ?? {} }) }));
  if (others.length > 1) return { anyOf: others };
  return others[0] ?? (types.length > 0 ? nullSchema : items ? { items } : {});
};

const nullSchema: JsonObject = { nullable: true, enum: [null] };

const valuesOf = (schema: JsonObject): JsonObject => {
  const { enum: values, const: value, required, examples } = schema;
  const isFixed = Object.hasOwn(schema, 'const');
  if (isFixed && Array.isArray(values) && !values.some((each) => isDeepStrictEqual(each, value))) return { not: {} };
  const allowed = isFixed ? [value] : listOf(values);
  const names = new Set(listOf(required));
  return {
    ...(allowed.length > 0 && { enum: allowed }),
    ...(names.size > 0 && { required: [...names] }),
    ...(listOf(examples).length > 0 && { example: listOf(examples)[0] }),
  };
};

type Bound = {
  readonly inclusive: 'minimum' | 'maximum';
  readonly exclusive: 'exclusiveMinimum' | 'exclusiveMaximum';
  readonly stricter: (left: number, right: number) => number;
};

/** Which of the two bounds holds, and whether the value itself is outside. */
const boundOf = (schema: JsonObject, { inclusive, exclusive, stricter }: Bound): JsonObject => {
  const [within, beyond] = [schema[inclusive], schema[exclusive]];
  if (typeof beyond !== 'number') return typeof within === 'number' ? { [inclusive]: within } : {};
  if (typeof within === 'number' && stricter(within, beyond) !== beyond) return { [inclusive]: within };
  return { [inclusive]: beyond, [exclusive]: true };
};

const membersOf = (schema: JsonObject, part: Translate): JsonObject => {
  const { properties, patternProperties, additionalProperties } = schema;
  const additional = isSchemaObject(additionalProperties) ? part(additionalProperties) : additionalProperties;
  const patterns = isSchemaObject(patternProperties) ? Object.values(patternProperties).map(part) : [];
  return {
    ...(isSchemaObject(properties) && { properties: mapMembers(properties, part) }),
    ...(additional !== undefined && { additionalProperties: withPatterns(additional, patterns) }),
  };
};

/** Names cannot be told from each other by patterns: a further member fits one of all that there are. */
const withPatterns = (additional: unknown, patterns: readonly JsonObject[]): unknown => {
  if (patterns.length === 0 || additional === true) return additional;
  const all = isSchemaObject(additional) ? [...patterns, additional] : patterns;
  return all.length === 1 ? all[0] : { anyOf: all };
};

/** Entries cannot be told from each other by their place. */
const itemsOf = ({ items, prefixItems }: JsonObject, part: Translate): JsonObject | undefined => {
  const places = listOf(prefixItems).map(part);
  if (places.length === 0) return items === undefined ? undefined : part(items);
  if (items === undefined || items === true) return {};
  return { anyOf: items === false ? places : [...places, part(items)] };
};

const combinationsOf = (schema: JsonObject, translation: Translation, part: Translate): readonly JsonObject[] => {
  const { allOf, anyOf, oneOf, not, then, else: otherwise } = schema;
  const one: Translation = { isLossy: false };
  const exclusive = alternatives('oneOf', listOf(oneOf), (each) => translateSchema(each, one));
  const none: Translation = { isLossy: false };
  const excluded = translateSchema(not, none);
  translation.isLossy ||= one.isLossy || none.isLossy;
  return [
    { allOf: listOf(allOf).map(part) },
    alternatives('anyOf', listOf(anyOf), part),
    one.isLossy && 'oneOf' in exclusive ? { anyOf: exclusive['oneOf'] } : exclusive,
    not === undefined || none.isLossy ? {} : { not: excluded },
    'if' in schema && then !== undefined && otherwise !== undefined ? { anyOf: [part(then), part(otherwise)] } : {},
  ];
};

/** A schema or null is the schema, nullable. */
const alternatives = (keyword: 'anyOf' | 'oneOf', schemas: readonly unknown[], part: Translate): JsonObject => {
  const parts = schemas.map(part);
  const others = parts.filter((_, index) => !isNull(schemas[index]));
  const [other = {}] = others;
  if (others.length === 1 && parts.length > 1 && 'type' in other)
    return { ...other, nullable: true, ...('enum' in other && { enum: [...listOf(other['enum']), null] }) };
  return parts.length > 0 ? { [keyword]: parts } : {};
};

const isNull = (schema: unknown): boolean =>
  isSchemaObject(schema) && schema['type'] === 'null' && Object.keys(schema).length === 1;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
