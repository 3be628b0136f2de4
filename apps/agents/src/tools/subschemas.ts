/**
 * Maps the schemas inside of a JSON Schema, under every keyword. Values of `const`, `enum`, `default` and `examples` are data
 * and stay.
 */
import { isSchemaObject } from '@tessera/json-schema';
import type { JsonObject } from '../models/model.js';

const singleSchemaKeywords = new Set([
  ...['additionalProperties', 'items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
]);
const schemaListKeywords = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const namedSchemasKeywords = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);

/** The schema with each of those changed; deeper ones are the business of `change`. */
export const mapSubschemas = (schema: JsonObject, change: (inner: unknown) => unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): [string, unknown] => {
      if (singleSchemaKeywords.has(keyword)) return [keyword, change(value)];
      if (schemaListKeywords.has(keyword) && Array.isArray(value)) return [keyword, value.map(change)];
      if (namedSchemasKeywords.has(keyword) && isSchemaObject(value)) return [keyword, mapMembers(value, change)];
      return [keyword, value];
    }),
  );

export const mapMembers = (members: JsonObject, change: (member: unknown) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
