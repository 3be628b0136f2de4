/** What proves the writes of group A: deletion, new versions, transitions. */
import { suite, type OperationProofs } from './proof.js';

const service = 'apps/content-repo/src';
const life = suite(`${service}/release/release.int-spec.ts`, 'the life of a version');
const newVersion = suite(`${service}/release/create-version.int-spec.ts`, 'a new version');
const modelOfNewVersion = suite('libs/content-model/src/new-version.spec.ts', 'a new version');
const listed = suite(`${service}/release/transitions.int-spec.ts`, 'the transitions of a version');
const transition = suite(`${service}/release/transitions.int-spec.ts`, 'a transition');
const release = suite(`${service}/release/transitions.int-spec.ts`, 'a release');
const deletion = suite(`${service}/deletion/delete-element.int-spec.ts`, 'a deletion');
const atOnce = suite('apps/e2e/src/writes.e2e-spec.ts', 'calls at once');
const product = suite('apps/e2e/src/operations.e2e-spec.ts', 'every operation of group A');

const notThere = listed('are not there for content elements and for what nobody has');

const deleteElement: OperationProofs = {
  called: 'A5',
  success: [deletion('answers an OperationResult with what went, and nothing shows it or leads to it any more')],
  members: {
    facetId: [deletion('finds nothing under a facet that is not the one of the element')],
    viewId: [product('%s: knows facet and view in any case, and no others')],
    elementId: [
      deletion('takes the draft that a version id names, and leaves the element'),
      deletion('takes an element that was never released whole, with its content'),
    ],
  },
  failures: {
    CONTENT_NOTFOUND: [
      deletion('finds nothing the second time'),
      product('%s: says 404 for an element that is not there'),
    ],
    CONTENT_CONFLICT: [
      deletion('is refused while the element has children, and says what to do with them'),
      deletion('is refused for what is not in process, and names the draft or the way back'),
    ],
  },
};

const createVersion: OperationProofs = {
  called: 'A6',
  success: [
    newVersion('is made of the released version, by the id of the element or of that version'),
    life('is deleted as a draft, alone, and its number is free again'),
    modelOfNewVersion('keeps name and own attributes, drops what belongs to the release, and begins its dates anew'),
    modelOfNewVersion('keeps its relations but for those of the release; author, creator and changer are the caller'),
    modelOfNewVersion('has a deep copy of the content, with new ids that name their originals'),
  ],
  members: { elementId: [newVersion('is made of the released version, by the id of the element or of that version')] },
  failures: {
    CONTENT_NOTFOUND: [newVersion('finds nothing for a content element and for what nobody has')],
    CONTENT_CONFLICT: [
      newVersion('is refused of what is not released, with the version to use'),
      newVersion('is refused of what has no versions'),
      life('is refused a second draft, and told which there is'),
      atOnce('200 of createversion on one element leave one draft and 199 clear refusals'),
    ],
  },
};

const listTransitions: OperationProofs = {
  success: [listed('are those that its state allows, by the ids that are POSTed to')],
  members: { elementId: [listed('are for an id those of the released version; what has expired has none')] },
  failures: { CONTENT_NOTFOUND: [notThere] },
};

const performTransition: OperationProofs = {
  success: [
    transition('is named in any case and answers the version in its next state, in version 1.0 under values'),
    life('is released by its own id, expires the one before and takes the next whole number'),
    transition('hides an element without versions and shows it again'),
  ],
  members: {
    elementId: [
      life('is released by its own id, expires the one before and takes the next whole number'),
      product('%s: says 404 for an element that is not there'),
    ],
    transitionId: [
      transition('is named in any case and answers the version in its next state, in version 1.0 under values'),
      transition('is refused when there is none of that name, or not from this state, with those that there are'),
    ],
    ignoreWarnings: [
      release('with a warning is refused until the warning is to be ignored'),
      release('is refused without its mandatory values, each named, whatever is ignored'),
    ],
  },
  failures: {
    CONTENT_NOTFOUND: [notThere],
    CONTENT_CONFLICT: [
      transition('is refused when there is none of that name, or not from this state, with those that there are'),
      release('is refused without its mandatory values, each named, whatever is ignored'),
      atOnce('one of two wins, whatever they are, and the other is told why'),
    ],
    CONTENT_WARNING: [release('with a warning is refused until the warning is to be ignored')],
  },
};

export const proofsOfWrites: Readonly<Record<string, OperationProofs>> = {
  'content.elements.delete': deleteElement,
  'content.versions.create': createVersion,
  'content.transitions.list': listTransitions,
  'content.transitions.perform': performTransition,
};
