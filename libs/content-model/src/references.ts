/** Where an element document refers to others. */
import type { ElementDocument, RelationTargets } from '@tessera/contracts';

export type LocatedReference = {
  /** The member, e.g. `versions.0.relations.owner.1`. */
  readonly path: string;
  /** As the document spells it. */
  readonly relation: string;
  readonly target: string;
};

/** The relations of the element, of its versions, and of what they contain. */
export const collectReferences = (document: ElementDocument): readonly LocatedReference[] => {
  const versions = document.versions?.map((version, index) => ({ version, at: `versions.${index}.` })) ?? [
    { version: document, at: '' },
  ];
  return versions.flatMap(({ version, at }) => [
    ...targetsAt(`${at}relations`, version.relations),
    ...(version.content ?? []).flatMap(({ relations }, index) =>
      targetsAt(`${at}content.${index}.relations`, relations),
    ),
  ]);
};

const targetsAt = (path: string, relations: RelationTargets = {}): readonly LocatedReference[] =>
  Object.entries(relations).flatMap(([relation, targets]) =>
    targets.map((target, index) => ({ path: `${path}.${relation}.${index}`, relation, target })),
  );
