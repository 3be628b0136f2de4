/**
 * Leaves out members of an answer that its output schema does not know. Whether the rest fits is checked after the call.
 */
import { compilePattern, isSchemaObject, type LinearPattern, resolveReference } from '@tessera/json-schema';

type Schema = Readonly<Record<string, unknown>>;

/** `value` without the members that `schema` does not know. Every branch of a choice counts as known. */
export const pruneToSchema = (schema: Schema, value: unknown): unknown =>
  pruneValue({ root: schema, parts: new Map(), patterns: new Map() }, [schema], value);

type PruneContext = {
  readonly root: Schema;
  /** Of each schema: itself, what it refers to and its branches. */
  readonly parts: Map<Schema, readonly Schema[]>;
  readonly patterns: Map<string, LinearPattern | undefined>;
};

const pruneValue = (context: PruneContext, schemas: readonly unknown[], value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const parts = schemas.filter(isSchemaObject).flatMap((schema) => partsOf(context, schema));
  if (parts.length === 0) return value;
  if (Array.isArray(value)) return value.map((item, index) => pruneValue(context, itemSchemas(parts, index), item));
  const isOpen = !parts.some(knowsMembers) || parts.some(allowsOthers);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const found = parts.flatMap((part) => memberSchemas(context, part, name));
      return found.length === 0 && !isOpen ? [] : [[name, pruneValue(context, found, member)]];
    }),
  );
};

const partsOf = (context: PruneContext, schema: Schema): readonly Schema[] => {
  const known = context.parts.get(schema);
  if (known) return known;
  // What comes back here while it is being found adds nothing.
  context.parts.set(schema, []);
  const reference = schema['$ref'];
  const target = typeof reference === 'string' ? resolveReference(context.root, reference) : undefined;
  const branches = [
    target,
    ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(schema[name])),
    ...['if', 'then', 'else'].map((name) => schema[name]),
    ...Object.values(membersOf(schema['dependentSchemas'])),
  ];
  const parts = [schema, ...branches.filter(isSchemaObject).flatMap((branch) => partsOf(context, branch))];
  context.parts.set(schema, parts);
  return parts;
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const membersOf = (value: unknown): Schema => (isSchemaObject(value) ? value : {});

const othersOf = (part: Schema): readonly unknown[] => [part['additionalProperties'], part['unevaluatedProperties']];
const knowsMembers = (part: Schema): boolean => isSchemaObject(part['properties']) || othersOf(part).includes(false);
const allowsOthers = (part: Schema): boolean =>
  othersOf(part).some((others) => others === true || isSchemaObject(others));

const memberSchemas = (context: PruneContext, part: Schema, name: string): readonly unknown[] => {
  const properties = membersOf(part['properties']);
  const found = [
    ...(Object.hasOwn(properties, name) ? [properties[name]] : []),
    ...Object.entries(membersOf(part['patternProperties'])).flatMap(([source, schema]) =>
      patternOf(context, source)?.test(name) ? [schema] : [],
    ),
  ];
  return found.length > 0 ? found : othersOf(part).filter(isSchemaObject);
};

const patternOf = ({ patterns }: PruneContext, source: string): LinearPattern | undefined => {
  if (!patterns.has(source)) {
    const compiled = compilePattern(source);
    patterns.set(source, compiled.ok ? compiled.pattern : undefined);
  }
  return patterns.get(source);
};

const itemSchemas = (parts: readonly Schema[], index: number): readonly unknown[] =>
  parts.flatMap((part) => {
    const first = listOf(part['prefixItems']);
    return index < first.length ? [first[index]] : [part['items']];
  });
