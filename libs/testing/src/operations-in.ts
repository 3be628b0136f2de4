/** The operations over HTTP that a part of the contracts declares, for tests that go over all of them. */
import type { Group, HttpOperation } from '@tessera/contracts';

const isOperation = (value: unknown): value is HttpOperation =>
  typeof value === 'object' && value !== null && 'http' in value && 'request' in value;

/** `declarations` is the namespace of the part, e.g. of `@tessera/contracts/content-repo`. */
export const operationsIn = (declarations: object, group?: Group): readonly HttpOperation[] => {
  const values: readonly unknown[] = Object.values(declarations);
  return values.filter(isOperation).filter(({ http }) => group === undefined || http.group === group);
};
