/** What a failure that comes of a full disk says to people: the folder, what is free there, and what is needed. */
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { types } from 'node:util';
import { StartError } from './start-error.js';

/** Of Node.js and, the last one, of PostgreSQL. */
const codes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', '53100']);
const words = /No space left on device|Disk quota exceeded|File too large/;

const isOfFullDisk = (error: unknown): boolean => {
  if (!types.isNativeError(error)) return false;
  if ('code' in error && codes.has(String(error.code))) return true;
  return words.test(error.message) || isOfFullDisk(error.cause);
};

const bytesInMegabyte = 1024 * 1024;

const freeBytes = (folder: string): number => {
  if (!existsSync(folder)) return freeBytes(dirname(folder));
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/** Below it whatever goes wrong does so for want of room: servers end without a word of it. */
const freeMegabytesMin = 32;

/** Undefined when the error has another reason. Of several folders the one with the least free space is named. */
export const findFullDisk = (
  error: unknown,
  folders: readonly string[],
  neededMegabytes: number,
): StartError | undefined => {
  const [fullest] = folders
    .map((folder) => ({ folder, free: freeBytes(folder) }))
    .toSorted((one, other) => one.free - other.free);
  if (!fullest) return undefined;
  const freeMegabytes = Math.floor(fullest.free / bytesInMegabyte);
  if (!isOfFullDisk(error) && freeMegabytes >= freeMegabytesMin) return undefined;
  const lines = types.isNativeError(error) ? error.message.split('\n') : [];
  const reason = lines.find((line) => words.test(line)) ?? lines[0] ?? '';
  return new StartError(
    `There is no room for the data in ${fullest.folder}: ${freeMegabytes} MB are free on its disk, and a first start needs some ${neededMegabytes} MB. Make room (a quota of the user may be full as well), or set TESSERA_HOME to a folder on another disk.\n${reason.trim()}`,
    'TESSERA_HOME',
  );
};
