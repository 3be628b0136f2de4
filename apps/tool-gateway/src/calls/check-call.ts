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

const fillingStandards = new WeakMap<JsonObject, ValidateFunction>();
const leavingStandards = new WeakMap<JsonObject, ValidateFunction>();

/** A schema that cannot be compiled was stored by a bug: it throws. */
const validatorOf = (schema: JsonObject, fillsStandards: boolean): ValidateFunction => {
  const compiled = fillsStandards ? fillingStandards : leavingStandards;
  const known = compiled.get(schema);
  if (known) return known;
  const made = compileSchema(schema, fillsStandards);
  if (!made.ok) throw new Error(`A schema of a tool cannot be compiled: ${made.why}`);
  compiled.set(schema, made.validate);
  return made.validate;
};

/** The arguments as the tool takes them; what came stays as it came. Failure: TOOL_ARGUMENTS_INVALID. */
export const checkArguments = (tool: Tool, given: unknown): Result<JsonObject> => {
  const members = given === undefined ? {} : given;
  if (!isObject(members)) return invalid([notAnObject]);
  return tool.argumentsSchema === undefined
    ? fillArguments(tool.inputSchema, members)
    : checkShape(tool.argumentsSchema, tool.inputSchema, members);
};

/** As a copy with standards filled in. */
const fillArguments = (schema: JsonObject, given: JsonObject): Result<JsonObject> => {
  const filled = structuredClone(given);
  const validate = validatorOf(schema, true);
  return validate(filled) ? succeed(filled) : invalid(argumentFaults(validate.errors ?? []));
};

/** The owner of the data fills in standards itself, and judges names. */
const checkShape = (shape: JsonObject, listed: JsonObject, given: JsonObject): Result<JsonObject> => {
  const validate = validatorOf(shape, false);
  if (validate(given)) return succeed(given);
  const validateNames = validatorOf(listed, false);
  const { errors } = validateNames(given) ? validate : validateNames;
  return invalid(argumentFaults(errors ?? []));
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
  const validate = validatorOf(outputSchema, false);
  return validate(value) ? [] : argumentFaults(validate.errors ?? []);
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
