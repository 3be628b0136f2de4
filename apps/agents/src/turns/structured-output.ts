/** The answer by the output schema of the agent. The model gets one chance to correct what does not fit. */
import { isTooCostlyToValidate, findValueFaults } from '@tessera/json-schema';
import type { JsonObject, ModelMessage } from '../models/model.js';
import { parseJsonObject } from './parse-object.js';

/** What the model says to these messages after all others; undefined when it says nothing. */
type AskModel = (further: readonly ModelMessage[]) => Promise<string | undefined>;

/** The output, or why there is none. */
export type StructuredOutput = { readonly structuredOutput: JsonObject } | { readonly structuredOutputFault: string };

export const requestStructuredOutput = async (schema: JsonObject, ask: AskModel): Promise<StructuredOutput> => {
  const first = await ask([structuredOutputRequest]);
  if (first === undefined) return notAsked;
  const output = validate(schema, first);
  if (typeof output !== 'string') return { structuredOutput: output };
  const second = await ask([
    structuredOutputRequest,
    { role: 'assistant', text: first, calls: [] },
    { role: 'user', text: output },
  ]);
  if (second === undefined) return notAsked;
  const mended = validate(schema, second);
  return typeof mended === 'string'
    ? {
        structuredOutputFault: `The language model did not fill the output schema, twice. ${mended.slice(0, faultCharactersMax)}`,
      }
    : { structuredOutput: mended };
};

const faultCharactersMax = 1_000;
const notAsked = {
  structuredOutputFault:
    'The turn had no time or tokens left in which the language model could fill the output schema.',
};

const structuredOutputRequest: ModelMessage = {
  role: 'user',
  text: 'Give your answer again as one JSON object that fits the schema, and nothing else.',
};

/** The value, or what the model is told is wrong with it. */
const validate = (schema: JsonObject, text: string): JsonObject | string => {
  const value = parseJsonObject(withoutFence(text));
  if (typeof value === 'string') return `That does not fit: ${value}. Give the JSON object alone.`;
  if (isTooCostlyToValidate(schema, value)) return 'That has too many values for the schema. Give fewer.';
  const faults = findValueFaults(schema, value);
  if (faults.length === 0) return value;
  const list = faults.map(({ path, message }) => `${path === '' ? 'the object' : path}: ${message}`).join('; ');
  return `That does not fit the schema: ${list}. Give the corrected JSON object alone.`;
};

/** Models like to set JSON off as a block of code. */
const withoutFence = (text: string): string =>
  text
    .trim()
    .replace(/^```(?:json)?\s*/i, '')
    .replace(/```$/, '');
