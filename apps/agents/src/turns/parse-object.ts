/** Parses the JSON object that a language model wrote, up to a length and a depth. */
import { isSchemaObject } from '@tessera/json-schema';
import type { JsonObject } from '../models/model.js';

export const maxJsonCharacters = 65_536;
const depthMax = 64;

/** The object, or why it is none. An empty text is an empty object. */
export const parseJsonObject = (text: string, lengthMax = maxJsonCharacters): JsonObject | string => {
  if (text.length > lengthMax) return `expected at most ${lengthMax} characters`;
  if (text.trim() === '') return {};
  if (depthOf(text) > depthMax) return `expected at most ${depthMax} levels`;
  try {
    const value: unknown = JSON.parse(text);
    return isSchemaObject(value) ? value : 'expected a JSON object';
  } catch {
    return 'expected JSON';
  }
};

/** Brackets in texts count neither way. */
const depthOf = (text: string): number => {
  let depth = 0;
  let deepest = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (isInText && sign === '\\') at++;
    else if (sign === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (sign === '{' || sign === '[') deepest = Math.max(deepest, ++depth);
    else if (sign === '}' || sign === ']') depth--;
  }
  return deepest;
};
