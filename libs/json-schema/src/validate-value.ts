/**
 * Whether values fit a schema, and what is wrong when they do not. A schema is compiled once for each use, for as long
 * as its object lives. Never use it for schemas that were not checked (check-schema.ts); one that cannot be compiled
 * throws.
 */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Fault } from '@tessera/failures';
import { compileSchema, type ValidationOptions } from './compile-schema.js';
import { parseJsonPointer } from './json-pointer.js';
import { mayHaveManyFaults } from './validation-cost.js';
import { withMatchStepLimit } from './linear-pattern.js';
import { toSchemaFaults } from './schema-faults.js';

type Schema = Readonly<Record<string, unknown>>;

/** Most values fit; that one does not is found out before all that is wrong with it is looked for. */
const ajvOptions = {
  filling: { useDefaults: true, allErrors: false },
  judging: { useDefaults: false, allErrors: false },
  telling: { useDefaults: false, allErrors: true },
} as const satisfies Readonly<Record<string, ValidationOptions>>;

const validators = {
  filling: new WeakMap<Schema, ValidateFunction>(),
  judging: new WeakMap<Schema, ValidateFunction>(),
  telling: new WeakMap<Schema, ValidateFunction>(),
} as const;

/** A schema that cannot be compiled was stored by a bug: it throws. */
export const getValidator = (schema: Schema, use: keyof typeof ajvOptions): ValidateFunction => {
  const compiled = validators[use];
  const known = compiled.get(schema);
  if (known) return known;
  const made = compileSchema(schema, ajvOptions[use]);
  if (!made.ok) throw new Error(`A stored schema cannot be compiled: ${made.why}`);
  compiled.set(schema, made.validate);
  return made.validate;
};

/** What is wrong with a value: all of it, or the first of it when there might be more than anybody wants to hear of. */
export const findValidationErrors = (schema: Schema, value: unknown): readonly ErrorObject[] => {
  const judge = getValidator(schema, 'judging');
  if (judge(value)) return [];
  const first = judge.errors ?? [];
  if (mayHaveManyFaults(schema, value)) return first;
  const tell = getValidator(schema, 'telling');
  return tell(value) ? first : (tell.errors ?? []);
};

/** A value with so many members without effect, in so many places, is told of the rest. */
const roundsMax = 10;

/**
 * A copy without the members that keep it from fitting and have no effect: those that are null, and unknown ones whose names are
 * ignored. Undefined when there are none.
 */
export const withoutIneffectiveMembers = (
  schema: Schema,
  value: Schema,
  isIgnored: (name: string) => boolean,
): Schema | undefined => {
  const copy = structuredClone(value);
  const removeIn = ({ instancePath, keyword, params, data }: ErrorObject): boolean => {
    const path = parseJsonPointer(instancePath);
    const unknown: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
    if (data === null && keyword !== 'required') return deleteAt(copy, path);
    return typeof unknown === 'string' && isIgnored(unknown) && deleteAt(copy, [...path, unknown]);
  };
  let isChanged = false;
  for (let round = 0; round < roundsMax; round++) {
    if (findValidationErrors(schema, copy).filter(removeIn).length === 0) break;
    isChanged = true;
  }
  return isChanged ? copy : undefined;
};

/** True when there was such a member; entries of lists are none. */
const deleteAt = (value: unknown, path: readonly string[]): boolean => {
  const holder = path.slice(0, -1).reduce<unknown>((at, step) => Reflect.get(Object(at), step), value);
  const name = path.at(-1);
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder) || name === undefined) return false;
  return Object.hasOwn(holder, name) && Reflect.deleteProperty(holder, name);
};

/** The same in words; nothing when the value fits. */
export const findValueFaults = (schema: Schema, value: unknown): readonly Fault[] =>
  toSchemaFaults(withMatchStepLimit(() => findValidationErrors(schema, value)));
