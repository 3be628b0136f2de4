/**
 * The file `env` of the data folder: addresses and keys in shell format, readable by the owner only. Keys stand in
 * clear text here and nowhere else.
 */
import { existsSync, readFileSync } from 'node:fs';
import { writePrivateFile } from './private-file.js';

const needsNoQuotes = /^[A-Za-z0-9_@%+=:,./-]*$/;

const quoted = (value: string): string => (needsNoQuotes.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`);

const unquoted = (text: string): string =>
  text.startsWith("'") && text.endsWith("'") && text.length > 1 ? text.slice(1, -1).replaceAll(`'\\''`, "'") : text;

export const writeEnvironmentFile = (path: string, values: Readonly<Record<string, string>>): void =>
  writePrivateFile(
    path,
    Object.entries(values)
      .map(([name, value]) => `${name}=${quoted(value)}\n`)
      .join(''),
  );

/** What an earlier start has written; empty when there was none. */
export const readEnvironmentFile = (path: string): Readonly<Record<string, string>> => {
  if (!existsSync(path)) return {};
  const lines = readFileSync(path, 'utf8').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, text] = /^([A-Z_][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
      return name === undefined || text === undefined ? [] : [[name, unquoted(text)]];
    }),
  );
};
