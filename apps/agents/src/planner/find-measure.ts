/** What a question asks for when it names no KPI: the number of rows of a record, a number of its rows aggregated, or the rows. */
import { isCommonVerb, isIgnoredWord, isLimitWord } from './cues.js';
import type { FieldFunction, Interpretation } from './interpretation.js';
import { type Mention, isCountKpi } from './mention.js';
import type { Field, Kpi, RecordEntry, Vocabulary } from './vocabulary.js';
import { type Word, nameStems } from './words.js';

/** Names of filters hold the record that they are of: "blocked invoices" are invoices. */
export const findRecordsUnder = (
  words: readonly Word[],
  { places }: Pick<Mention, 'places'>,
  { records }: Vocabulary,
): readonly { readonly record: RecordEntry; readonly place: number }[] =>
  records.flatMap((record) => {
    const found = places.filter((place) =>
      record.variants.some((stems) => stems.length === 1 && stems[0] === words[place]?.stem),
    );
    return found.map((place) => ({ record, place }));
  });

const headDistanceMax = 5;

/** The record that the words from `start` on are about; nothing else may be named before it but what its rows are like. */
export const findHead = (
  words: readonly Word[],
  mentions: readonly Mention[],
  vocabulary: Vocabulary,
  start: number,
): RecordEntry | undefined => {
  let flagged: RecordEntry | undefined;
  for (let place = start; place < Math.min(words.length, start + headDistanceMax); place++) {
    const word = words[place];
    const mention = mentions.find(({ places }) => places.includes(place));
    if (mention?.kind === 'record') return mention.record;
    if (mention?.kind === 'filter' || mention?.kind === 'condition') {
      const [under] = findRecordsUnder(words, mention, vocabulary);
      if (under) return under.record;
      flagged ??= mention.kind === 'condition' ? recordOfFlag(mention, vocabulary) : undefined;
      continue;
    }
    if (mention) return flagged;
    if (word && !isIgnoredWord(word) && !isCommonVerb(word) && !isLimitWord(word)) return flagged;
  }
  return flagged;
};

/** What is only called by a flag: framework orders in one word. */
const recordOfFlag = (
  mention: Mention & { readonly kind: 'condition' },
  { records }: Vocabulary,
): RecordEntry | undefined => {
  const of = new Set(mention.options.map(({ field, value }) => (value === true ? field.record : '')));
  return of.size === 1 ? records.find(({ id }) => of.has(id)) : undefined;
};

/** As a figure of load-data. */
export const countRows = (record: RecordEntry): Kpi => ({
  ...{ id: `count(${record.id})`, name: record.name, description: '', variants: [], texts: [], direction: 'None' },
  ...{ format: ',', records: [record.id] },
});

export const aggregateField = (field: Field, name: FieldFunction, title: string): Kpi => ({
  ...{
    id: `${name}(${field.id})`,
    name: title,
    description: '',
    variants: [],
    texts: [],
    direction: 'None',
  },
  ...(name !== 'sum' && field.unit === undefined ? { format: ',.2f' } : { format: field.format }),
  ...{ unit: field.unit, records: [field.record] },
});

export const isNumber = ({ type }: Pick<Field, 'type'>): boolean => type === 'integer' || type === 'float';
const isMoney = ({ unit }: Pick<Field, 'unit'>): boolean => /^[A-Z]{3}$/.test(unit ?? '');

/** Money and counts: what they are of is added up, and its average another figure. */
export const isSum = (kpi: Kpi): boolean =>
  isMoney(kpi) || isCountKpi(kpi) || kpi.id.startsWith('count(') || (kpi.unit === undefined && kpi.format === ',');

/** A number of many rows that is meant as their sum when nothing else is said. */
export const isAddedUp = (field: Field): boolean =>
  isMoney(field) && ![field.id, ...field.texts].some((text) => /price|preis/i.test(text));

export const findFunction = ({ intents }: Pick<Interpretation, 'intents'>): FieldFunction | undefined => {
  if (intents.has('median')) return 'median';
  if (intents.has('maximum')) return 'max';
  if (intents.has('minimum')) return 'min';
  if (intents.has('average')) return 'avg';
  return intents.has('sum') ? 'sum' : undefined;
};

/**
 * The numbers by which rows are large: money that is called an amount, the plainest name first; else the only number that there is. Several
 * where the model does not say which.
 */
export const findSizeFields = ({ fields, identifier }: RecordEntry): readonly Field[] => {
  const numbers = fields.filter(
    (field) => isNumber(field) && !identifier.includes(field.id) && !/_(?:NO|ID|COUNT)$/i.test(field.id),
  );
  const money = numbers.filter(isAddedUp);
  const isAmount = ({ texts: [name = ''] }: Field): boolean => nameStems(name).at(-1) === '~value';
  const whole = money.filter((field) => isAmount(field) && /total|gesamt/i.test(field.texts[0] ?? ''));
  const amounts = money.filter(isAmount);
  const plain = amounts.filter(({ texts: [name = ''] }) => nameStems(name).length === 1);
  const usual = amounts.filter(({ id }) => /NET_|GROSS_/i.test(id.slice(id.lastIndexOf('.') + 1)));
  const found = [whole, plain, usual, amounts, money].find((each) => each.length > 0);
  if (found) return found;
  const priced = numbers.filter(isMoney);
  if (priced.length > 0) return priced;
  return numbers.length === 1 ? numbers : [];
};

/** "Order value" is of orders: the record whose name ends with the word that the KPI's begins with. */
export const findRecordOfKpi = (kpi: Kpi, { records }: Vocabulary): RecordEntry | undefined => {
  const own = kpi.records[0];
  const near = records.filter(({ id }) => id === own || records.find((each) => each.id === own)?.leadsTo.includes(id));
  const begins = kpi.variants.map(([first = '']) => first);
  return near.find(({ variants }) => variants.some((stems) => stems.length === 1 && begins.includes(stems[0] ?? '')));
};

/** How many rows of a record the rows of another belong to; undefined when no key says so. */
export const countOwners = (home: RecordEntry, owner: RecordEntry): Kpi | undefined => {
  if (home.id === owner.id) return countRows(owner);
  const [key, ...others] = owner.identifier;
  const name = key?.slice(owner.id.length + 1);
  const field = home.fields.find(({ id }) => id === `${home.id}.${name}`);
  if (!field || others.length > 0) return undefined;
  return { ...countRows(owner), id: `count(distinct ${field.id})`, records: [home.id] };
};
