import type { OperationGroup, HttpOperation } from '@tessera/contracts';

const isOperation = (value: unknown): value is HttpOperation =>
  typeof value === 'object' && value !== null && 'http' in value && 'request' in value;

/** The HTTP operations that a module such as `@tessera/contracts/content-repo` declares. */
export const findOperations = (declarations: object, group?: OperationGroup): readonly HttpOperation[] => {
  const values: readonly unknown[] = Object.values(declarations);
  return values.filter(isOperation).filter(({ http }) => group === undefined || http.group === group);
};
