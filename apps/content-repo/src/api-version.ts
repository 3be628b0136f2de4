/** What the versions of the interface call things. */
export type ApiVersion = '1.0' | '4.0';

/** What a list is called. */
export const listName = (apiVersion: ApiVersion): 'values' | 'elements' =>
  apiVersion === '1.0' ? 'values' : 'elements';
