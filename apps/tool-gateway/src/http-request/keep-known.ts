/**
 * What an answer says beyond its output schema is left out: members of objects that the schema does not know.
 * Refuses: to judge the rest; whether it fits is decided by whoever runs the tool.
 */
import { isSchemaObject, targetOf } from '@tessera/json-schema';
import { compilePattern, type LinearPattern } from '@tessera/json-schema';

type Schema = Readonly<Record<string, unknown>>;

/** `value` without the members that `schema` does not know. Every branch of a choice counts as known. */
export const keepKnown = (schema: Schema, value: unknown): unknown =>
  keep({ root: schema, parts: new Map(), patterns: new Map() }, [schema], value);

type Pruning = {
  readonly root: Schema;
  /** Of each schema: itself, what it refers to and its branches. */
  readonly parts: Map<Schema, readonly Schema[]>;
  readonly patterns: Map<string, LinearPattern | undefined>;
};

const keep = (pruning: Pruning, schemas: readonly unknown[], value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const parts = schemas.filter(isSchemaObject).flatMap((schema) => partsOf(pruning, schema));
  if (parts.length === 0) return value;
  if (Array.isArray(value)) return value.map((item, index) => keep(pruning, itemSchemas(parts, index), item));
  const isOpen = !parts.some(knowsMembers) || parts.some(takesOthers);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const found = parts.flatMap((part) => memberSchemas(pruning, part, name));
      return found.length === 0 && !isOpen ? [] : [[name, keep(pruning, found, member)]];
    }),
  );
};

const partsOf = (pruning: Pruning, schema: Schema): readonly Schema[] => {
  const known = pruning.parts.get(schema);
  if (known) return known;
  // What comes back here while it is being found adds nothing.
  pruning.parts.set(schema, []);
  const reference = schema['$ref'];
  const target = typeof reference === 'string' ? targetOf(pruning.root, reference) : undefined;
  const branches = [
    target,
    ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(schema[name])),
    ...['if', 'then', 'else'].map((name) => schema[name]),
    ...Object.values(membersOf(schema['dependentSchemas'])),
  ];
  const parts = [schema, ...branches.filter(isSchemaObject).flatMap((branch) => partsOf(pruning, branch))];
  pruning.parts.set(schema, parts);
  return parts;
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const membersOf = (value: unknown): Schema => (isSchemaObject(value) ? value : {});

const othersOf = (part: Schema): readonly unknown[] => [part['additionalProperties'], part['unevaluatedProperties']];
const knowsMembers = (part: Schema): boolean => isSchemaObject(part['properties']) || othersOf(part).includes(false);
const takesOthers = (part: Schema): boolean =>
  othersOf(part).some((others) => others === true || isSchemaObject(others));

const memberSchemas = (pruning: Pruning, part: Schema, name: string): readonly unknown[] => {
  const properties = membersOf(part['properties']);
  const found = [
    ...(Object.hasOwn(properties, name) ? [properties[name]] : []),
    ...Object.entries(membersOf(part['patternProperties'])).flatMap(([source, schema]) =>
      patternOf(pruning, source)?.test(name) ? [schema] : [],
    ),
  ];
  return found.length > 0 ? found : othersOf(part).filter(isSchemaObject);
};

const patternOf = ({ patterns }: Pruning, source: string): LinearPattern | undefined => {
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
