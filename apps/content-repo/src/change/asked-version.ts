/** What the id of a request means inside a change. Refuses: to decide whether it may be changed. */
import { askedVersion, isUuid, typeNamed, type TypeModel } from '@tessera/content-model';
import type { ChangeScope } from './change-scope.js';
import { findStoredElement, type StoredElement, type StoredHead } from './stored-element.repository.js';

export type Asked = { readonly element: StoredElement; readonly type: TypeModel; readonly version: StoredHead };

/** `id`: of an element (its released version, else its newest) or of a version, in any case of letters. */
export const findAsked = async (scope: ChangeScope, id: string): Promise<Asked | undefined> => {
  const askedId = id.toLowerCase();
  const element = isUuid(askedId) ? await findStoredElement(scope, askedId) : undefined;
  const type = element && typeNamed(scope.model, element.type);
  const version = element && askedVersion(element.heads, askedId);
  return element && type && version ? { element, type, version } : undefined;
};
