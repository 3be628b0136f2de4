/**
 * Imports a storage through the gateway: begin, stage batch by batch, commit. After any failure the import is cancelled
 * and the storage stays as it was. Memory holds a few batches.
 */
import type { StorageDefinition } from '@tessera/contracts';
import {
  beginImport,
  cancelImport,
  commitImport,
  stageElements,
  type ImportStatus,
} from '@tessera/contracts/content-repo';
import type { GatewayResult, Gateway } from '../gateway/gateway.js';
import type { RequestFailure } from '../gateway/request-failure.js';
import type { ElementBatch } from './batches.js';

type StorageImport = {
  readonly team: string;
  readonly definition: StorageDefinition;
  readonly batches: AsyncIterable<ElementBatch>;
  /** Whether the files win over what was changed over the API since they were applied. */
  readonly overwrite: boolean;
  /** Hears how many more elements are staged. */
  readonly staged: (elements: number) => void;
};

export type ImportResult = GatewayResult<ImportStatus> & {
  /** The batch that was refused, to which indices in the refusal belong. */
  readonly batch?: ElementBatch;
};

const inFlightMax = 3;

type ImportKey = {
  readonly team: string;
  readonly collection: string;
  readonly storage: string;
  readonly importId: string;
};

/** `closing` cancels the import, also after an interruption. */
export const importStorage = async (gateway: Gateway, closing: Gateway, what: StorageImport): Promise<ImportResult> => {
  const { team, definition } = what;
  const names = { team, collection: definition.collection, storage: definition.id };
  const begun = await gateway.call(beginImport, { ...names, begin: { definition } });
  if (!begun.ok) return begun;
  const key = { ...names, importId: begun.value.importId };
  let committed = false;
  try {
    const refused = await stageAll(gateway, key, what);
    if (refused) return refused;
    const end = await commitStorageImport(gateway, key, what.overwrite);
    committed = end.ok;
    return end;
  } finally {
    // What cannot be cancelled any more is forgotten by the service after a day.
    if (!committed) await closing.call(cancelImport, key).catch(() => undefined);
  }
};

type RefusedBatch = { readonly ok: false; readonly refusal: RequestFailure; readonly batch: ElementBatch };

/** The first refusal, when there was one. */
const stageAll = async (
  gateway: Gateway,
  key: ImportKey,
  { batches, staged }: StorageImport,
): Promise<RefusedBatch | undefined> => {
  const inFlight = new Set<Promise<void>>();
  const refused: RefusedBatch[] = [];
  const stage = async (batch: ElementBatch): Promise<void> => {
    const nothing = { firstOrdinal: 0, elements: [] };
    const answer = await gateway.call(stageElements, { ...key, batch: nothing }, batch);
    if (answer.ok) staged(batch.count);
    else refused.push({ ...answer, batch });
  };
  try {
    for await (const batch of batches) {
      if (refused.length > 0) break;
      const sending = stage(batch).finally(() => inFlight.delete(sending));
      inFlight.add(sending);
      if (inFlight.size >= inFlightMax) await Promise.race(inFlight);
    }
  } finally {
    await Promise.allSettled(inFlight);
  }
  return refused.sort((left, right) => left.batch.firstOrdinal - right.batch.firstOrdinal)[0];
};

/** Polls until the commit is done; a repeated commit does nothing twice. */
const commitStorageImport = async (
  gateway: Gateway,
  key: ImportKey,
  overwrite: boolean,
): Promise<GatewayResult<ImportStatus>> => {
  for (;;) {
    const answer = await gateway.call(commitImport, { ...key, ...(overwrite && { commit: { overwrite } }) });
    if (!answer.ok || answer.value.state !== 'committing') return answer;
  }
};
