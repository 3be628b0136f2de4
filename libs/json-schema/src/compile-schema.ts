/**
 * JSON Schemas (2020-12) that people write, compiled. Patterns are matched in linear time. Never loads a schema from
 * elsewhere.
 */
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { compilePattern, type LinearPattern } from './linear-pattern.js';

/** For Ajv's `code.regExp`. Throws for a pattern that cannot be matched so; check-schema.ts finds it before. */
const linearPatterns = Object.assign(
  (source: string): LinearPattern => {
    const compiled = compilePattern(source);
    if (!compiled.ok) throw new Error(`the pattern ${compiled.why}`);
    return compiled.pattern;
  },
  { code: 'linearPatterns' },
);

type CompiledSchema =
  | { readonly ok: true; readonly validate: ValidateFunction }
  /** `at`: the pointer to what is wrong. */
  | { readonly ok: false; readonly why: string; readonly at?: string };

/** Ajv follows it, but does not count it among the keywords that it knows. */
const extraKeywords = ['$anchor'];

/** Knows what a schema is; made once, since making it takes longer than judging by it. */
const metaSchemaValidator = new Ajv2020({ strict: false, logger: false, keywords: extraKeywords });

/** The names that a schema may be made of. */
export const supportedSchemaNames = {
  keywords: new Set(Object.keys(metaSchemaValidator.RULES.keywords)),
  formats: new Set(Object.keys(addFormats.default(new Ajv2020()).formats)),
  types: new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']),
};

export type ValidationOptions = {
  /** What is judged gets the standards that it lacks. */
  readonly useDefaults?: boolean;
  /** Every fault is told, in place of the first. */
  readonly allErrors?: boolean;
};

/** Whether judging has to remember which members were judged; only few schemas ask for it. */
export const usesUnevaluatedKeywords = (schema: Readonly<Record<string, unknown>>): boolean =>
  JSON.stringify(schema).includes('"unevaluated');

/** A compiler for each schema: none can see another's ids, and what was compiled goes with it. */
export const compileSchema = (
  schema: Readonly<Record<string, unknown>>,
  { useDefaults = true, allErrors = true }: ValidationOptions = {},
): CompiledSchema => {
  const ajv = new Ajv2020({
    ...{ allErrors, useDefaults, verbose: true, logger: false },
    ...{ strict: false, strictSchema: true, meta: false, validateSchema: false },
    keywords: extraKeywords,
    code: { regExp: linearPatterns },
  });
  addFormats.default(ajv);
  // It breaks on some schemas that do not need it.
  ajv.opts.unevaluated = usesUnevaluatedKeywords(schema);
  try {
    // A dialect that it does not know is thrown.
    if (metaSchemaValidator.validateSchema(schema) !== true) {
      const [first] = metaSchemaValidator.errors ?? [];
      return { ok: false, why: first?.message ?? 'does not fit', at: first?.instancePath ?? '' };
    }
    return { ok: true, validate: ajv.compile(schema) };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
};
