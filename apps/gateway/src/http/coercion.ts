/**
 * Text of a URL or a header to the JSON type that the contract says, derived from its JSON Schema.
 * Refuses: to judge. What does not look like the type stays text, and the contract's parse names the fault.
 */
import { z } from 'zod';

export type JsonSchema = {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: JsonSchema;
  /** A list whose values may hold commas: it is repeated, not split. */
  readonly explode?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
};

type Coerce = (value: string | readonly string[]) => unknown;

const numeral = /^-?\d{1,40}(\.\d{1,40})?$/;

/** JSON Schema of a request: what a caller may send. */
export const requestSchemaOf = (request: z.ZodType): JsonSchema => {
  const schema: unknown = JSON.parse(JSON.stringify(z.toJSONSchema(request, { io: 'input' })));
  return isSchema(schema) ? schema : {};
};

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

export const resolveSchema = (schema: JsonSchema, definitions: JsonSchema['$defs'] = {}): JsonSchema => {
  const name = schema.$ref?.split('/').pop();
  return name === undefined ? schema : resolveSchema(definitions[name] ?? {}, definitions);
};

/** The members that the object at a path of the request may have, as far as one schema says so. */
export const membersAt = (schema: JsonSchema, path: readonly PropertyKey[]): readonly string[] => {
  const resolve = (at: JsonSchema): JsonSchema => resolveSchema(at, schema.$defs);
  const inside = path.reduce<JsonSchema>((at, step) => {
    const { properties = {}, items } = resolve(at);
    const name = String(step);
    return (typeof step === 'number' ? items : Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {};
  }, schema);
  return Object.keys(resolve(inside).properties ?? {});
};

export const coercionOf = (schema: JsonSchema, definitions: JsonSchema['$defs']): Coerce => {
  const resolved = resolveSchema(schema, definitions);
  switch (resolved.type) {
    case 'integer':
    case 'number':
      return (value) => (typeof value === 'string' && numeral.test(value) ? Number(value) : value);
    case 'boolean':
      return (value) => (value === 'true' ? true : value === 'false' ? false : value);
    case 'array': {
      const item = coercionOf(resolved.items ?? {}, definitions);
      return resolved.explode ? (value) => [value].flat().map(item) : (value) => listOf(value).map(item);
    }
    default:
      return (value) => value;
  }
};

/** `a,b` and repeats are the same list; an empty text is the empty list. */
const listOf = (value: string | readonly string[]): readonly string[] =>
  (typeof value === 'string' ? [value] : value)
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
