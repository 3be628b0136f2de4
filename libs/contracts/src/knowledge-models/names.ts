/**
 * Names and types that the definitions of knowledge models and of tables share.
 * Refuses: the files themselves (definitions.ts, table-definition.ts).
 */
import { z } from 'zod';
import { storableText } from '../storable-text.js';

export const valueTypes = ['string', 'integer', 'float', 'boolean', 'date', 'time', 'datetime', 'timestamp'] as const;
export type ValueType = (typeof valueTypes)[number];

export const valueType = z
  .enum(valueTypes)
  .describe('`datetime` has no time zone, `timestamp` is an instant; `float` is any number that may have a fraction.');

/** Records, fields, KPIs, filters, parameters; upper and lower case are different. */
export const memberId = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'expected an id: a letter or _, then letters, digits, _ or -, at most 64');

/** A schema, table or column as PostgreSQL names it; a longer name would be cut there without a word. */
export const databaseName = storableText(63)
  .min(1)
  .refine((name) => new TextEncoder().encode(name).length <= 63, 'expected a name of at most 63 bytes');
