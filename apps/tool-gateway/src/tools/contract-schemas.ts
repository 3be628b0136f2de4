/**
 * Arguments and results of tools as JSON Schema (2020-12), made of the contracts of the operations behind them, without
 * references.
 */
import { z } from 'zod';
import type { JsonObject } from './tool.js';

/** What a caller has to send: what has a standard may be left out. */
export const toArgumentsSchema = (contract: z.ZodType): JsonObject => schemaOf(contract, 'input');

/** What is answered: every member that is not optional is there. */
export const toResultSchema = (contract: z.ZodType): JsonObject => schemaOf(contract, 'output');

const schemaOf = (contract: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const schema = z.toJSONSchema(contract, {
    target: 'draft-2020-12',
    io,
    reused: 'inline',
    override: ({ jsonSchema }) => {
      delete jsonSchema.id;
      // A format says the same in fewer words.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      // So does a list of types, which is also checked much faster than alternatives.
      const types = (jsonSchema.anyOf ?? []).map((each) => (Object.keys(each).length === 1 ? each.type : undefined));
      const scalars = types.filter((type) => type !== undefined && type !== 'object' && type !== 'array');
      if (types.length > 0 && scalars.length === types.length) {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, { type: scalars });
      }
      // Names are texts, always.
      delete jsonSchema.propertyNames;
    },
  });
  // The dialect is that of the protocol.
  return Object.freeze(Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema')));
};
