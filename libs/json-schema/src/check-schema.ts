/**
 * Whether a JSON Schema that somebody wrote may be used: it says what it means, and judging by it takes time that grows
 * with what is judged alone. Never accepts references out of the schema or in circles, patterns that cannot be matched
 * in linear time, or schemas that are too deep or too large once their references are expanded.
 */
import type { FaultList } from '@tessera/failures';
import { compilePattern } from './linear-pattern.js';
import { compileSchema, usesUnevaluatedKeywords, supportedSchemaNames } from './compile-schema.js';
import { parseJsonPointer } from './json-pointer.js';

type Schema = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

const depthMax = 32;
const sizeMax = 2_000;

export const isSchemaObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds what is wrong with `schema`, which stands at `path`. */
export const checkSchema = (schema: Schema, path: Path, faults: FaultList): void => {
  const before = faults.faults.length;
  if (schema['type'] !== 'object') faults.add([...path, 'type'], 'type', 'expected "object"');
  const walk: Walk = {
    root: schema,
    faults,
    sizes: new Map(),
    open: new Set(),
    keepsAccount: usesUnevaluatedKeywords(schema),
  };
  const size = sizeOf(walk, schema, path, 0);
  if (size > sizeMax)
    faults.add(path, 'size', `expected at most ${sizeMax} members, with every $ref written out where it stands`);
  if (faults.faults.length > before) return;
  const compiled = compileSchema(schema);
  if (compiled.ok) return;
  const at = [...path, ...parseJsonPointer(compiled.at ?? '')];
  faults.add(at, 'schema', `expected a JSON Schema (2020-12): ${compiled.why.slice(0, 500)}`);
};

type Walk = {
  readonly root: Schema;
  readonly faults: FaultList;
  /** Of what references lead to. */
  readonly sizes: Map<string, number>;
  /** References that are being followed. */
  readonly open: Set<string>;
  readonly keepsAccount: boolean;
};

/** Members whose value is a text or an example, not a schema. */
const valueKeywords = new Set(['const', 'enum', 'default', 'examples', 'required', 'description', 'title', '$comment']);
/** The members of these are named by whoever wrote the schema. */
const namedMembersKeywords = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'dependentSchemas',
  'dependentRequired',
]);
/** Judging breaks where account is kept of members that fit a pattern beside one of these. */
const unsupportedBesidePatterns = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'];
const refKeywords = new Set(['$dynamicRef', '$recursiveRef', '$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor']);

/** How many members judging by it may visit; what is wrong with them is added on the way. */
const sizeOf = (walk: Walk, value: unknown, path: Path, depth: number): number => {
  if (typeof value !== 'object' || value === null) return 1;
  if (depth > depthMax) {
    walk.faults.add(path, 'depth', `expected at most ${depthMax} levels`);
    return 1;
  }
  if (Array.isArray(value))
    return value.reduce<number>((size, item, index) => size + sizeOf(walk, item, [...path, index], depth + 1), 1);
  if (!isSchemaObject(value)) return 1;
  let size = 1;
  for (const [name, member] of Object.entries(value)) {
    const at = [...path, name];
    checkMember(walk, value, name, at);
    if (name === '$ref' && typeof member === 'string') size += sizeOfReference(walk, member, at, depth);
    else if (namedMembersKeywords.has(name) && isSchemaObject(member))
      for (const [key, schema] of Object.entries(member)) size += 1 + sizeOf(walk, schema, [...at, key], depth + 1);
    else if (!valueKeywords.has(name)) size += sizeOf(walk, member, at, depth + 1);
  }
  return size;
};

const checkMember = ({ faults, keepsAccount }: Walk, owner: Schema, name: string, path: Path): void => {
  const member = owner[name];
  checkNames(faults, name, member, path);
  if (refKeywords.has(name))
    faults.add(path, 'reference', `expected no ${name}; a $ref like "#/$defs/name" is understood`);
  if (name === 'pattern' && typeof member === 'string') checkPattern(faults, member, path);
  if (name === 'patternProperties' && isSchemaObject(member))
    for (const source of Object.keys(member)) checkPattern(faults, source, [...path, source]);
  const beside = unsupportedBesidePatterns.find((keyword) => keyword in owner);
  if (name === 'patternProperties' && keepsAccount && beside !== undefined)
    faults.add(
      path,
      'combination',
      `expected no ${beside} beside it where unevaluated members count; expected an allOf of its own`,
    );
  if (name === 'uniqueItems' && member === true && !hasPlainItems(owner))
    faults.add(path, 'uniqueItems', 'expected items of type string, number, integer or boolean beside it');
};

/** Ajv tells the first of them, and not where it stands. */
const checkNames = (faults: FaultList, keyword: string, member: unknown, path: Path): void => {
  if (faults.isFull) return;
  const { keywords, formats, types } = supportedSchemaNames;
  if (!keywords.has(keyword)) faults.unknown(path, 'keyword', keyword, keywords);
  if (keyword === 'format' && typeof member === 'string' && !formats.has(member))
    faults.unknown(path, 'format', member, formats);
  if (keyword !== 'type') return;
  for (const type of Array.isArray(member) ? member : [member])
    if (typeof type === 'string' && !types.has(type)) faults.unknown(path, 'type', type, types);
};

const checkPattern = (faults: FaultList, source: string, path: Path): void => {
  const compiled = compilePattern(source);
  if (!compiled.ok) faults.add(path, 'pattern', `the pattern ${compiled.why}`);
};

/** Other items are compared each with each. */
const hasPlainItems = ({ items }: Schema): boolean =>
  isSchemaObject(items) && /^(?:string|number|integer|boolean)$/.test(String(items['type']));

const sizeOfReference = (walk: Walk, reference: string, path: Path, depth: number): number => {
  const { faults, sizes, open } = walk;
  const known = sizes.get(reference);
  if (known !== undefined) return known;
  const target = resolveReference(walk.root, reference);
  if (target === undefined) {
    faults.add(path, 'reference', `expected a part of this schema like "#/$defs/name"`);
    return 1;
  }
  if (open.has(reference)) {
    faults.add(path, 'reference', 'refers to itself; expected a schema that ends');
    return 1;
  }
  open.add(reference);
  const size = sizeOf(walk, target, path, depth + 1);
  open.delete(reference);
  sizes.set(reference, size);
  return size;
};

/** What `#/$defs/name` leads to. */
export const resolveReference = (root: Schema, reference: string): Schema | undefined => {
  const name = /^#\/\$defs\/([\w.-]+)$/.exec(reference)?.[1];
  const defined = root['$defs'];
  const target =
    name !== undefined && isSchemaObject(defined) && Object.hasOwn(defined, name) ? defined[name] : undefined;
  return isSchemaObject(target) ? target : undefined;
};
