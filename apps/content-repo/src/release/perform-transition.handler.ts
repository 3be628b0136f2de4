/** A transition of a version into its next state; a release expires the version that was released before. */
import { Controller } from '@nestjs/common';
import {
  attributesAfter,
  blockedRelease,
  relationsSetToCaller,
  chooseTransition,
  draftOf,
  planRelease,
  releaseErrors,
  releaseWarnings,
  type StoredAttributes,
  type TypeModel,
  versionText,
} from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { performTransition } from '@tessera/contracts/content-repo';
import { fail, type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { callerElement } from '../change/caller-element.js';
import { type Change, type ChangeResult, StorageChanges } from '../change/change-storage.js';
import { insertVersions, removeRelations } from '../change/element-rows.repository.js';
import { replaceRenditions } from '../change/rendition.repository.js';
import {
  changedElementText,
  findRequestedVersion,
  readAttributes,
  type StoredElement,
  type StoredHead,
  touchElement,
  updateVersions,
} from '../change/stored-element.repository.js';
import { contentNotFound } from '../replies.js';

type Request = RequestOf<typeof performTransition>;

@Controller()
export class PerformTransitionHandler {
  constructor(private readonly changes: StorageChanges) {}

  @Serves(performTransition)
  perform(request: Request, context: OperationContext): Promise<Result<ByteReply>> {
    return this.changes.run(performTransition, request, context, (change) => transition(change, request));
  }
}

const transition = async (change: Change, request: Request): Promise<Result<ChangeResult>> => {
  const requested = await findRequestedVersion(change, request.elementId);
  if (!requested) return contentNotFound;
  const { element, type, version } = requested;
  const chosen = chooseTransition(type, version, request.transitionId);
  if (typeof chosen === 'string')
    return fail('CONTENT_CONFLICT', `${chosen}${draftHint(type, element, version, request)}`);
  const [before, { callerId, entries }] = await Promise.all([
    readAttributes(change, version.versionId),
    callerElement(change),
  ]);
  if (!before) return contentNotFound;
  const release = planRelease(element.heads, version, chosen.to);
  if (release.isRelease) {
    const blocked = releaseBlockedFailure(change, type, version, before, request.ignoreWarnings);
    if (blocked) return blocked;
  }
  const step: Step = { element, type, version, before, to: chosen.to, ...release, callerId };
  if (release.expires) await expire(change, step, release.expires);
  const changed = affectsHistory(version.state, chosen.to) ? element.heads : [version];
  const changedIds = changed.map(({ versionId }) => versionId);
  await Promise.all([
    moveTo(change, step),
    touchElement(change, element.elementId),
    replaceRenditions(change, changedIds),
  ]);
  const text = await changedElementText(change, element.facet, version.versionId);
  const detail = {
    transition: chosen.id,
    from: version.state,
    to: chosen.to,
    ...(type.versioned && { version: versionText(release.number) }),
    ...(release.expires && { expiredVersionId: release.expires.versionId }),
  };
  const { facet, elementId } = element;
  const place = { action: 'transitioned', facet, elementId } as const;
  return succeed({
    entries: [...entries, { ...place, ...(type.versioned && { versionId: version.versionId }), detail }],
    body: `{"count":1,"${request.apiVersion === '1.0' ? 'values' : 'elements'}":[${text}]}`,
  });
};

/** Every version of an element lists those that were released, with their states. */
const affectsHistory = (from: string, to: string): boolean =>
  [from, to].some((state) => ['released', 'requestToExpire', 'expired'].includes(state));

type Step = {
  readonly element: StoredElement;
  readonly type: TypeModel;
  readonly version: StoredHead;
  readonly before: StoredAttributes;
  readonly to: string;
  readonly number: { readonly major: number; readonly minor: number };
  readonly isRelease: boolean;
  readonly callerId: string | undefined;
};

const moveTo = async (change: Change, { element, type, version, before, to, number, isRelease, callerId }: Step) => {
  const { elementId } = element;
  const facts = { elementId, version, to, number, now: change.changedAt };
  const attributes = attributesAfter(change.model, type, before, facts);
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

const expire = async (change: Change, step: Step, { versionId }: { readonly versionId: string }): Promise<void> => {
  const version = step.element.heads.find((head) => head.versionId === versionId);
  const before = version && (await readAttributes(change, versionId));
  if (!version || !before) throw new Error(`The released version ${versionId} is gone while its storage is locked.`);
  const number = { major: version.major, minor: version.minor };
  await moveTo(change, { ...step, version, before, to: 'expired', number, isRelease: false });
};

const releaseBlockedFailure = (
  change: Change,
  type: TypeModel,
  version: StoredHead,
  attributes: StoredAttributes,
  ignoreWarnings: boolean,
): ReturnType<typeof fail> | undefined => {
  const errors = releaseErrors(type, attributes);
  if (errors.length > 0) return fail('CONTENT_CONFLICT', blockedRelease(version), { faults: errors });
  const warnings = ignoreWarnings ? [] : releaseWarnings(change.model, type, attributes);
  if (warnings.length === 0) return undefined;
  return fail('CONTENT_WARNING', `${blockedRelease(version)} ignoreWarnings=true releases it as it is.`, {
    faults: warnings,
  });
};

/** An element's id means its released version; perhaps its draft was meant. */
const draftHint = (
  type: TypeModel,
  { elementId, heads }: StoredElement,
  version: StoredHead,
  request: Request,
): string => {
  const draft = draftOf(heads);
  if (request.elementId.toLowerCase() !== elementId || !draft || draft === version) return '';
  if (typeof chooseTransition(type, draft, request.transitionId) === 'string') return '';
  return ` The draft ${versionText(draft)} allows it: use its id, ${draft.versionId}.`;
};
