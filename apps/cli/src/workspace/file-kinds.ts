/** Every kind of file, by the word that `tessera schema` takes; apart from the schemas, which the help does not need. */
export const fileKindNames = [
  'workspace',
  'storage',
  'elements',
  'element',
  'model',
  'table',
  'asset',
  'agent',
] as const;
export type FileKind = (typeof fileKindNames)[number];
