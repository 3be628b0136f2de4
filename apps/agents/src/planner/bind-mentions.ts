/**
 * Binds what a question mentions: "suppliers in Germany" is the country of the supplier, "blocked invoices" a flag of the invoice,
 * "plant 2010" a plant. A noun binds what stands beside it; what it has no field for stays unbound.
 */
import { findSizeFields, isNumber } from './find-measure.js';
import { hasGroupingWordBefore } from './find-groups.js';
import type { Mention } from './mention.js';
import type { Refusal } from './plan.js';
import type { Field, RecordEntry } from './vocabulary.js';
import type { Word } from './words.js';

const linkingWords = new Set(
  `of the a an des der die das dem den vom von no nr number nummer is ist was were war waren called named namens from aus in im are sind kommen
sitzen located live lives wohnen wohnt based with mit bei at that which who die s have has been haben hat wurden worden liegen liegt`.split(
    /\s+/,
  ),
);

/** Mentions with nothing of meaning between them. */
const areNeighbours = (words: readonly Word[], left: Mention, right: Mention): boolean => {
  const [first, second] = (left.places[0] ?? 0) < (right.places[0] ?? 0) ? [left, right] : [right, left];
  const gap = words.slice((first.places.at(-1) ?? 0) + 1, second.places[0] ?? 0);
  return gap.length <= 3 && gap.every(({ folded }) => linkingWords.has(folded) || negationWords.has(folded));
};

const negationWords = new Set('not nicht'.split(' '));

type Binding = {
  readonly mentions: readonly Mention[];
  /** Those that only say whose field is meant. */
  readonly owners: ReadonlySet<Mention>;
  /** A flag of another record than that of the noun beside it. */
  readonly foreign: Refusal | undefined;
};

export const bindMentions = (words: readonly Word[], mentions: readonly Mention[]): Binding => {
  const owners = new Set<Mention>();
  let foreign: Refusal | undefined;
  const bound = mentions.map((mention): Mention => {
    const besides = besidesInOrder(words, mentions, mention);
    if (mention.kind === 'field') {
      for (const other of besides) {
        const options = mention.options.filter((field) => isFieldOf(field, other, false));
        if (options.length === 0) continue;
        if (other.kind === 'field' && !isBehindOf(words, mention, other)) continue;
        if (
          !hasGroupingWordBefore(words, other.places[0] ?? 0) ||
          isNextTo(other, mention) ||
          isBehindOf(words, mention, other)
        )
          owners.add(other);
        return { ...mention, options, places: sortPlaces([...mention.places, ...other.places]) };
      }
      const noun = besides.find((other) => other.kind === 'record' && isBehindOf(words, mention, other));
      if (noun?.kind !== 'record' || noun.record.leadsTo.length === 0 || !mention.options.some(isNumber))
        return mention;
      // "The value of invoices" is one of their amounts, and no amount of payments.
      const isAnyAmount = mention.places.every((place) => words[place]?.stem === '~value');
      const sizes = isAnyAmount ? findSizeFields(noun.record) : [];
      if (sizes.length === 0) foreign ??= { why: 'not-of-rows', what: mention.options[0], home: noun.record.name };
      else owners.add(noun);
      return sizes.length === 0 ? mention : { ...mention, options: sizes };
    }
    if (mention.kind !== 'condition') return mention;
    for (const other of besides) {
      const options = mention.options.filter(({ field }) => isFieldOf(field, other, true));
      const flags = options.length > 0 || other.kind !== 'record' ? [] : flagsOf(other.record, words, mention);
      const found = options.length > 0 ? options : flags;
      if (found.length === 0) continue;
      const isGroup = hasGroupingWordBefore(words, Math.min(...other.places)) && !isNextTo(other, mention);
      if (!isGroup) owners.add(other);
      return { ...mention, options: preferFlags(found) };
    }
    const [noun] = besides.filter(({ kind }) => kind === 'record');
    const texts = mention.options.filter(({ value }) => value !== true);
    const [flag] = mention.options;
    if (noun?.kind === 'record' && texts.length === 0)
      foreign ??= { why: 'not-of-rows', what: flag?.field, home: noun.record.name };
    return mention;
  });
  for (const mention of mentions)
    if (mention.kind === 'field' && mentions.some((other) => owners.has(other) && isSameNoun(words, mention, other)))
      owners.add(mention);
  return { mentions: bindAlike(words, bound), owners, foreign };
};

