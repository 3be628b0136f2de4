/** Creates and updates elements of a view, all or nothing. */
import { Controller } from '@nestjs/common';
import {
  elementIdOf,
  identifyingMember,
  type ExistingElement,
  planWrite,
  type StorageModel,
  type WriteFacts,
} from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { writeElements, type WrittenElement } from '@tessera/contracts/content-repo';
import { fail, type Failure, type Fault, createFaultList, type Result, succeed } from '@tessera/failures';
import { runInSlices, type SlicedWork } from '@tessera/fair-queue';
import { type OperationContext, Serves } from '@tessera/messaging';
import { type ChangeContext, type ChangeResult, StorageChanges, type StorageScope } from '../change/change-storage.js';
import { readChangedElementJsonTexts } from '../change/stored-element.repository.js';
import { isStandardView, findFacetView } from '../facets/facet-view.js';
import { revisionOfEtag } from '../replies.js';
import { applyWritePlan } from './apply-write-plan.js';
import {
  type RequestedElements,
  readRequestedElements,
  type RevisionedTarget,
  resolveTargets,
} from './read-targets.js';
import { findExistingElements } from './write.repository.js';

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
    return this.changes.run(writeElements, request, context, {
      read: (scope) => readFirst(scope, request),
      apply: (change, read) => writeInStorage(change, request, context.publicUrl, read),
    });
  }
}

const tooMuchContent = (count: number) => {
  const message = `expected at most ${contentElementsMax} content elements in one request, not ${count}; send the elements in several.`;
  return fail('GENERAL_CONSTRAINT_VIOLATION', 'The request has too many content elements.', {
    faults: [{ in: 'body', path: 'elements', message, rule: 'too_big' }],
  });
};

type Read = readonly [RequestedElements, ReadonlyMap<string, ExistingElement>];

const readFirst = (scope: StorageScope, { batch: { elements }, match }: Request): Promise<Read> =>
  Promise.all([
    readRequestedElements(scope, elements, match),
    runInSlices(namedIn(scope.model, elements), scope.tenant).then((named) => findExistingElements(scope, ...named)),
  ]);

const writeInStorage = async (
  change: ChangeContext,
  request: Request,
  publicUrl: string,
  [read, known]: Read,
): Promise<Result<ChangeResult>> => {
  const named = findFacetView(change.storage, request.facetId, request.viewId);
  if (!named.ok) return named;
  const { facet, view } = named.value;
  const requested = request.batch.elements;
  const list = createFaultList('body');
  const targets = await resolveTargets(change, list, request, read);
  const changed = ifMatchFailure(request.ifMatch, requested, targets);
  if (changed) return changed;
  const facts: WriteFacts = {
    storage: change.model,
    publicUrl,
    seed: change.newId,
    facet: facet.name,
    shown: view.types && !isStandardView(view) ? { view: view.name, types: view.types } : undefined,
    known,
  };
  const plan = await runInSlices(planWrite(list, facts, requested, targets), change.tenant);
  const refused = refusalOf([...ifMatchFaults(request.ifMatch, targets), ...plan.faults], plan.conflicts);
  if (refused) return refused;
  const { elements } = plan;
  const { entries, insertRenditions } = await applyWritePlan(change, facet.name, elements, known);
  const versionIds = elements.map(({ versionId }) => versionId);
  const member = request.apiVersion === '1.0' ? 'values' : 'elements';
  return succeed({
    entries,
    body: async () => {
      const [, texts] = await Promise.all([
        insertRenditions(),
        readChangedElementJsonTexts(change, facet.name, versionIds),
      ]);
      return `{"count":${texts.length},${messageOf(elements)}"${member}":[${texts.join(',')}]}`;
    },
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
  targets: readonly (RevisionedTarget | undefined)[],
  written: string | undefined,
): Readonly<Record<string, string>> => {
  const revision = written ?? targets[0]?.revision;
  return targets.length === 1 && revision !== undefined ? { etag: `"${revision}"` } : {};
};

/** The failure that names the elements which are not as they were; undefined when all are. */
const ifMatchFailure = (
  header: string | undefined,
  requested: readonly WrittenElement[],
  targets: readonly (RevisionedTarget | undefined)[],
): { readonly ok: false; readonly failure: Failure } | undefined => {
  if (header === undefined || header.trim() === '*') return undefined;
  const revisions = new Set(header.split(',').map((etag) => revisionOfEtag(etag.trim())));
  const faults = targets.flatMap((target, index): readonly Fault[] => {
    if (target?.revision === undefined || revisions.has(target.revision)) return [];
    const path = `elements.${index}.${identifyingMember(requested[index] ?? {})}`;
    const { elementId, versionId } = target.ids;
    const message = `the element ${elementId} (version ${versionId}) is not the one that was read; read it again and send the change with its ETag`;
    return [{ in: 'body', path, message, rule: 'changed' }];
  });
  if (faults.length === 0) return undefined;
  return fail('CONTENT_CHANGED', 'Somebody else has changed what you want to change; nothing was written.', { faults });
};

/** A condition on what is not there yet never holds. */
const ifMatchFaults = (
  header: string | undefined,
  targets: readonly (RevisionedTarget | undefined)[],
): readonly Fault[] =>
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
