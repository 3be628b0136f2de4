/**
 * The transitions of a version: which there are, what stands against one, and what becomes of the element's versions.
 * The table of states is data of the type; three states have a meaning here: released, requestToExpire and expired.
 */
import { type Fault, createFaultList } from '@tessera/failures';
import {
  toDocumentAttributes,
  formatDateTime,
  endOfTime,
  fillAttributes,
  neutralCulture,
  type StoredAttributes,
} from './attributes.js';
import { checkMandatory, isBlank } from './check-attributes.js';
import { type Transition, wasReleased } from './states.js';
import { findAttribute, findRelation, type StorageModel, type TypeModel } from './storage-model.js';
import { findReleasedVersion, type VersionHead, formatVersion } from './version-heads.js';

/** What the state of a version lets happen next. */
export const transitionsFrom = (type: Pick<TypeModel, 'transitions'>, state: string): readonly Transition[] =>
  type.transitions.filter(({ from }) => from === state);

/** The transition of that id when the state allows it, else why not and what can be done. */
export const chooseTransition = (
  type: Pick<TypeModel, 'name' | 'transitions'>,
  version: VersionHead,
  transitionId: string,
): Transition | string => {
  const named = type.transitions.filter(({ id }) => id.toLowerCase() === transitionId.toLowerCase());
  const open = transitionsFrom(type, version.state);
  const chosen = named.find(({ from }) => from === version.state);
  if (chosen) return chosen;
  const next =
    open.length > 0 ? `possible now: ${open.map(({ id }) => id).join(', ')}` : 'nothing can follow this state';
  return named.length === 0
    ? `There is no transition "${transitionId}" for the type "${type.name}"; ${next}.`
    : `"${transitionId}" does not begin at the state ${version.state}; ${next}.`;
};

export type ReleasePlan = {
  readonly isRelease: boolean;
  readonly number: { readonly major: number; readonly minor: number };
  /** The version that stops being the released one. */
  readonly expires: VersionHead | undefined;
};

/**
 * A first release takes the next whole number; a version that was released before keeps its number. Of an element one
 * version is released: another that is expires, and at a first release also one that is to expire.
 */
export const planRelease = (heads: readonly VersionHead[], version: VersionHead, to: string): ReleasePlan => {
  const number = { major: version.major, minor: version.minor };
  if (to !== 'released') return { isRelease: false, number, expires: undefined };
  const others = heads.filter(({ versionId }) => versionId !== version.versionId);
  const released = findReleasedVersion(others);
  if (wasReleased(version.state)) return { isRelease: false, number, expires: released };
  const expires = released ?? others.find(({ state }) => state === 'requestToExpire');
  return { isRelease: true, number: { major: Math.max(...heads.map(({ major }) => major)) + 1, minor: 0 }, expires };
};

/** What blocks a release: mandatory attributes and cultures that are missing. */
export const findReleaseErrors = (type: TypeModel, attributes: StoredAttributes): readonly Fault[] => {
  const list = createFaultList('version');
  const given = toDocumentAttributes(type, attributes);
  for (const attribute of type.attributes)
    if (attribute.mandatory) checkMandatory({ list }, ['attributes'], attribute, given);
  return list.faults;
};

/** What may be overridden: names that a culture of the storage lacks. */
export const findReleaseWarnings = (
  storage: StorageModel,
  type: TypeModel,
  attributes: StoredAttributes,
): readonly Fault[] => {
  const list = createFaultList('version');
  for (const attribute of type.attributes) {
    const values = attributes[attribute.name];
    if (!attribute.mandatory || !attribute.localised || !values || !isBlank(values[neutralCulture])) continue;
    for (const culture of storage.cultures)
      if (isBlank(values[String(culture)]) && !attribute.mandatoryCultures.includes(culture))
        list.add(['attributes', attribute.name], 'culture', `there is no value in the culture ${culture}`);
  }
  return list.faults;
};

type TransitionFacts = {
  readonly elementId: string;
  readonly version: VersionHead & { readonly createdAt: Date };
  readonly to: string;
  readonly number: { readonly major: number; readonly minor: number };
  readonly now: Date;
};

/** The attributes of a version in its next state. */
export const attributesAfterTransition = (
  storage: StorageModel,
  type: TypeModel,
  before: StoredAttributes,
  { elementId, version, to, number, now }: TransitionFacts,
): StoredAttributes => {
  const { changedOn: _changedOn, ...given } = before;
  const facts = {
    elementId,
    versionId: version.versionId,
    ...number,
    state: to,
    createdAt: version.createdAt,
    changedAt: now,
  };
  const dated = { ...given, ...releaseDates(type, before, version.state, to, now) };
  return fillAttributes(storage, type, dated, facts);
};

/** Only attributes that the type declares. */
const releaseDates = (
  type: TypeModel,
  before: StoredAttributes,
  from: string,
  to: string,
  now: Date,
): StoredAttributes => {
  const instant = { [neutralCulture]: formatDateTime(now) };
  const dated: [string, StoredAttributes[string]][] = [];
  const set = (name: string, value: StoredAttributes[string], isWanted: (old: string | undefined) => boolean): void => {
    const attribute = findAttribute(type, name);
    if (!attribute || attribute.type !== 'date-time') return;
    const old = before[attribute.name]?.[neutralCulture];
    if (isWanted(typeof old === 'string' ? old : undefined)) dated.push([attribute.name, value]);
  };
  if (to === 'released' && !wasReleased(from)) {
    set('relOn', instant, () => true);
    set('validFrom', instant, (old) => old === undefined);
    set('validUntil', { [neutralCulture]: endOfTime }, (old) => old === undefined);
  }
  if (to === 'expired') set('validUntil', instant, (old) => old === undefined || old > formatDateTime(now));
  return Object.fromEntries(dated);
};

/** The relations that a transition leads to the caller: who changed it, and who released it where the storage has that. */
export const relationsSetToCaller = (storage: StorageModel, isRelease: boolean): readonly string[] => {
  const releasedBy = isRelease ? findRelation(storage, 'relBy')?.name : undefined;
  return ['changedBy', ...(releasedBy ? [releasedBy] : [])];
};

export const blockedReleaseMessage = (version: VersionHead): string =>
  `Version ${formatVersion(version)} cannot be released yet.`;
