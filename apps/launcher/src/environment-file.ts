/**
 * The file `env` of the data folder: a shell reads it with `.` and has addresses and keys for the programs that it starts,
 * and the command `tessera`. Readable by the owner only; keys stand in clear text here and nowhere else.
 */
import { existsSync, readFileSync } from 'node:fs';
import { writePrivateFile } from './private-file.js';

const unquotedPattern = /^[A-Za-z0-9_@%+=:,./-]*$/;

const quoteWhereNeeded = (value: string): string =>
  unquotedPattern.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;

const removeQuotes = (text: string): string =>
  text.startsWith("'") && text.endsWith("'") && text.length > 1 ? text.slice(1, -1).replaceAll(`'\\''`, "'") : text;

/** Read twice it does not make the PATH longer. */
const onPath = (programs: string): string =>
  `case ":$PATH:" in *:${quoteWhereNeeded(programs)}:*) ;; *) export PATH=${quoteWhereNeeded(programs)}:"$PATH" ;; esac\n`;

/** `programs` is the folder of the command. */
export const writeEnvironmentFile = (
  path: string,
  values: Readonly<Record<string, string>>,
  programs: string,
): void => {
  const lines = Object.entries(values).map(([name, value]) => `export ${name}=${quoteWhereNeeded(value)}\n`);
  writePrivateFile(path, `${lines.join('')}${onPath(programs)}`);
};

/** What an earlier start has written; empty when there was none. */
export const readEnvironmentFile = (path: string): Readonly<Record<string, string>> => {
  if (!existsSync(path)) return {};
  const lines = readFileSync(path, 'utf8').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, text] = /^(?:export )?([A-Z_][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
      return name === undefined || text === undefined ? [] : [[name, removeQuotes(text)]];
    }),
  );
};
