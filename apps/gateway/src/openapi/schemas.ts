/**
 * Schemas of the contracts as components of one OpenAPI document: JSON Schema 2020-12, named schemas once.
 * Refuses: one name for two forms; the form of requests gets a name of its own.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';

export type Schema = { readonly [member: string]: unknown };

export class SchemaCollection {
  readonly #components = new Map<string, Schema>();
  readonly #texts = new Map<string, string>();

  /** The schema with references into `#/components/schemas`. */
  add(type: z.ZodType, io: 'input' | 'output'): Schema {
    const { $schema: _, $defs, ...root } = toJson(type, io);
    const definitions = isSchemas($defs) ? $defs : {};
    const names = new Map(Object.entries(definitions).map(([name, schema]) => [name, this.#nameFor(name, schema)]));
    const refer = (schema: Schema): Schema => parse(renamed(JSON.stringify(schema), names));
    for (const [name, schema] of Object.entries(definitions)) {
      const component = names.get(name) ?? name;
      this.#components.set(component, refer(schema));
    }
    return refer(root);
  }

  set(name: string, schema: Schema): void {
    this.#components.set(name, schema);
  }

  /** In the order of their names. */
  all(): Record<string, Schema> {
    return Object.fromEntries([...this.#components].sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  #nameFor(name: string, schema: Schema): string {
    const text = JSON.stringify(schema);
    const wanted = name.startsWith('__')
      ? `Unnamed-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
      : name;
    const free = [wanted, `${wanted}Request`].find((each) => (this.#texts.get(each) ?? text) === text);
    if (free === undefined) throw new Error(`Three schemas are called ${wanted}.`);
    this.#texts.set(free, text);
    return free;
  }
}

const toJson = (type: z.ZodType, io: 'input' | 'output'): Schema =>
  parse(
    JSON.stringify(
      z.toJSONSchema(type, {
        io,
        unrepresentable: 'any',
        override: ({ jsonSchema }) => {
          // The format says it; the pattern would fill a page.
          if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
        },
      }),
    ),
  );

const renamed = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replaceAll(/"#\/\$defs\/([^"]+)"/g, (_, name: string) => `"#/components/schemas/${names.get(name) ?? name}"`);

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isSchemas = (value: unknown): value is Record<string, Schema> =>
  isSchema(value) && Object.values(value).every(isSchema);

const parse = (text: string): Schema => {
  const value: unknown = JSON.parse(text);
  return isSchema(value) ? value : {};
};