/** The noun behind an adjective comes first, then the one in front. */
const besidesInOrder = (words: readonly Word[], mentions: readonly Mention[], mention: Mention): readonly Mention[] => {
  const others = mentions.filter(
    (other) =>
      other !== mention && (other.kind === 'record' || other.kind === 'field') && areNeighbours(words, other, mention),
  );
  const first = mention.places[0] ?? 0;
  const distance = (other: Mention): number => {
    const at = other.places[0] ?? 0;
    return at > first ? at - (mention.places.at(-1) ?? 0) - 0.5 : first - (other.places.at(-1) ?? 0);
  };
  return others.toSorted((left, right) => distance(left) - distance(right));
};

const isBehindOf = (words: readonly Word[], mention: Mention, other: Mention): boolean => {
  const gap = words.slice((mention.places.at(-1) ?? 0) + 1, other.places[0] ?? 0).map(({ folded }) => folded);
  return gap.includes('of') || gap.includes('des') || gap.includes('der');
};

const isFieldOf = (field: Field, other: Mention, isValue: boolean): boolean => {
  if (other.kind === 'record') return field.record === other.record.id;
  if (other.kind !== 'field') return false;
  if (isValue && other.options.some(({ id }) => id === field.id)) return true;
  const isOfText = other.options.some(({ type }) => type === 'string');
  const records = new Set(other.options.map(({ record }) => record));
  // The country of the plant stands where the plant stands.
  return isOfText && !other.options.some(({ name }) => name === field.name) && records.has(field.record);
};

/** A flag of the record that says more than the word: "late goods receipts" are those that were posted late. */
const flagsOf = (record: RecordEntry, words: readonly Word[], mention: Mention) => {
  const stems = mention.places.map((place) => words[place]?.stem ?? '');
  const flags = record.fields.filter(
    ({ type, variants }) =>
      type === 'boolean' && variants.some((variant) => stems.every((stem) => variant.includes(stem))),
  );
  return flags.length === 1 ? flags.map((field) => ({ field, value: true as const })) : [];
};

/** What the model says of a row comes before a text in its tables. */
const preferFlags = <Option extends { readonly value: unknown }>(options: readonly Option[]): readonly Option[] => {
  const flags = options.filter(({ value }) => value === true);
  return flags.length > 0 ? flags : options;
};

/** "Werk plant 2010": a word of the team that stands for a noun, behind the noun. */
const isSameNoun = (words: readonly Word[], left: Mention, right: Mention): boolean =>
  left.kind === 'field' &&
  right.kind === 'field' &&
  areNeighbours(words, left, right) &&
  left.options.every(({ id }) => right.options.some((option) => option.id === id));

const conjunctions = new Set('and or und oder sowie vs versus gegen'.split(' '));

/** "From Germany and Spain": the second is of the same field as the first. */
const bindAlike = (words: readonly Word[], mentions: readonly Mention[]): readonly Mention[] =>
  mentions.reduce((list: readonly Mention[], mention) => {
    const before = list.at(-1);
    if (mention.kind !== 'condition' || before?.kind !== 'condition') return [...list, mention];
    const gap = words.slice((before.places.at(-1) ?? 0) + 1, mention.places[0] ?? 0);
    const fields = new Set(before.options.map(({ field }) => field.id));
    const alike = mention.options.filter(({ field }) => fields.has(field.id));
    const isJoined = gap.length <= 2 && gap.some(({ folded }) => conjunctions.has(folded)) && alike.length > 0;
    return [...list, isJoined ? { ...mention, options: alike } : mention];
  }, []);

const sortPlaces = (places: readonly number[]): readonly number[] => places.toSorted((left, right) => left - right);

const isNextTo = (left: Mention, right: Mention): boolean =>
  left.places.some((place) => right.places.includes(place + 1) || right.places.includes(place - 1));
