/** JSON objects among JSON values. Refuses: arrays and null. */
import type { JsonObject } from '../tools/tool.js';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
