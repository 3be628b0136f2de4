/**
 * Variables of the environment that look like a setting that is not there: one letter off, or in another case.
 * Others have variables beside ours, so a start says what it sees and goes on.
 */
import { editDistance } from '@tessera/failures';
import type { Environment } from './configuration.js';

export type MisspeltSetting = { readonly found: string; readonly meant: string };

/** Distances below this one are misspellings. */
const limit = 2;

export const misspeltSettings = (names: readonly string[], environment: Environment): readonly MisspeltSetting[] => {
  const absent = names.filter((name) => !environment[name]);
  return Object.keys(environment)
    .filter((found) => !names.includes(found))
    .flatMap((found) => {
      const meant = absent.find((name) => editDistance(found.toUpperCase(), name, limit) < limit);
      return meant === undefined ? [] : [{ found, meant }];
    });
};
