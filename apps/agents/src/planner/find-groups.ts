/** What to group by: what follows "by" or "which", the record that is listed, and dimensions named beside a KPI. */
import { allGroupsWords, interrogatives, groupingWords } from './cues.js';
import type { Mention } from './mention.js';
import type { Grain, Group } from './interpretation.js';
import type { Word } from './words.js';

type Grouping = { readonly isListed: boolean; readonly hasKpi: boolean; readonly grain: Grain | undefined };
type GroupMatches = { readonly groups: readonly Group[]; readonly besides: readonly Mention[] };

export const findGroups = (
  words: readonly Word[],
  mentions: readonly Mention[],
  { isListed: isListing, hasKpi, grain }: Grouping,
): GroupMatches => {
  const groups: Group[] = grain ? [{ kind: 'time', grain }] : [];
  const besides: Mention[] = [];
  let last = -9;
  for (const mention of mentions) {
    const group = groupOf(mention);
    if (!group) continue;
    const first = mention.places[0] ?? 0;
    const isListed = first - last <= 2 && isJoiningGap(words.slice(last + 1, first));
    const isGroup =
      hasGroupingWordBefore(words, first) ||
      (isListed && mention.kind !== 'condition') ||
      (hasKpi && isMeantAsGroup(mention, isListing && groups.length === 0));
    if (isGroup) {
      groups.push(group);
      last = mention.places.at(-1) ?? first;
    } else besides.push(mention);
  }
  return { groups, besides };
};

/** A dimension beside a figure is a group, a record only in a list; numbers and keys only when they are asked for. */
const isMeantAsGroup = (mention: Mention, isListing: boolean): boolean => {
  if (mention.kind === 'record') return isListing;
  if (mention.kind !== 'field') return false;
  return mention.options.some(({ type, id }) => type === 'string' && !/_NO$|_ID$/i.test(id));
};

const groupOf = (mention: Mention): Group | undefined => {
  if (mention.kind === 'record') return { kind: 'record', record: mention.record };
  if (mention.kind === 'field') return { kind: 'field', options: mention.options };
  if (mention.kind !== 'condition') return undefined;
  const flags = mention.options.flatMap(({ field, value }) => (value === true ? [field] : []));
  return flags.length > 0 ? { kind: 'field', options: flags } : undefined;
};

const isJoiningGap = (gap: readonly Word[]): boolean =>
  gap.length > 0 && gap.every(({ folded }) => ['and', 'und', 'sowie'].includes(folded));

/** Whether the words in front ask for one row of each. */
export const hasGroupingWordBefore = (words: readonly Word[], first: number): boolean => {
  const before = words.slice(Math.max(0, first - 3), first).map(({ folded }) => folded);
  const near = before.findLastIndex(
    (word) => groupingWords.has(word) || interrogatives.has(word) || allGroupsWords.has(word),
  );
  return (
    near >= 0 &&
    before
      .slice(near + 1)
      .every((word) =>
        /^(?:the|der|die|das|dem|den|\d+|zwei|drei|vier|funf|two|three|four|five|single|einzelne[mnrs]?)$/.test(word),
      )
  );
};
