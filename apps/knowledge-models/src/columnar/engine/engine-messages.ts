/** What the service and the process of the columnar engine say to each other. Names and paths are made by the service alone. */

import type { StoredColumnType } from '@tessera/knowledge-model';

/** The table in each file. */
export const generationTable = 'generation';

export type EngineOptions = {
  /** Where it may write while it answers; a folder of its own. */
  readonly temporaryFolder: string;
  /** Of each database that is open; so many are. */
  readonly memoryBytes: number;
  readonly temporaryBytes: number;
  readonly databasesMax: number;
  /** That compute one question while no other one runs. */
  readonly threads: number;
};

/** A file, and the name by which statements call it. */
export type AttachedFile = { readonly name: string; readonly path: string };

export type AskCommand = {
  readonly kind: 'ask';
  readonly team: string;
  /** Of that team. */
  readonly files: readonly AttachedFile[];
  readonly text: string;
  readonly values: readonly string[];
  /** More rows are refused with `too-many-groups`. */
  readonly rowsMax: number;
  /** More characters are refused, too. */
  readonly charactersMax: number;
};

export type MakeCommand = {
  readonly kind: 'make';
  /** Of COPY: no header, `""` is an empty text and nothing is null. */
  readonly csv: string;
  /** Of all its columns, in their order. */
  readonly columns: readonly StoredColumnType[];
  readonly target: string;
  /** What is selected of all rows and answered: aggregates. */
  readonly counted: readonly string[];
};

export type MadeFile = {
  readonly rows: string;
  /** In the order of `counted`; null without a value. */
  readonly counts: readonly (string | null)[];
  readonly bytes: number;
  /** SHA-256 in hexadecimal digits. */
  readonly digest: string;
};

export type DigestCommand = { readonly kind: 'digest'; readonly path: string };
export type MemoryCommand = { readonly kind: 'memory' };

export type EngineCommand = AskCommand | MakeCommand | DigestCommand | MemoryCommand;
export type EngineRequest = { readonly id: number } & (EngineCommand | { readonly kind: 'cancel' });

export type FailureReason = 'too-many-groups' | 'out-of-memory' | 'cancelled' | 'disk-full' | 'failed';

export type ResultColumns = readonly (readonly (string | null)[])[];

export type EngineReply =
  /** Commands are taken from now on. */
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'rows'; readonly id: number; readonly columns: ResultColumns }
  | { readonly kind: 'done'; readonly id: number; readonly result: EngineResult }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: FailureReason; readonly message: string };

export type EngineResult = { readonly made?: MadeFile; readonly digest?: string; readonly bytes?: number };

export const isEngineOptions = (value: unknown): value is EngineOptions =>
  typeof value === 'object' && value !== null && 'temporaryFolder' in value && 'memoryBytes' in value;

/** Both sides are of one version, so only other senders are kept out. */
export const isEngineRequest = (message: unknown): message is EngineRequest => hasKind(message) && 'id' in message;
export const isEngineReply = (message: unknown): message is EngineReply => hasKind(message);

const hasKind = (message: unknown): message is { readonly kind: unknown } =>
  typeof message === 'object' && message !== null && 'kind' in message;

/** Of what DuckDB or the file system says. */
export const failureReasonOf = (message: string): FailureReason => {
  if (/^INTERRUPT Error|Interrupted/.test(message)) return 'cancelled';
  if (/max_temp_directory_size|No space left on device|ENOSPC|EFBIG|File too large|EDQUOT|Disk quota/i.test(message))
    return 'disk-full';
  return /^Out of Memory Error/.test(message) ? 'out-of-memory' : 'failed';
};
