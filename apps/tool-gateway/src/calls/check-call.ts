/**
 * Whether arguments and results fit the schemas of their tool. Names are checked by the owner of the data; the listed schema is
 * used only when something else is wrong, so that a caller hears of everything at once.
 */
import { hasMoreValues } from '@tessera/contracts';
import { fail, faultsMax, succeed, type Fault, type Result } from '@tessera/failures';
import {
  errorsOf,
  isTooCostly,
  notAnObject,
  schemaFaults,
  validatorOf,
  valueFaults,
  withStepsCounted,
} from '@tessera/json-schema';
import { isObject, type JsonObject, type Tool, type ToolResult } from '../tools/tool.js';

/** Lists, objects and what is in them. Beyond that digest and judgement would hold everybody up. */
const valuesMax = 5_000;
/** Some 30 ms, and as long again for what is wrong. */
const stepsMax = 150_000;

export const hasTooManyArguments = (given: unknown): boolean => hasMoreValues(given, valuesMax);

/** The arguments as the tool takes them; what came stays as it came. Failure: TOOL_ARGUMENTS_INVALID. */
export const checkArguments = (tool: Tool, given: unknown): Result<JsonObject> => {
  const members = given === undefined ? {} : given;
  if (!isObject(members)) return invalid([notAnObject]);
  if (hasTooManyArguments(given)) return invalid([tooManyArguments]);
  const { argumentsSchema, inputSchema } = tool;
  if (argumentsSchema !== undefined) return checkShape(argumentsSchema, inputSchema, members);
  if (isTooCostly(inputSchema, members, stepsMax)) return invalid([tooManyValues]);
  return withStepsCounted(() => fillArguments(inputSchema, members));
};

const tooManyArguments: Fault = {
  ...{ in: 'body', path: '', rule: 'size' },
  message: `expected at most ${valuesMax.toLocaleString('en')} values in all, those of inner lists and objects counted`,
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
  return invalid(schemaFaults(errors.length > 0 ? errors : (validate.errors ?? [])));
};

/** The owner of the data fills in standards itself, and judges names. */
const checkShape = (shape: JsonObject, listed: JsonObject, given: JsonObject): Result<JsonObject> => {
  if (validatorOf(shape, 'judging')(given)) return succeed(given);
  const errors = errorsOf(listed, given);
  return invalid(schemaFaults(errors.length > 0 ? errors : errorsOf(shape, given)));
};

const invalid = (faults: readonly Fault[]): Result<never> =>
  fail(
    'TOOL_ARGUMENTS_INVALID',
    faults.length === 1
      ? 'An argument does not fit.'
      : faults.length > faultsMax
        ? ''
        : `${faults.length} arguments do not fit.`,
    { faults },
  );

/** What does not fit in a result, for the log; nothing when it fits. */
export const resultFaults = ({ outputSchema }: Tool, { value }: ToolResult): readonly Fault[] =>
  outputSchema === undefined ? [] : valueFaults(outputSchema, value);
