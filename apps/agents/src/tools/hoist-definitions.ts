/**
 * Moves the `$defs` of a JSON Schema to the schemas of an OpenAPI document, since references start at its root. References to
 * other documents become schemas that allow everything.
 */
import { isSchemaObject, targetOf } from '@tessera/json-schema';
import type { JsonObject } from '../models/model.js';
import { mapSubschemas } from './subschemas.js';

/** Schemas by their name in the document: `name` itself, and `name.<definition>` for each that it refers to. */
export const hoistDefinitions = (name: string, root: JsonObject): Readonly<Record<string, JsonObject>> => {
  const schemas: Record<string, JsonObject> = {};
  const hoist = (as: string, schema: JsonObject): void => {
    if (Object.hasOwn(schemas, as)) return;
    // It may refer to itself.
    schemas[as] = {};
    schemas[as] = without(schema);
  };
  const without = ({ $schema: _dialect, $defs: _definitions, ...schema }: JsonObject): JsonObject => {
    const inner = mapSubschemas(schema, (value) => (isSchemaObject(value) ? without(value) : value));
    const { $ref: reference, ...rest } = inner;
    if (typeof reference !== 'string') return inner;
    const target = targetOf(root, reference);
    if (target === undefined) return rest;
    const as = `${name}.${reference.slice('#/$defs/'.length)}`;
    hoist(as, target);
    return { $ref: `#/components/schemas/${as}`, ...rest };
  };
  hoist(name, root);
  return schemas;
};
