/** Schemas of the contracts as components of the OpenAPI document: JSON Schema 2020-12, named schemas once. */
import { createHash } from 'node:crypto';
import { z } from 'zod';

export type Schema = { readonly [member: string]: unknown };

export type ResponseObject = Schema & { readonly description: string };

/** The form of requests has it behind its name until the forms of all replies are known. */
const inputSuffix = '.input';

export class SchemaCollection {
  readonly #texts = new Map<string, string>();

  /** The schema with references into `#/components/schemas`; `complete` gives them their names. */
  add(type: z.ZodType, io: 'input' | 'output'): Schema {
    const { $schema: _, $defs, ...root } = toJson(type, io);
    const definitions = Object.entries(isSchemaRecord($defs) ? $defs : {});
    const names = new Map(definitions.map(([name, schema]) => [name, nameOf(name, schema, io)]));
    for (const [name, schema] of definitions) this.set(names.get(name) ?? name, renameReferences(schema, names));
    return parseSchema(renameReferences(root, names));
  }

  set(name: string, text: string): void {
    if ((this.#texts.get(name) ?? text) !== text) throw new Error(`Two schemas are called ${name}.`);
    this.#texts.set(name, text);
  }

  /** JSON of a document with its components. A form of requests that differs from that of replies ends with `Request`. */
  complete(document: Schema & { readonly components: object }): string {
    const named = [...this.#texts].map(([key, text]): [string, string] => [this.#nameOf(key), text]);
    const schemas = named
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, text]) => [name, parseSchema(text)] as const);
    const components = { ...document.components, schemas: Object.fromEntries<unknown>(schemas) };
    return JSON.stringify({ ...document, components }).replaceAll(
      referencePattern,
      (_, key: string) => `"#/components/schemas/${this.#nameOf(key)}"`,
    );
  }

  #nameOf(key: string): string {
    if (!key.endsWith(inputSuffix)) return key;
    const name = key.slice(0, -inputSuffix.length);
    const reply = this.#texts.get(name);
    return reply === undefined || reply === this.#texts.get(key)?.replaceAll(`${inputSuffix}"`, '"')
      ? name
      : `${name}Request`;
  }
}

const referencePattern = /"#\/components\/schemas\/([^"]+)"/g;

const nameOf = (name: string, schema: Schema, io: 'input' | 'output'): string => {
  const digest = createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 8);
  return `${name.startsWith('__') ? `Unnamed-${digest}` : name}${io === 'input' ? inputSuffix : ''}`;
};

/** `properties` and the name: of the members of a request. */
const parameterDepth = 2;

const toJson = (type: z.ZodType, io: 'input' | 'output'): Schema =>
  parseSchema(
    JSON.stringify(
      z.toJSONSchema(type, {
        io,
        unrepresentable: 'any',
        override: ({ jsonSchema, path }) => {
          // It says how a parameter is written, which members of bodies are not.
          if (path.length > parameterDepth) delete jsonSchema['explode'];
          // The format says it; the pattern would fill a page.
          if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
        },
      }),
    ),
  );

const renameReferences = (schema: Schema, names: ReadonlyMap<string, string>): string =>
  JSON.stringify(schema).replaceAll(
    /"#\/\$defs\/([^"]+)"/g,
    (_, name: string) => `"#/components/schemas/${names.get(name) ?? name}"`,
  );

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isSchemaRecord = (value: unknown): value is Record<string, Schema> =>
  isSchema(value) && Object.values(value).every(isSchema);

const parseSchema = (text: string): Schema => {
  const value: unknown = JSON.parse(text);
  return isSchema(value) ? value : {};
};
