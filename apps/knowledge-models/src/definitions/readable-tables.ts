/** The tables of a team that models read: as they are, and as a request leaves them. What PostgreSQL has is read once for each schema. */
import type { TableDefinition } from '@tessera/contracts/knowledge-models';
import { definedTable, type ReadableSchema, type ReadableTable, type SchemaColumns } from '@tessera/knowledge-model';
import { fittedColumns, isFitting } from '../loads/fit-generation.js';
import type { StoredTable } from './definitions.repository.js';
import { nameOfDefinition } from './stored-definitions.js';

export type UnfitGeneration = {
  readonly definition: TableDefinition;
  readonly columns: NonNullable<ReadableTable['inPlace']>;
};

export class ReadableTables {
  readonly #before: ReadonlyMap<string, TableDefinition>;
  readonly #after: ReadonlyMap<string, TableDefinition>;
  readonly #schemas: ReadonlySet<string>;
  readonly #inPlace = new Map<string, Promise<SchemaColumns>>();

  constructor(
    stored: ReadonlyMap<string, StoredTable>,
    asked: readonly TableDefinition[],
    private readonly readInPlace: (schema: string) => Promise<SchemaColumns>,
  ) {
    this.#before = new Map([...stored].flatMap(([name, { definition }]) => (definition ? [[name, definition]] : [])));
    this.#after = new Map([
      ...this.#before,
      ...asked.map((definition) => [nameOfDefinition(definition), definition] as const),
    ]);
    this.#schemas = new Set([...stored.keys(), ...this.#after.keys()].map((name) => name.slice(0, name.indexOf('.'))));
  }

  before(schema: string): Promise<ReadableSchema> {
    return this.#read(schema, this.#before);
  }

  after(schema: string): Promise<ReadableSchema> {
    return this.#read(schema, this.#after);
  }

  /** Those of these tables that are in place and lack columns of their definitions. `names`: `schema.table`. */
  async unfit(names: Iterable<string>): Promise<readonly UnfitGeneration[]> {
    const found: UnfitGeneration[] = [];
    for (const name of new Set(names)) {
      const definition = this.#after.get(name);
      const columns = definition && (await this.#columnsIn(definition.schema)).get(definition.id);
      if (columns && !isFitting(columns, definition)) found.push({ definition, columns });
    }
    return found;
  }

  async #read(schema: string, definitions: ReadonlyMap<string, TableDefinition>): Promise<ReadableSchema> {
    const inPlace = await this.#columnsIn(schema);
    const tables = new Map<string, ReadableTable>([...inPlace].map(([id, columns]) => [id, { inPlace: columns }]));
    for (const definition of definitions.values()) {
      if (definition.schema !== schema) continue;
      const columns = inPlace.get(definition.id);
      const defined = definedTable(definition);
      tables.set(definition.id, columns ? { ...defined, inPlace: fittedColumns(columns, definition) } : defined);
    }
    return { tables, schemas: this.#schemas, isWhole: true };
  }

  #columnsIn(schema: string): Promise<SchemaColumns> {
    const read = this.#inPlace.get(schema) ?? this.readInPlace(schema);
    this.#inPlace.set(schema, read);
    return read;
  }
}
