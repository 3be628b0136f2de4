/**
 * Whether arguments and results fit the schemas of their tool. Schemas are compiled once for each version of a tool, and
 * those of a kind once for all.
 * Refuses: to judge names that the owner of the data knows better; those are looked at only when something else is wrong,
 * so that a caller hears of everything at once.
 */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { fail, succeed, type Fault, type Result } from '@tessera/failures';
import { compileSchema, type Judging } from '../schemas/compile-schema.js';
import { isTooCostly, mayHaveManyFaults } from '../schemas/judging-cost.js';
import { withStepsCounted } from '../schemas/linear-pattern.js';
import { isObject, type JsonObject, type Tool, type ToolResult } from '../tools/tool.js';
import { argumentFaults, notAnObject } from './argument-faults.js';

/** Most values fit; that one does not is found out before all that is wrong with it is looked for. */
const uses = {
  filling: { useDefaults: true, allErrors: false },
  judging: { useDefaults: false, allErrors: false },
  telling: { useDefaults: false, allErrors: true },
} as const satisfies Readonly<Record<string, Judging>>;

const validators = {
  filling: new WeakMap<JsonObject, ValidateFunction>(),
  judging: new WeakMap<JsonObject, ValidateFunction>(),
  telling: new WeakMap<JsonObject, ValidateFunction>(),
} as const;

/** A schema that cannot be compiled was stored by a bug: it throws. */
const validatorOf = (schema: JsonObject, use: keyof typeof uses): ValidateFunction => {
  const compiled = validators[use];
  const known = compiled.get(schema);
  if (known) return known;
  const made = compileSchema(schema, uses[use]);
  if (!made.ok) throw new Error(`A schema of a tool cannot be compiled: ${made.why}`);
  compiled.set(schema, made.validate);
  return made.validate;
};

/** What is wrong with a value: all of it, or the first of it when there might be more than anybody wants to hear of. */
const errorsOf = (schema: JsonObject, value: unknown): readonly ErrorObject[] => {
  const judge = validatorOf(schema, 'judging');
  if (judge(value)) return [];
  const first = judge.errors ?? [];
  if (mayHaveManyFaults(schema, value)) return first;
  const tell = validatorOf(schema, 'telling');
  return tell(value) ? first : (tell.errors ?? []);
};

/** The arguments as the tool takes them; what came stays as it came. Failure: TOOL_ARGUMENTS_INVALID. */
export const checkArguments = (tool: Tool, given: unknown): Result<JsonObject> => {
  const members = given === undefined ? {} : given;
  if (!isObject(members)) return invalid([notAnObject]);
  const { argumentsSchema, inputSchema } = tool;
  if (argumentsSchema !== undefined) return checkShape(argumentsSchema, inputSchema, members);
  if (isTooCostly(inputSchema, members)) return invalid([tooManyValues]);
  return withStepsCounted(() => fillArguments(inputSchema, members));
};

const tooManyValues: Fault = {
  ...{ in: 'body', path: '', rule: 'size' },
  message: 'expected fewer values; the schema has too many alternatives for so many',
};

/** As a copy with standards filled in. */
const fillArguments = (schema: JsonObject, given: JsonObject): Result<JsonObject> => {
  const filled = structuredClone(given);
  const validate = validatorOf(schema, 'filling');
  if (validate(filled)) return succeed(filled);
  const errors = errorsOf(schema, given);
  return invalid(argumentFaults(errors.length > 0 ? errors : (validate.errors ?? [])));
};

/** The owner of the data fills in standards itself, and judges names. */
const checkShape = (shape: JsonObject, listed: JsonObject, given: JsonObject): Result<JsonObject> => {
  if (validatorOf(shape, 'judging')(given)) return succeed(given);
  const errors = errorsOf(listed, given);
  return invalid(argumentFaults(errors.length > 0 ? errors : errorsOf(shape, given)));
};

const invalid = (faults: readonly Fault[]): Result<never> =>
  fail(
    'TOOL_ARGUMENTS_INVALID',
    faults.length === 1 ? 'An argument does not fit.' : `${faults.length} arguments do not fit.`,
    { faults },
  );

/** What does not fit in a result, for the log; nothing when it fits. */
export const resultFaults = ({ outputSchema }: Tool, { value }: ToolResult): readonly Fault[] =>
  outputSchema === undefined ? [] : argumentFaults(withStepsCounted(() => errorsOf(outputSchema, value)));
