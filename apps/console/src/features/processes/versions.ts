/** The versions of an element as a page lists them. */
import { neutralText, neutralValue, readElements, type ContentElement } from './content-element.js';
import { toInstant } from './moments.js';

export type ElementVersion = {
  readonly id: string;
  readonly number: string;
  readonly state: string;
  readonly changedOn: string | undefined;
  /** The valid one: what the address of the element means. */
  readonly isReleased: boolean;
  readonly element: ContentElement;
};

/** When it was changed, or else made; undefined when nobody has said that. */
export const changedOnOf = (element: ContentElement): string | undefined => {
  const text = neutralText(element, 'changedOn') || neutralText(element, 'createdOn');
  return text === '' ? undefined : toInstant(text);
};

/** The newest first. */
export const readVersions = (answer: { readonly elements?: unknown }): readonly ElementVersion[] =>
  readElements(answer.elements)
    .map((element) => ({
      id: element.versionId ?? element.id,
      number: neutralText(element, 'version'),
      state: element.state,
      changedOn: changedOnOf(element),
      isReleased: neutralValue(element, 'isReleased') === true && element.state === 'released',
      element,
    }))
    .toReversed();

const draftStates = ['inProcess', 'inReview', 'readyForQa', 'readyForRelease'];

/** The one that is not released yet: an element has one at most, and none can be begun beside it. */
export const draftOf = (versions: readonly ElementVersion[]): ElementVersion | undefined =>
  versions.find(({ state }) => draftStates.includes(state));

/** The versions to compare: those of the address, else the newest with the one before it; undefined where there is one. */
export const chooseVersions = (
  versions: readonly ElementVersion[],
  from: string | undefined,
  to: string | undefined,
): { readonly before: ElementVersion; readonly after: ElementVersion } | undefined => {
  const find = (id: string | undefined) => versions.find((version) => version.id === id);
  const after = find(to) ?? versions[0];
  const before = find(from) ?? versions[versions.findIndex((version) => version === after) + 1] ?? versions.at(-1);
  return before === undefined || after === undefined || versions.length < 2 ? undefined : { before, after };
};
