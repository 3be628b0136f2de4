/** Creates and updates elements of a view, all or nothing. */
import { Controller } from '@nestjs/common';
import { elementIdOf, idMember, planWrite, type StorageModel, type WriteFacts } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { writeElements, type WrittenElement } from '@tessera/contracts/content-repo';
import { fail, type Failure, type Fault, faultList, type Result, succeed } from '@tessera/failures';
import { runInSlices, type SlicedWork } from '@tessera/fair-queue';
import { type OperationContext, Serves } from '@tessera/messaging';
import { type Change, type ChangeResult, StorageChanges } from '../change/change-storage.js';
import { changedElementText } from '../change/stored-element.repository.js';
import { isStandardView, viewOf } from '../facets/facet-view.js';
import { revisionOfEtag } from '../replies.js';
import { applyWritePlan } from './apply-write-plan.js';
import { type ReadTarget, readTargets } from './read-targets.js';
import { findKnownElements } from './write.repository.js';

type Request = RequestOf<typeof writeElements>;

/** Of all elements of a request; what is made of them in one piece holds the event loop for a while. */
const contentElementsMax = 2_500;

@Controller()
export class WriteElementsHandler {
  constructor(private readonly changes: StorageChanges) {}

  @Serves(writeElements)
  write(request: Request, context: OperationContext): Promise<Result<ByteReply>> {
    const contentElements = request.batch.elements.reduce((sum, { content = [] }) => sum + content.length, 0);
    if (contentElements > contentElementsMax) return Promise.resolve(tooMuchContent(contentElements));
    return this.changes.run(writeElements, request, context, (change) => writing(change, request, context.publicUrl));
  }
}

const tooMuchContent = (count: number) => {
  const message = `expected at most ${contentElementsMax} content elements in one request, not ${count}; send the elements in several.`;
  return fail('GENERAL_CONSTRAINT_VIOLATION', 'The request has too many content elements.', {
    faults: [{ in: 'body', path: 'elements', message, rule: 'too_big' }],
  });
};

const writing = async (change: Change, request: Request, publicUrl: string): Promise<Result<ChangeResult>> => {
  const named = viewOf(change.storage, request.facetId, request.viewId);
  if (!named.ok) return named;
  const { facet, view } = named.value;
  const requested = request.batch.elements;
  const list = faultList('body');
  const targets = await readTargets(change, list, requested, request.match);
  const changed = ifMatchFailure(request.ifMatch, requested, targets);
  if (changed) return changed;
  const facts: WriteFacts = {
    storage: change.model,
    publicUrl,
    seed: change.newId,
    facet: facet.name,
    shown: view.types && !isStandardView(view) ? { view: view.name, types: view.types } : undefined,
    known: await findKnownElements(change, ...(await runInSlices(namedIn(change.model, requested), change.tenant))),
  };
  const plan = await runInSlices(planWrite(list, facts, requested, targets), change.tenant);
  const refused = refusalOf([...ifMatchFaults(request.ifMatch, targets), ...plan.faults], plan.conflicts);
  if (refused) return refused;
  const entries = await applyWritePlan(change, facet.name, plan.elements, facts.known);
  const texts: string[] = [];
  for (const { versionId } of plan.elements) texts.push(await changedElementText(change, facet.name, versionId));
  const member = request.apiVersion === '1.0' ? 'values' : 'elements';
  return succeed({
    entries,
    body: `{"count":${texts.length},${messageOf(plan.elements)}"${member}":[${texts.join(',')}]}`,
    headers: etagHeader(targets, entries.length > 0 ? change.sequence : undefined),
  });
};

const namedIgnoredMax = 10;

/** A member of the answer; none when nothing was ignored. */
const messageOf = (elements: readonly { readonly ignored: readonly (readonly (string | number)[])[] }[]): string => {
  const ignored = elements.flatMap((element) => element.ignored.map((path) => path.join('.')));
  if (ignored.length === 0) return '';
  const more = ignored.length > namedIgnoredMax ? ` and ${ignored.length - namedIgnoredMax} more` : '';
  const names = `${ignored.slice(0, namedIgnoredMax).join(', ')}${more}`;
  return `"message":${JSON.stringify(`Ignored, since only the server writes it: ${names}.`)},`;
};

/** An id is the hash of a key. */
const hashesOfStep = 200;

/** The ids of what is only named, and of the parents among it. */
function* namedIn(
  model: StorageModel,
  requested: readonly WrittenElement[],
): SlicedWork<readonly [readonly string[], readonly string[]]> {
  const parents = requested.flatMap(({ parentId }) => (parentId ? [elementIdOf(model, parentId)] : []));
  const keys = requested.flatMap(({ key }) => (key === undefined ? [] : [elementIdOf(model, key)]));
  const relations = requested.flatMap(({ related, content = [] }) => [related, ...content.map((part) => part.related)]);
  const ids = new Set(keys);
  for (const items of relations.flatMap((related) => Object.values(related ?? {})))
    for (const [index, item] of items.entries()) {
      if (index % hashesOfStep === 0) yield;
      ids.add(elementIdOf(model, typeof item === 'string' ? item : item.id));
    }
  return [[...ids], parents];
}

const refusalOf = (faults: readonly Fault[], conflicts: readonly Fault[]): ReturnType<typeof fail> | undefined => {
  if (faults.length > 0)
    return fail('GENERAL_CONSTRAINT_VIOLATION', 'The elements cannot be written so; nothing was written.', { faults });
  if (conflicts.length === 0) return undefined;
  return fail('CONTENT_CONFLICT', 'What is stored stands against it; nothing was written.', { faults: conflicts });
};

/** Of one element; a revision alone is enough for If-Match. */
const etagHeader = (
  targets: readonly (ReadTarget | undefined)[],
  written: string | undefined,
): Readonly<Record<string, string>> => {
  const revision = written ?? targets[0]?.revision;
  return targets.length === 1 && revision !== undefined ? { etag: `"${revision}"` } : {};
};

/** The failure that names the elements which are not as they were; undefined when all are. */
const ifMatchFailure = (
  header: string | undefined,
  requested: readonly WrittenElement[],
  targets: readonly (ReadTarget | undefined)[],
): { readonly ok: false; readonly failure: Failure } | undefined => {
  if (header === undefined || header.trim() === '*') return undefined;
  const revisions = new Set(header.split(',').map((etag) => revisionOfEtag(etag.trim())));
  const faults = targets.flatMap((target, index): readonly Fault[] => {
    if (target?.revision === undefined || revisions.has(target.revision)) return [];
    const path = `elements.${index}.${idMember(requested[index] ?? {})}`;
    const { elementId, versionId } = target.ids;
    const message = `the element ${elementId} (version ${versionId}) is not the one that was read; read it again and send the change with its ETag`;
    return [{ in: 'body', path, message, rule: 'changed' }];
  });
  if (faults.length === 0) return undefined;
  return fail('CONTENT_CHANGED', 'Somebody else has changed what you want to change; nothing was written.', { faults });
};

/** A condition on what is not there yet never holds. */
const ifMatchFaults = (header: string | undefined, targets: readonly (ReadTarget | undefined)[]): readonly Fault[] =>
  header === undefined || targets.some((target) => target === undefined || target.revision !== undefined)
    ? []
    : [
        {
          in: 'header',
          path: 'if-match',
          message: 'is for updates, and the body only makes new elements',
          rule: 'if-match',
        },
      ];
