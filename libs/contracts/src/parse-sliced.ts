/**
 * What zod's `safeParse` answers, in steps and with an end: a large value is taken apart by its schema, and of what does
 * not fit no more is looked for than a failure tells. zod itself makes an issue of each of 500,000 wrong entries, and
 * holds the event loop for a second. Small parts are zod's own work.
 */
import { maxFaults } from '@tessera/failures';
import { z } from 'zod';
import type { SlicedWork } from '@tessera/fair-queue';

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;
type Path = readonly PropertyKey[];

export type SlicedParseResult<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly issues: readonly Issue[] };

/** What has fewer values is left to zod at once. */
const wholeValuesMax = 300;

export function* parseSliced<S extends z.ZodType>(
  schema: S,
  value: unknown,
): SlicedWork<SlicedParseResult<z.output<S>>> {
  const found: Findings = { issues: [], count: 0 };
  const data = yield* parseValue(schema, value, [], found);
  return found.count === 0 ? { success: true, data: data as z.output<S> } : { success: false, issues: found.issues };
}

/** Whether there are more than `max` values in it, itself among them; texts count as one, whatever their length. */
export const hasMoreValuesThan = (value: unknown, max: number): boolean => countTo(value, max) > max;

const countTo = (value: unknown, max: number): number => {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && count <= max; index++) count += countTo(value[index], max - count);
    return count;
  }
  for (const name in value) {
    count += countTo(Reflect.get(value, name), max - count);
    if (count > max) break;
  }
  return count;
};

type Findings = { readonly issues: Issue[]; count: number };

const isFull = ({ count }: Findings): boolean => count > maxFaults;

const addIssues = (found: Findings, path: Path, issues: readonly Issue[]): void => {
  for (const issue of issues) {
    if (isFull(found)) return;
    found.issues.push({ ...issue, path: [...path, ...issue.path] });
    found.count += issue.code === 'unrecognized_keys' ? issue.keys.length : 1;
  }
};

const readWhole = (schema: Schema, value: unknown, path: Path, found: Findings): unknown => {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  addIssues(found, path, parsed.error.issues);
  return undefined;
};

function* parseValue(schema: Schema, value: unknown, path: Path, found: Findings): SlicedWork<unknown> {
  if (!hasMoreValuesThan(value, wholeValuesMax)) return readWhole(schema, value, path, found);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return isObject(value) ? yield* readObject(def, value, path, found) : readWhole(schema, [], path, found);
    case 'record':
      return isObject(value) ? yield* readRecord(def, value, path, found) : readWhole(schema, [], path, found);
    case 'array':
      return Array.isArray(value) ? yield* readList(def, value, path, found) : readWhole(schema, {}, path, found);
    case 'union':
      return yield* readUnion(schema, def, value, path, found);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return yield* parseValue(def.innerType, value, path, found);
    case 'lazy':
      return yield* parseValue(def.getter(), value, path, found);
    default:
      return readWhole(schema, value, path, found);
  }
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function* readObject(def: z.core.$ZodObjectDef, value: Members, path: Path, found: Findings): SlicedWork<unknown> {
  const data: Record<string, unknown> = {};
  const before = found.count;
  for (const [name, member] of Object.entries(def.shape)) {
    if (isFull(found)) return undefined;
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const parsed = yield* parseValue(member, given, [...path, name], found);
    if (parsed !== undefined) data[name] = parsed;
  }
  yield* readOthers(def, value, { data, path, found });
  return found.count === before ? applyChecks(def.checks, data, path, found) : undefined;
}

type ParsedObject = { readonly data: Record<string, unknown>; readonly path: Path; readonly found: Findings };

/** The members that the schema does not name: kept, passed over or refused, as it says. */
function* readOthers(def: z.core.$ZodObjectDef, value: Members, { data, path, found }: ParsedObject): SlicedWork<void> {
  const { catchall, shape } = def;
  if (!catchall) return;
  const isStrict = catchall._zod.def.type === 'never';
  const unknown: string[] = [];
  for (const name of Object.keys(value)) {
    if (found.count + unknown.length > maxFaults) break;
    yield;
    if (Object.hasOwn(shape, name)) continue;
    if (isStrict) unknown.push(name);
    else if (name !== '__proto__') data[name] = yield* parseValue(catchall, value[name], [...path, name], found);
  }
  if (unknown.length > 0)
    addIssues(found, path, [{ code: 'unrecognized_keys', keys: unknown, path: [], message: unknownText(unknown) }]);
}

