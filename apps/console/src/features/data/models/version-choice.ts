/** Versions of a model that can be chosen: the draft, and those that were published. */
import type { AnswerFor } from '../../../api/operations.js';

export type ModelVersions = AnswerFor<'listModelVersions'>;
export type VersionName = 'draft' | 'published' | number;

/** The draft first, then the newest. */
export const choosableVersions = ({
  draft,
  versions,
}: Pick<ModelVersions, 'draft' | 'versions'>): readonly VersionName[] => [
  ...(draft === undefined ? [] : ['draft' as const]),
  ...versions.map(({ version }) => version),
];

const publishedOf = ({ versions }: Pick<ModelVersions, 'versions'>): number | undefined =>
  versions.find(({ isPublished }) => isPublished)?.version;

/** The version that is meant, as it is called in lists: `published` is a number there. Undefined when there is none. */
const meant = (name: VersionName | undefined, found: ModelVersions): VersionName | undefined =>
  name === 'published' ? publishedOf(found) : choosableVersions(found).find((version) => version === name);

/** What is compared when nothing is asked for: what publishing the draft would change, else what the last publishing has changed. */
export const comparedVersions = (
  found: ModelVersions,
  from: VersionName | undefined,
  to: VersionName | undefined,
): { readonly from: VersionName | undefined; readonly to: VersionName | undefined } => {
  const all = choosableVersions(found);
  const last = meant(to, found) ?? all[0];
  const before = found.versions
    .map(({ version }) => version)
    .find((version) => version !== last && (typeof last !== 'number' || version < last));
  return { from: meant(from, found) ?? before, to: last };
};

/** What is shown when nothing is asked for: what people work on. */
export const shownVersion = (found: ModelVersions, asked: VersionName | undefined): VersionName | undefined =>
  meant(asked, found) ?? choosableVersions(found)[0];
