/**
 * Whether arguments and results fit the schemas of their tool. Schemas are compiled once for each version of a tool, and
 * those of a kind once for all.
 * Refuses: to judge names that the owner of the data knows better; those are looked at only when something else is wrong,
 * so that a caller hears of everything at once.
 */
import type { ValidateFunction } from 'ajv';
import { fail, succeed, type Fault, type Result } from '@tessera/failures';
import { compileSchema } from '../http-request/compile-schema.js';
import type { JsonObject, Tool, ToolResult } from '../tools/tool.js';
import { argumentFaults, notAnObject } from './argument-faults.js';

const compiled = new WeakMap<JsonObject, ValidateFunction>();

/** A schema that cannot be compiled was stored by a bug: it throws. */
const validatorOf = (schema: JsonObject): ValidateFunction => {
  const known = compiled.get(schema);
  if (known) return known;
  const made = compileSchema(schema);
  if (!made.ok) throw new Error(`A schema of a tool cannot be compiled: ${made.why}`);
  compiled.set(schema, made.validate);
  return made.validate;
};

/** The arguments with standards filled in, as a copy. Failure: TOOL_ARGUMENTS_INVALID. */
export const checkArguments = ({ inputSchema, argumentsSchema }: Tool, given: unknown): Result<JsonObject> => {
  if (given === undefined) return checkObject(inputSchema, argumentsSchema, {});
  return isObject(given) ? checkObject(inputSchema, argumentsSchema, given) : invalid([notAnObject]);
};

const checkObject = (
  inputSchema: JsonObject,
  argumentsSchema: JsonObject | undefined,
  given: JsonObject,
): Result<JsonObject> => {
  // Standards are filled in on the way, and what came stays as it came.
  const filled = structuredClone(given);
  const validate = validatorOf(argumentsSchema ?? inputSchema);
  if (validate(filled)) return succeed(filled);
  const faults = argumentFaults(validate.errors ?? []);
  if (argumentsSchema === undefined || argumentsSchema === inputSchema) return invalid(faults);
  const validateNames = validatorOf(inputSchema);
  const isFitting = validateNames(structuredClone(given));
  return invalid(isFitting ? faults : argumentFaults(validateNames.errors ?? []));
};

const invalid = (faults: readonly Fault[]): Result<never> =>
  fail(
    'TOOL_ARGUMENTS_INVALID',
    faults.length === 1 ? 'An argument does not fit.' : `${faults.length} arguments do not fit.`,
    { faults },
  );

/** What does not fit in a result, for the log; nothing when it fits. */
export const resultFaults = ({ outputSchema }: Tool, { value }: ToolResult): readonly Fault[] => {
  if (outputSchema === undefined) return [];
  const validate = validatorOf(outputSchema);
  return validate(value) ? [] : argumentFaults(validate.errors ?? []);
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
