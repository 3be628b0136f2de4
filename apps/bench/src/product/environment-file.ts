/** Reads the launcher's file `env`: one `NAME=value` per line, in shell format. */
import { readFileSync } from 'node:fs';

export type Environment = Readonly<Record<string, string>>;

const unquoted = (text: string): string => (/^'.*'$/.test(text) ? text.slice(1, -1).replaceAll(`'\\''`, "'") : text);

const parseEnvironment = (text: string): Environment =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^([A-Z_][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, unquoted(value)]];
    }),
  );

export const readEnvironment = (path: string): Environment => parseEnvironment(readFileSync(path, 'utf8'));

/** A value without which nothing can be measured. */
export const required = (environment: Environment, name: string): string => {
  const value = environment[name];
  if (!value) throw new Error(`The environment file has no ${name}.`);
  return value;
};
