/** What proves the writing of elements, with every member of its body. */
import { suite, type OperationProofs } from './proof.js';

const folder = 'apps/content-repo/src/writing';
const created = suite(`${folder}/write-elements.int-spec.ts`, 'a new element');
const updated = suite(`${folder}/write-elements.int-spec.ts`, 'an update');
const content = suite(`${folder}/write-elements.int-spec.ts`, 'the content of a version');
const request = suite(`${folder}/write-elements.int-spec.ts`, 'a request');
const faults = suite(`${folder}/refused-writes.int-spec.ts`, 'faults');
const conflicts = suite(`${folder}/refused-writes.int-spec.ts`, 'conflicts');
const moved = suite(`${folder}/moved-elements.int-spec.ts`, 'an element that is moved');
const misplaced = suite(`${folder}/moved-elements.int-spec.ts`, 'a place is refused');
const ifMatch = suite(`${folder}/writing-at-once.int-spec.ts`, 'If-Match');
const atOnce = suite(`${folder}/writing-at-once.int-spec.ts`, 'twenty calls at once');

const made = created(
  'of a type with versions is version 0.1 in process, made by the caller, and reads as it was answered',
);
const byKey = created('of a type without versions is shown, and is named by its key in the same body, in any order');
const replaced = updated('replaces what is named and leaves the rest');
const beside = updated('passes over what reading shows beside: names of types, addresses, parents and versions');
const values = faults('of values are named one by one, each with its place');
const elsewhere = faults('are elements that are not there, or not here');
const kept = faults('are members that an element keeps, and a state, which transitions change');
const targets = faults('are targets that are not there, deleted, or of a type that the relation does not lead to');
const contentList = content('is the list that is written: what is known keeps its identifier, what is not listed goes');

const ofElements: OperationProofs['members'] = {
  'elements[].id': [replaced, elsewhere],
  'elements[].versionId': [replaced, elsewhere],
  'elements[].key': [byKey, atOnce('make one element of a key; the others are told whose it is')],
  'elements[].type': [made, byKey, values],
  'elements[].stereotype': [made, updated('of the stereotype shows in every version of the element')],
  'elements[].creationId': [created('without a key has an identifier of its own, and may be a copy'), kept],
  'elements[].facetName': [beside, values],
  'elements[].attributes': [
    replaced,
    values,
    faults('are changes of what the server keeps; the same as before is passed over'),
  ],
  'elements[].related': [replaced, targets],
  'elements[].displayNames': [beside],
  'elements[].expandUri': [beside],
  'elements[].parentId': [
    moved('stands behind its new siblings, with everything below it'),
    moved('may change places with another, and with what is made in the same body'),
    misplaced('under itself, below itself, and in a circle of several moves'),
    misplaced('under what is not there, of another facet, or may not have it'),
  ],
  'elements[].content': [contentList],
  'elements[].state': [kept, values],
  'elements[].rootPath': [beside],
  'elements[].versions': [beside],
  'elements[].children': [values],
};

const ofContent: OperationProofs['members'] = {
  'elements[].content[].id': [contentList],
  'elements[].content[].key': [contentList, values],
  'elements[].content[].type': [made, values, kept],
  'elements[].content[].stereotype': [contentList],
  'elements[].content[].creationId': [contentList, kept],
  'elements[].content[].facetName': [beside, kept],
  'elements[].content[].attributes': [made, contentList, values],
  'elements[].content[].related': [made, contentList, targets],
  'elements[].content[].displayNames': [beside],
  'elements[].content[].expandUri': [beside],
  'elements[].content[].state': [made],
};

export const proofsOfWriting: Readonly<Record<string, OperationProofs>> = {
  'content.elements.write': {
    success: [
      made,
      replaced,
      request('answers in the order of its body, version 1.0 under values, one element with its ETag'),
    ],
    members: {
      facetId: [elsewhere, request('is told that there is nothing under an unknown facet or view')],
      viewId: [elsewhere, request('is told that there is nothing under an unknown facet or view')],
      apiVersion: [request('answers in the order of its body, version 1.0 under values, one element with its ETag')],
      idempotencyKey: [request('answers the same again under its Idempotency-Key')],
      ifMatch: [
        ifMatch('lets one of two updates through that were made of the same version'),
        ifMatch('takes a list, whole ETags of reads, weakened ones, and a star'),
        ifMatch('holds for the updates of a body, not for what is new in it'),
      ],
      elements: [request('leaves nothing behind when one of its elements has a fault')],
      ...ofElements,
      ...ofContent,
    },
    failures: {
      CONTENT_NOTFOUND: [request('is told that there is nothing under an unknown facet or view')],
      CONTENT_CONFLICT: [
        conflicts('are keys that are taken'),
        conflicts('are versions that are not in process, each with the way out'),
      ],
      CONTENT_CHANGED: [ifMatch('lets one of two updates through that were made of the same version')],
      GENERAL_CONSTRAINT_VIOLATION: [values, faults('are mandatory values that are missing, where nothing is a draft')],
    },
  },
};
