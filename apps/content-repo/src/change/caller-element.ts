/**
 * The element that stands for the caller of a change: made at its first write, in storages whose definition says of
 * which type users are. A file may declare it before, under the caller's subject as its key.
 */
import { hash } from 'node:crypto';
import {
  findAttribute,
  elementIdOf,
  fillAttributes,
  neutralCulture,
  type StoredAttributes,
  type TypeModel,
  versionIdOf,
} from '@tessera/content-model';
import type { Caller } from '@tessera/contracts';
import type { ChangeContext, StorageScope } from './change-storage.js';
import type { ChangeEntry } from './change.repository.js';
import { insertElement, insertVersions } from './element-rows.repository.js';
import { renderVersions } from './rendition.repository.js';
import { findStoredElement, type StoredElement } from './stored-element.repository.js';

type CallerElement = { readonly callerId: string | undefined; readonly entries: readonly ChangeEntry[] };

/** What is stored of the caller; undefined when there is nothing, or when the storage does not tell who wrote. */
export const findStoredCallerElement = async (scope: StorageScope): Promise<StoredElement | undefined> =>
  scope.model.userType ? findStoredElement(scope, callerIdOf(scope)) : undefined;

/** `stored`: of `findStoredCallerElement`. */
export const ensureCallerElement = async (
  change: ChangeContext,
  stored: StoredElement | undefined,
): Promise<CallerElement> => {
  const { model, caller } = change;
  const { userType } = model;
  if (!userType) return { callerId: undefined, entries: [] };
  const callerId = callerIdOf(change);
  if (stored) return { callerId: stored.type === userType.name ? callerId : undefined, entries: [] };
  const key = userKeyOf(caller.subject);
  if (!(await insertUserElement(change, userType, callerId, key))) return { callerId: undefined, entries: [] };
  const entry = { action: 'created', facet: userType.facet, elementId: callerId, detail: { key } } as const;
  return { callerId, entries: [entry] };
};

const callerIdOf = ({ model, caller }: StorageScope): string => elementIdOf(model, userKeyOf(caller.subject));

/** False where the user was deleted: it does not come back by itself. */
const insertUserElement = async (
  change: ChangeContext,
  type: TypeModel,
  elementId: string,
  key: string,
): Promise<boolean> => {
  const { model, changedAt: now, caller } = change;
  const versionId = versionIdOf(elementId, 1, 0);
  const facts = { elementId, versionId, major: 1, minor: 0, state: 'show', createdAt: now, changedAt: now };
  const attributes = fillAttributes(model, type, nameOf(type, caller, model.defaultCulture), facts);
  const element = { elementId, key, facet: type.facet, type: type.name, creationId: elementId };
  if (!(await insertElement(change, element))) return false;
  const rows = { versions: [{ ...facts, attributes }], content: [], relations: [] };
  await Promise.all([insertVersions(change, rows), renderVersions(change, [versionId])]);
  return true;
};

const nameOf = (type: TypeModel, { subject }: Caller, culture: number): StoredAttributes => {
  const attribute = findAttribute(type, 'name');
  if (!attribute) return {};
  return { [attribute.name]: { [attribute.localised ? String(culture) : neutralCulture]: subject } };
};

const keyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The subject itself where it can be a key, else its readable part with a digest, so that two subjects never meet. */
const userKeyOf = (subject: string): string => {
  if (keyPattern.test(subject)) return subject;
  const readable = subject
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 100);
  return `${readable || 'user'}.${hash('sha256', subject, 'hex').slice(0, 16)}`;
};
