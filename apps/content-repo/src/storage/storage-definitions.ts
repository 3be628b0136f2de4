/**
 * The definitions of storages, parsed once per revision and kept in a bounded cache. Every read compares the revision
 * with the database, so that a definition that was just published is what the next request sees, in every replica.
 * Never answers from the cache alone, except to statements that check the revision themselves.
 */
import { normaliseDefinition, type StorageModel, storagePath } from '@tessera/content-model';
import { StorageDefinition } from '@tessera/contracts';
import { type Result, succeed } from '@tessera/failures';
import type { TenantReader } from '../database/tenant-reader.js';
import { contentNotFound, type EtagState } from '../replies.js';

export type Storage = {
  readonly storageId: string;
  readonly revision: string;
  readonly model: StorageModel;
  /** `/{collection}/{storage}/_api/rest` in the defined spelling, percent-encoded. */
  readonly path: string;
};

/** As it is at one moment. */
export type CurrentStorage = Storage & {
  /** The number of its last change. */
  readonly changeSequence: string;
};

/** What its ETags name. */
export const toEtagState = ({ storageId, changeSequence, revision }: CurrentStorage): EtagState => ({
  storageId,
  changeSequence,
  storageRevision: revision,
});

const storagesMax = 1_000;

export class StorageDefinitions {
  readonly #byNames = new Map<string, Storage>();

  /** What was last read of a storage; only for statements that compare its revision. */
  lastRead(tenant: string, names: StorageNames): Storage | undefined {
    return this.#byNames.get(keyOf(tenant, names));
  }

  /** The storage as it is now. */
  async find(reader: TenantReader, names: StorageNames): Promise<Result<CurrentStorage>> {
    const key = keyOf(reader.tenant, names);
    if (hasNulCharacter(names.collectionId) || hasNulCharacter(names.storageId)) return contentNotFound;
    const known = this.#byNames.get(key);
    const row = await findStorage(reader, names, known?.revision);
    if (!row) {
      this.#byNames.delete(key);
      return contentNotFound;
    }
    const { storageId, revision, definition, changeSequence } = row;
    if (known?.revision === revision && known.storageId === storageId) return succeed({ ...known, changeSequence });
    return definition === null
      ? this.#reread(reader, names, key)
      : succeed({ ...this.#keep(key, storageId, revision, definition), changeSequence });
  }

  /** What a writer has read while it held the storage. */
  keep(
    tenant: string,
    names: StorageNames,
    { storageId, revision, definition }: Readonly<Record<'storageId' | 'revision' | 'definition', string>>,
  ): Storage {
    return this.#keep(keyOf(tenant, names), storageId, revision, definition);
  }

  /** A storage that was dropped and made again may have the known revision under another id. */
  #reread(reader: TenantReader, names: StorageNames, key: string): Promise<Result<CurrentStorage>> {
    this.#byNames.delete(key);
    return this.find(reader, names);
  }

  #keep(key: string, storageId: string, revision: string, definition: string): Storage {
    const model = normaliseDefinition(StorageDefinition.parse(JSON.parse(definition)));
    const storage: Storage = Object.freeze({ storageId, revision, model, path: storagePath(model) });
    this.#byNames.delete(key);
    this.#byNames.set(key, storage);
    const [oldest] = this.#byNames.keys();
    if (this.#byNames.size > storagesMax && oldest !== undefined) this.#byNames.delete(oldest);
    return storage;
  }
}

/** PostgreSQL has no text with this character. */
export const hasNulCharacter = (text: string): boolean => text.includes('\0');

const keyOf = (tenant: string, { collectionId, storageId }: StorageNames): string =>
  `${tenant}\0${collectionId}\0${storageId}`;

export type StorageNames = { readonly collectionId: string; readonly storageId: string };

type StorageRow = {
  readonly storageId: string;
  readonly revision: string;
  readonly changeSequence: string;
  /** JSON text; null when the revision is the one that is known. */
  readonly definition: string | null;
};

const findText = `
select storage_id::text as "storageId", revision::text, case when revision::text = $4 then null else definition::text end as definition,
  change_sequence::text as "changeSequence"
from content_repo.storage
where tenant = $1 and collection_name = $2 and storage_name = $3`;

/** One statement; the definition travels only when it is not the known one. */
const findStorage = async (
  reader: TenantReader,
  { collectionId, storageId }: StorageNames,
  knownRevision: string | undefined,
): Promise<StorageRow | undefined> => {
  const values = [reader.tenant, collectionId, storageId, knownRevision ?? ''];
  const [row] = await reader.read<StorageRow>({ name: 'storage_find', text: findText, values });
  return row;
};
