/** Converts an OpenAPI 3.0 schema to JSON Schema (2020-12) for validation in specs. */
import { isSchemaObject } from '@tessera/json-schema';
import type { JsonObject } from '../../models/model.js';
import { mapSubschemas } from '../subschemas.js';

export const asJsonSchema = (schema: unknown): unknown => {
  if (!isSchemaObject(schema)) return schema;
  const { nullable, exclusiveMinimum, exclusiveMaximum, minimum, maximum, example: _example, ...rest } = schema;
  const { type } = rest;
  return {
    ...mapSubschemas(rest, asJsonSchema),
    ...(nullable === true && type !== undefined && { type: [type, 'null'] }),
    ...bound('minimum', 'exclusiveMinimum', minimum, exclusiveMinimum),
    ...bound('maximum', 'exclusiveMaximum', maximum, exclusiveMaximum),
  };
};

const bound = (inclusive: string, exclusive: string, value: unknown, isExclusive: unknown): JsonObject =>
  value === undefined ? {} : { [isExclusive === true ? exclusive : inclusive]: value };
