/**
 * What an archive says about itself: first what it will hold, last what it held. Parts are numbered: the tables of teams come
 * first, since nothing refers to them, then the rows of each team, table by table. Never contains file names or SQL.
 */
import { z } from 'zod';
import { GenerationShape } from './generation-shape.js';

export const archiveFormat = 1;

/** Names of the platform's own schemas, tables and columns. */
const plainName = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const team = z.string().min(1).max(200);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const generation = z.strictObject({
  team,
  /** As definitions name them. */
  schema: plainName,
  table: plainName,
  shape: GenerationShape,
});

export const Manifest = z.strictObject({
  format: z.literal(archiveFormat),
  /** The version that made it. */
  product: z.string(),
  createdAt: z.iso.datetime(),
  scope: z.enum(['team', 'all']),
  teams: z.array(team).refine((teams) => new Set(teams).size === teams.length, 'a team stands in it twice'),
  /** By schema, in their order. */
  migrations: z.record(plainName, z.array(z.string())),
  tables: z.array(z.strictObject({ schema: plainName, name: plainName, columns: z.array(plainName).min(1) })),
  schemas: z.array(z.strictObject({ team, schema: plainName })),
  generations: z.array(generation),
});
export type Manifest = z.output<typeof Manifest>;
export type Generation = z.output<typeof generation>;
export type ArchivedTable = Manifest['tables'][number];

export const ArchiveTrailer = z.strictObject({
  /** SHA-256 of the first entry. */
  manifest: digest,
  /** Those that have rows, in their order. */
  parts: z.array(z.strictObject({ part: count, rows: count, bytes: count, sha256: digest })),
});
export type ArchiveTrailer = z.output<typeof ArchiveTrailer>;

export type Part =
  | { readonly kind: 'generation'; readonly team: string; readonly generation: Generation }
  | { readonly kind: 'rows'; readonly team: string; readonly table: ArchivedTable };

/** Counted and found one by one: the teams and tables of a small manifest can make more of them than memory holds. */
export const partCountOf = ({ teams, tables, generations }: Manifest): number =>
  generations.length + teams.length * tables.length;

/** Undefined for a number that no part has. */
export const partOf = ({ teams, tables, generations }: Manifest, number: number): Part | undefined => {
  const generation = generations[number];
  if (generation) return { kind: 'generation', team: generation.team, generation };
  const place = number - generations.length;
  const of = teams[Math.floor(place / tables.length)];
  const table = tables[place % tables.length];
  return of === undefined || table === undefined ? undefined : { kind: 'rows', team: of, table };
};

export const partLabel = (part: Part): string =>
  part.kind === 'generation'
    ? `${part.generation.schema}.${part.generation.table} of the team ${part.team}`
    : `${part.table.schema}.${part.table.name} of the team ${part.team}`;

export const manifestName = 'manifest.json';
export const endingName = 'end.json';

/** Of rows; what is held in memory at a time. */
export const entryBytesMax = 1024 * 1024;
/** Thousands of teams, or thousands of tables with hundreds of columns. */
export const jsonBytesMax = 64 * 1024 * 1024;

export const partEntryName = (part: number, entry: number): string => `rows/${part}/${entry}`;

/** The numbers in a name; undefined for the two other entries. */
export const partEntryOf = (name: string): { readonly part: number; readonly entry: number } | undefined => {
  const [, part, entry] = /^rows\/(0|[1-9]\d{0,8})\/(0|[1-9]\d{0,8})$/.exec(name) ?? [];
  return part === undefined || entry === undefined ? undefined : { part: Number(part), entry: Number(entry) };
};

/** Undefined for a name that no entry has. */
export const sizeMaxOf = (name: string): number | undefined => {
  if (name === manifestName || name === endingName) return jsonBytesMax;
  return partEntryOf(name) && entryBytesMax;
};
