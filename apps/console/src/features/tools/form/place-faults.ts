/** Shows what is wrong with arguments where it is: at the field, or at the nearest thing around it that is shown. */
import type { Draft } from './draft.js';

export type ArgumentFault = {
  /** Names and numbers with dots between; empty for the whole. */
  readonly path: string;
  readonly message: string;
};

/** What was found wrong with a draft. */
export type Judgement = { readonly draft: Draft; readonly faults: readonly ArgumentFault[] };

export type PlacedFaults = {
  /** Path -> what is said there. */
  readonly atFields: ReadonlyMap<string, string>;
  /** Of the whole, or of what the form does not show. */
  readonly elsewhere: readonly ArgumentFault[];
};

/** All that is shown, by its path. */
const placesOf = (draft: Draft, path: readonly string[] = []): readonly (readonly [path: string, draft: Draft])[] => {
  const own = [path.join('.'), draft] as const;
  switch (draft.kind) {
    case 'object':
      return [
        own,
        ...draft.members.flatMap((member, at) => placesOf(member, [...path, draft.node.members[at]?.name ?? ''])),
      ];
    case 'list':
      return [own, ...draft.entries.flatMap((entry, at) => placesOf(entry.draft, [...path, String(at)]))];
    case 'alternatives': {
      const chosen = draft.chosen === undefined ? undefined : draft.drafts[draft.chosen];
      return chosen === undefined ? [own] : placesOf(chosen, path);
    }
    case 'text':
    case 'number':
    case 'flag':
    case 'choice':
    case 'json':
      return [own];
  }
};

/** What has been changed since is not judged any more. */
export const placeFaults = (judgement: Judgement | undefined, now: Draft): PlacedFaults => {
  if (judgement === undefined) return { atFields: new Map(), elsewhere: [] };
  const before = new Map(placesOf(judgement.draft));
  const after = new Map(placesOf(now));
  const atFields = new Map<string, string>();
  const elsewhere: ArgumentFault[] = [];
  for (const { path, message } of judgement.faults) {
    const place = placeOf(path, before);
    if (place === '') elsewhere.push({ path, message });
    else if (before.get(place) === after.get(place)) {
      const rest = path.slice(place.length + 1);
      const words = rest === '' ? message : `${rest}: ${message}`;
      atFields.set(place, [atFields.get(place), words].filter((each) => each !== undefined).join('\n'));
    }
  }
  return { atFields, elsewhere };
};

/** The longest path that is shown and holds the one that is wrong; empty when there is none. */
const placeOf = (path: string, places: ReadonlyMap<string, Draft>): string => {
  let longest = '';
  for (const place of places.keys())
    if ((path === place || path.startsWith(`${place}.`)) && place.length > longest.length) longest = place;
  return longest;
};
