/**
 * The file of a generation and its manifest, which says what the file holds and comes last: without one there is no file. The
 * names of both are its id.
 */
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { generationDescription, generationId, jsonOf } from './generation-identity.js';

/** Raised when files of the version before cannot be read any more. */
export const manifestFormat = 1;

const generationManifest = z.object({
  format: z.literal(manifestFormat),
  /** The version of the engine; another one may store values in another way. */
  engine: z.string(),
  ...generationDescription.shape,
  /** What PostgreSQL and the engine both counted of its columns, by what the engine selects. */
  counted: z.record(z.string(), z.string().nullable()),
  bytes: z.int(),
  /** SHA-256 of the file in hexadecimal digits. */
  digest: z.string(),
});
export type GenerationManifest = Readonly<z.output<typeof generationManifest>>;

export const filePath = (folder: string, id: string): string => join(folder, `${id}.duckdb`);
export const manifestPath = (folder: string, id: string): string => join(folder, `${id}.json`);

/** Its id, from the name of its manifest; undefined for other files. */
export const idOfManifest = (name: string): string | undefined => /^([0-9a-f]{32})\.json$/.exec(name)?.[1];

/** Undefined when it is none, or that of a file with another name. */
export const readManifest = async (folder: string, id: string): Promise<GenerationManifest | undefined> => {
  const text = await readFile(manifestPath(folder, id), 'utf8').catch(() => '');
  return parseManifest(text, id);
};

/** Undefined when it is none, or that of another generation. */
export const parseManifest = (text: string, id: string): GenerationManifest | undefined => {
  const parsed = generationManifest.safeParse(jsonOf(text));
  return parsed.success && generationId(parsed.data) === id ? parsed.data : undefined;
};

/** Puts a file that was synced in its place, then its manifest; when one of them cannot be, neither is there. */
export const publishFile = async (folder: string, unfinished: string, manifest: GenerationManifest): Promise<void> => {
  const id = generationId(manifest);
  const part = join(folder, `${randomUUID()}.part`);
  try {
    await rename(unfinished, filePath(folder, id));
    await writeFile(part, JSON.stringify(manifest), { flag: 'wx', mode: 0o600, flush: true });
    await rename(part, manifestPath(folder, id));
    await syncFolder(folder);
  } catch (error) {
    await rm(part, { force: true });
    await removeFile(folder, id);
    throw error;
  }
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** The manifest first: a file without one is taken away at the next start. */
export const removeFile = async (folder: string, id: string): Promise<void> => {
  await rm(manifestPath(folder, id), { force: true });
  await rm(filePath(folder, id), { force: true });
};
