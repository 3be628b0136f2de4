/** A transition of a version into its next state; a release expires the version that was released before. */
import { Controller } from '@nestjs/common';
import {
  attributesAfterTransition,
  blockedReleaseMessage,
  relationsSetToCaller,
  chooseTransition,
  findDraftVersion,
  planRelease,
  findReleaseErrors,
  findReleaseWarnings,
  type StoredAttributes,
  type TypeModel,
  formatVersion,
} from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { performTransition } from '@tessera/contracts/content-repo';
import { fail, type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { ensureCallerElement, findStoredCallerElement } from '../change/caller-element.js';
import { type ChangeContext, type ChangeResult, StorageChanges } from '../change/change-storage.js';
import { insertVersions, removeRelations } from '../change/element-rows.repository.js';
import { beginRenditionReplacement } from '../change/rendition.repository.js';
import {
  readChangedElementJsonTexts,
  findRequestedVersion,
  readAttributes,
  readRequestedAttributes,
  type RequestedVersion,
  type StoredElement,
  type StoredVersionHead,
  setElementRevision,
  updateVersions,
} from '../change/stored-element.repository.js';
import { contentNotFound } from '../replies.js';

type Request = RequestOf<typeof performTransition>;

@Controller()
export class PerformTransitionHandler {
  constructor(private readonly changes: StorageChanges) {}

  @Serves(performTransition)
  perform(request: Request, context: OperationContext): Promise<Result<ByteReply>> {
    return this.changes.run(performTransition, request, context, {
      read: (scope) =>
        Promise.all([
          findRequestedVersion(scope, request.elementId),
          readRequestedAttributes(scope, request.elementId),
          findStoredCallerElement(scope),
        ]),
      apply: (change, read) => performStep(change, request, read),
    });
  }
}

type Read = readonly [RequestedVersion | undefined, ReadonlyMap<string, StoredAttributes>, StoredElement | undefined];

const performStep = async (
  change: ChangeContext,
  request: Request,
  [requested, attributes, caller]: Read,
): Promise<Result<ChangeResult>> => {
  if (!requested) return contentNotFound;
  const { element, type, version } = requested;
  const chosen = chooseTransition(type, version, request.transitionId);
  if (typeof chosen === 'string')
    return fail('CONTENT_CONFLICT', `${chosen}${draftHint(type, element, version, request)}`);
  const before = attributes.get(version.versionId);
  if (!before) return contentNotFound;
  const release = planRelease(element.heads, version, chosen.to);
  if (release.isRelease) {
    const blocked = releaseBlockedFailure(change, type, version, before, request.ignoreWarnings);
    if (blocked) return blocked;
  }
  const { callerId, entries } = await ensureCallerElement(change, caller);
  const step: Step = { element, type, version, before, to: chosen.to, ...release, callerId };
  const expiry = release.expires && (await expiryOf(change, step, release.expires));
  const changed = affectsHistory(version.state, chosen.to) ? element.heads : [version];
  const changedIds = changed.map(({ versionId }) => versionId);
  // In the order in which they are sent.
  const [, , , insertRenditions] = await Promise.all([
    expiry && moveTo(change, expiry),
    moveTo(change, step),
    setElementRevision(change, element.elementId),
    beginRenditionReplacement(change, changedIds),
  ]);
  const detail = {
    transition: chosen.id,
    from: version.state,
    to: chosen.to,
    ...(type.versioned && { version: formatVersion(release.number) }),
    ...(release.expires && { expiredVersionId: release.expires.versionId }),
  };
  const { facet, elementId } = element;
  const place = { action: 'transitioned', facet, elementId } as const;
  return succeed({
    entries: [...entries, { ...place, ...(type.versioned && { versionId: version.versionId }), detail }],
    body: async () => {
      const [, [text]] = await Promise.all([
        insertRenditions(),
        readChangedElementJsonTexts(change, facet, [version.versionId]),
      ]);
      return `{"count":1,"${request.apiVersion === '1.0' ? 'values' : 'elements'}":[${text}]}`;
    },
  });
};

/** Every version of an element lists those that were released, with their states. */
const affectsHistory = (from: string, to: string): boolean =>
  [from, to].some((state) => ['released', 'requestToExpire', 'expired'].includes(state));

type Step = {
  readonly element: StoredElement;
  readonly type: TypeModel;
  readonly version: StoredVersionHead;
  readonly before: StoredAttributes;
  readonly to: string;
  readonly number: { readonly major: number; readonly minor: number };
  readonly isRelease: boolean;
  readonly callerId: string | undefined;
};

const moveTo = async (
  change: ChangeContext,
  { element, type, version, before, to, number, isRelease, callerId }: Step,
) => {
  const { elementId } = element;
  const facts = { elementId, version, to, number, now: change.changedAt };
  const attributes = attributesAfterTransition(change.model, type, before, facts);
  const { versionId } = version;
  const byCaller =
    callerId === undefined
      ? []
      : relationsSetToCaller(change.model, isRelease).map((relation) => ({
          ownerId: versionId,
          relation,
          position: 0,
          targetId: callerId,
        }));
  await Promise.all([
    updateVersions(change, [{ versionId, ...number, state: to, attributes, changedAt: change.changedAt }]),
    removeRelations(change, byCaller),
    insertVersions(change, { versions: [], content: [], relations: byCaller }),
  ]);
};

/** The step of the version that was released before. */
const expiryOf = async (
  change: ChangeContext,
  step: Step,
  { versionId }: { readonly versionId: string },
): Promise<Step> => {
  const version = step.element.heads.find((head) => head.versionId === versionId);
  const before = version && (await readAttributes(change, versionId));
  if (!version || !before) throw new Error(`The released version ${versionId} is gone while its storage is locked.`);
  const number = { major: version.major, minor: version.minor };
  return { ...step, version, before, to: 'expired', number, isRelease: false };
};

const releaseBlockedFailure = (
  change: ChangeContext,
  type: TypeModel,
  version: StoredVersionHead,
  attributes: StoredAttributes,
  ignoreWarnings: boolean,
): ReturnType<typeof fail> | undefined => {
  const errors = findReleaseErrors(type, attributes);
  if (errors.length > 0) return fail('CONTENT_CONFLICT', blockedReleaseMessage(version), { faults: errors });
  const warnings = ignoreWarnings ? [] : findReleaseWarnings(change.model, type, attributes);
  if (warnings.length === 0) return undefined;
  return fail('CONTENT_WARNING', `${blockedReleaseMessage(version)} ignoreWarnings=true releases it as it is.`, {
    faults: warnings,
  });
};

/** An element's id means its released version; perhaps its draft was meant. */
const draftHint = (
  type: TypeModel,
  { elementId, heads }: StoredElement,
  version: StoredVersionHead,
  request: Request,
): string => {
  const draft = findDraftVersion(heads);
  if (request.elementId.toLowerCase() !== elementId || !draft || draft === version) return '';
  if (typeof chooseTransition(type, draft, request.transitionId) === 'string') return '';
  return ` The draft ${formatVersion(draft)} allows it: use its id, ${draft.versionId}.`;
};
