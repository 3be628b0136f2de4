/**
 * What an archive says about itself: first what it will hold, last what it held. Parts are numbered: the tables of teams come
 * first, since nothing refers to them, then the rows of each team, table by table. Never contains file names or SQL.
 */
import { z } from 'zod';
import { GenerationShape } from './generation-shape.js';

export const archiveFormat = 1;

/** Names of the platform's own schemas, tables and columns. */
const plainName = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const teamName = z.string().min(1).max(200);
const sha256Digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const generationShape = z.strictObject({
  team: teamName,
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
  teams: z.array(teamName).refine((teams) => new Set(teams).size === teams.length, 'a team stands in it twice'),
  /** By schema, in their order. */
  migrations: z.record(plainName, z.array(z.string())),
  tables: z.array(z.strictObject({ schema: plainName, name: plainName, columns: z.array(plainName).min(1) })),
  schemas: z.array(z.strictObject({ team: teamName, schema: plainName })),
  generations: z.array(generationShape),
});
export type Manifest = z.output<typeof Manifest>;
export type Generation = z.output<typeof generationShape>;
export type ArchivedTable = Manifest['tables'][number];

export const ArchiveTrailer = z.strictObject({
  /** SHA-256 of the first entry. */
  manifest: sha256Digest,
  /** Those that have rows, in their order. */
  parts: z.array(z.strictObject({ part: count, rows: count, bytes: count, sha256: sha256Digest })),
});
export type ArchiveTrailer = z.output<typeof ArchiveTrailer>;

export type ArchivePart =
  | { readonly kind: 'generation'; readonly team: string; readonly generation: Generation }
  | { readonly kind: 'rows'; readonly team: string; readonly table: ArchivedTable };

/** Counted and found one by one: the teams and tables of a small manifest can make more of them than memory holds. */
export const countParts = ({ teams, tables, generations }: Manifest): number =>
  generations.length + teams.length * tables.length;

/** Undefined for a number that no part has. */
export const partAt = ({ teams, tables, generations }: Manifest, number: number): ArchivePart | undefined => {
  const generation = generations[number];
  if (generation) return { kind: 'generation', team: generation.team, generation };
  const place = number - generations.length;
  const of = teams[Math.floor(place / tables.length)];
  const table = tables[place % tables.length];
  return of === undefined || table === undefined ? undefined : { kind: 'rows', team: of, table };
};

export const describePart = (part: ArchivePart): string =>
  part.kind === 'generation'
    ? `${part.generation.schema}.${part.generation.table} of the team ${part.team}`
    : `${part.table.schema}.${part.table.name} of the team ${part.team}`;

export const manifestEntryName = 'manifest.json';
export const trailerEntryName = 'end.json';

/** Of rows; what is held in memory at a time. */
export const maxEntryBytes = 1024 * 1024;
/** Thousands of teams, or thousands of tables with hundreds of columns. */
export const maxJsonEntryBytes = 64 * 1024 * 1024;

export const formatPartEntryName = (part: number, entry: number): string => `rows/${part}/${entry}`;

/** The numbers in a name; undefined for the two other entries. */
export const parsePartEntryName = (name: string): { readonly part: number; readonly entry: number } | undefined => {
  const [, part, entry] = /^rows\/(0|[1-9]\d{0,8})\/(0|[1-9]\d{0,8})$/.exec(name) ?? [];
  return part === undefined || entry === undefined ? undefined : { part: Number(part), entry: Number(entry) };
};

/** Undefined for a name that no entry has. */
export const maxSizeOfEntry = (name: string): number | undefined => {
  if (name === manifestEntryName || name === trailerEntryName) return maxJsonEntryBytes;
  return parsePartEntryName(name) && maxEntryBytes;
};
