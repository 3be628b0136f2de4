/** The file of a table's rows and its format: from the command's options, else from the table's definition. */
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TableDefinition } from '@tessera/contracts/knowledge-models';
import type { RecordFormat } from '@tessera/contracts/record-files';
import { isFile, tablesFolder } from '../workspace/find-files.js';

export type LoadSource = {
  /** For people. */
  readonly name: string;
  readonly bytes: () => AsyncIterable<Uint8Array>;
  /** Undefined when unknown. */
  readonly size: number | undefined;
  readonly format: RecordFormat;
  readonly hasHeader: boolean;
  readonly delimiter: string;
  readonly null: string;
};

type SourceOptions = {
  /** A path, or `-` for what comes in. */
  readonly file?: string | undefined;
  readonly format?: RecordFormat | undefined;
  readonly delimiter?: string | undefined;
  readonly null?: string | undefined;
  readonly header?: boolean | undefined;
};

const chunkBytes = 512 * 1024;

/** `root` is the workspace's folder; or why there is nothing to read, as a sentence. */
export const resolveLoadSource = (
  { schema, id, source }: TableDefinition,
  root: string,
  options: SourceOptions,
  input: AsyncIterable<Uint8Array>,
): LoadSource | string => {
  const format = options.format ?? source?.format;
  const form = {
    hasHeader: options.header ?? source?.header ?? true,
    delimiter: options.delimiter ?? source?.delimiter ?? ',',
    null: options.null ?? source?.null ?? '',
  };
  if (options.file === '-')
    return { ...form, format: format ?? 'csv', name: 'standard input', bytes: () => input, size: undefined };
  const path = options.file ?? (source && join(root, tablesFolder, source.file));
  if (path === undefined)
    return `the definition of ${schema}.${id} names no file; name one, or - for the standard input`;
  if (!isFile(path)) return `there is no file "${path}"`;
  return {
    ...form,
    format: format ?? (/\.jsonl(\.gz)?$/i.test(path) ? 'jsonl' : 'csv'),
    name: path,
    bytes: () => createReadStream(path, { highWaterMark: chunkBytes }),
    size: statSync(path).size,
  };
};
