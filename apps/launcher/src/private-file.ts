/** Small files that only their owner may read, written whole or not at all. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFolder } from '@tessera/local-stack';

/** Replaces the file in one step; a reader never sees half of it. */
export const writePrivateFile = (path: string, text: string): void => {
  const unfinished = `${path}.${process.pid}.part`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, path);
};

/** The secrets in `folder`/`name`, one for each of `holders`; what is missing is made and kept. */
export const ensureSecrets = <Holder extends string>(
  folder: string,
  name: string,
  holders: readonly Holder[],
): Readonly<Record<Holder, string>> => {
  ensureFolder(folder, 0o700);
  const path = join(folder, name);
  const kept = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, string>>) : {};
  const entries = holders.map((holder) => [holder, kept[holder] ?? randomBytes(24).toString('hex')] as const);
  const secrets = Object.fromEntries(entries) as Record<Holder, string>;
  writePrivateFile(path, `${JSON.stringify(secrets, undefined, 2)}\n`);
  return secrets;
};