const unknownText = (names: readonly string[]): string =>
  `Unrecognized key${names.length === 1 ? '' : 's'}: ${names.map((name) => `"${name}"`).join(', ')}`;

function* readRecord(def: z.core.$ZodRecordDef, value: Members, path: Path, found: Findings): SlicedWork<unknown> {
  const data: Record<string, unknown> = {};
  const before = found.count;
  for (const name of Object.keys(value)) {
    if (isFull(found)) return undefined;
    yield;
    if (name === '__proto__') continue;
    const key = z.safeParse(def.keyType, name);
    if (key.success) data[String(key.data)] = yield* parseValue(def.valueType, value[name], [...path, name], found);
    else addIssues(found, path, [invalidKey(name, key.error.issues)]);
  }
  return found.count === before ? applyChecks(def.checks, data, path, found) : undefined;
}

const invalidKey = (name: string, issues: Issue[]): Issue => ({
  code: 'invalid_key',
  origin: 'record',
  issues,
  path: [name],
  message: 'Invalid key in record',
});

/** Its length first: of a list that is too long no entry is looked at. */
function* readList(
  def: z.core.$ZodArrayDef,
  value: readonly unknown[],
  path: Path,
  found: Findings,
): SlicedWork<unknown> {
  const before = found.count;
  applyChecks(def.checks?.filter(isOfLength), value, path, found);
  if (found.count > before) return undefined;
  const data: unknown[] = [];
  for (const [index, entry] of value.entries()) {
    if (isFull(found)) return undefined;
    yield;
    data.push(yield* parseValue(def.element, entry, [...path, index], found));
  }
  return found.count === before
    ? applyChecks(
        def.checks?.filter((each) => !isOfLength(each)),
        data,
        path,
        found,
      )
    : undefined;
}

const isOfLength = ({ _zod: { def } }: z.core.$ZodCheck<never>): boolean => /length/.test(def.check);

/** The first option that fits; else what is wrong with each of them. */
function* readUnion(
  schema: Schema,
  def: z.core.$ZodUnionDef,
  value: unknown,
  path: Path,
  found: Findings,
): SlicedWork<unknown> {
  if ('discriminator' in def && isObject(value)) {
    const member = String(def.discriminator);
    const option = def.options.find(({ _zod }) => _zod.propValues?.[member]?.has(primitiveOf(value[member])));
    if (option) return yield* parseValue(option, value, path, found);
    return readWhole(schema, { [member]: primitiveOf(value[member]) }, path, found);
  }
  const errors: Issue[][] = [];
  for (const option of def.options) {
    const sub: Findings = { issues: [], count: 0 };
    const data = yield* parseValue(option, value, [], sub);
    if (sub.count === 0) return data;
    errors.push(sub.issues);
  }
  addIssues(found, path, [{ code: 'invalid_union', errors, path: [], message: unionMessage(def, value) }]);
  return undefined;
}

/** What a member that tells options apart can be; of anything else the schema is told that it is none of these. */
const primitiveOf = (value: unknown): string | number | boolean | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;

const unionMessage = ({ error }: z.core.$ZodUnionDef, input: unknown): string => {
  const told = error?.({ code: 'invalid_union', errors: [], input } as never);
  return (typeof told === 'string' ? told : told?.message) ?? 'Invalid input';
};

/** The checks of a container as a whole, when all inside of it fits. */
const applyChecks = (
  checks: readonly z.core.$ZodCheck<never>[] | undefined,
  value: unknown,
  path: Path,
  found: Findings,
): unknown =>
  checks?.length
    ? readWhole(z.unknown().check(...(checks as readonly z.core.$ZodCheck<unknown>[])), value, path, found)
    : value;
