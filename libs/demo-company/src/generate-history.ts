/**
 * Gives a draft its history: versions in their states, dates before "today", the people who own and released it, and the
 * gaps in its languages.
 */
import { formatDateTime, endOfTime } from '@tessera/content-model';
import type {
  AttributeValues,
  ContentDocument,
  ElementDocument,
  RelationTargets,
  VersionDocument,
} from '@tessera/contracts';
import {
  toLocalisedText,
  type DemoElement,
  type Language,
  type Translations,
  type DemoElementVersion,
} from './draft.js';
import { createRandomSource, type RandomSource } from './seeded.js';

export type HistoryOptions = {
  /** Ids of users; nobody owns anything when there are none. */
  readonly people: readonly string[];
  readonly isVersioned: (type: string) => boolean;
  /** Languages that the storage does not have. */
  readonly absent: readonly Language[];
};

/** 2026-06-30, the "today" of the demo. */
const today = Date.UTC(2026, 5, 30);
const dayMs = 86_400_000;

/** Every twelfth element of a facet has no German, every fifth no Spanish. */
const missingLanguages = (ordinal: number): readonly Language[] => [
  ...(ordinal % 12 === 7 ? (['de'] as const) : []),
  ...(ordinal % 5 === 3 ? (['es'] as const) : []),
];

/** `ordinal`: the place in the facet, from 0. */
export const generateElementWithHistory = (
  draft: DemoElement,
  ordinal: number,
  around: HistoryOptions,
): ElementDocument => {
  const draw = createRandomSource(draft.id);
  const missing = [...around.absent, ...(draft.history ? [] : missingLanguages(ordinal))];
  const head = { id: draft.id, type: draft.type, ...(draft.parent !== undefined && { parent: draft.parent }) };
  const began = draw.whole(120, 1_400);
  if (!around.isVersioned(draft.type)) {
    const changed = draw.whole(1, began - 60);
    return {
      ...head,
      ...(draft.hidden && { state: 'hide' }),
      attributes: { ...nameAttributes(draft, missing), ...draft.attributes, ...dateAttributes(began, changed, draw) },
      ...(draft.relations && { relations: draft.relations }),
      ...(draft.content && { content: [...draft.content] }),
    };
  }
  const history = draft.history ?? pickHistory(draw);
  const versions = history.map((planned, index) =>
    generateVersion({ draft, history, index, planned, began, missing, draw, around }),
  );
  const [only] = versions;
  if (versions.length > 1 || !only) return { ...head, versions };
  return { ...head, ...only };
};

type VersionContext = {
  readonly draft: DemoElement;
  readonly history: readonly DemoElementVersion[];
  readonly index: number;
  readonly planned: DemoElementVersion;
  readonly began: number;
  readonly missing: readonly Language[];
  readonly draw: RandomSource;
  readonly around: HistoryOptions;
};

const generateVersion = (context: VersionContext): VersionDocument => {
  const { draft, history, index, planned, began, missing, draw } = context;
  // Each version has its own stretch of the time from the beginning to today.
  const created = Math.ceil((began * (history.length - index)) / history.length);
  const next = Math.ceil((began * (history.length - index - 1)) / history.length);
  const changed = created - draw.whole(1, 20);
  const released = ['released', 'requestToExpire', 'expired'].includes(planned.state);
  const content = contentOf(draft, index, history.length);
  return {
    version: planned.version,
    state: planned.state,
    attributes: {
      ...nameAttributes({ ...draft, name: planned.name ?? draft.name }, missing),
      ...draft.attributes,
      ...dateAttributes(created, changed, draw),
      ...(released && validityAttributes(planned.state, changed, Math.max(next, 30))),
      ...(index > 0 && { reasonForRevision: toLocalisedText(draw.pick(changeReasons), missing) }),
    },
    relations: { ...draft.relations, ...peopleOf(context, released) },
    ...(content && { content }),
  };
};

const nameAttributes = (draft: DemoElement, missing: readonly Language[]): AttributeValues => ({
  name: toLocalisedText(draft.name, missing),
  ...(draft.description && { description: toLocalisedText(draft.description, missing) }),
});

/** A first version is simpler than what came after it. */
const contentOf = (draft: DemoElement, index: number, count: number): ContentDocument[] | undefined =>
  draft.content &&
  (count > 1 && index === 0 ? draft.content.filter(({ type }) => type !== 'decision') : [...draft.content]);

const dateAttributes = (created: number, changed: number, draw: RandomSource): AttributeValues => ({
  createdOn: daysAgo(created, draw.whole(420, 720)),
  changedOn: daysAgo(changed, draw.whole(721, 1_080)),
});

const validityAttributes = (state: string, released: number, ended: number): AttributeValues => ({
  relOn: daysAgo(released, 1_081),
  validFrom: daysAgo(released - 1),
  validUntil: state === 'expired' ? daysAgo(ended) : state === 'released' ? endOfTime : daysAgo(-92),
});

const daysAgo = (days: number, minutes = 0): string =>
  formatDateTime(new Date(today - days * dayMs + minutes * 60_000));

const peopleOf = ({ draft, planned, draw, around }: VersionContext, released: boolean): RelationTargets => {
  const { people } = around;
  if (people.length === 0) return {};
  const owner = { owner: [draw.pick(people)] };
  if (draft.plain) return draft.type === 'process' || draw.chance(0.25) ? owner : {};
  const author = draw.pick(people);
  const further = people.filter((person) => person !== author);
  const reviewed = planned.state !== 'inProcess' && draw.chance(0.6);
  return {
    ...owner,
    ...(draft.type === 'process' && { qualityManager: [draw.pick(people)] }),
    ...(reviewed && { reviewer: [draw.pick(people)] }),
    ...(further.length > 0 && draw.chance(0.25) && { secondaryAuthors: [draw.pick(further)] }),
    ...(released && { relBy: [draw.pick(people)] }),
    createdBy: [author],
    changedBy: [draw.pick(people)],
    author: [author],
  };
};

const pickHistory = (draw: RandomSource): readonly DemoElementVersion[] => {
  let rest = draw.whole(1, 100);
  for (const { share, history } of histories) {
    rest -= share;
    if (rest <= 0) return history;
  }
  return [{ version: '1.0', state: 'released' }];
};

/** Shares in percent; what is left of a hundred was released once and for all. */
const histories: readonly { readonly share: number; readonly history: readonly DemoElementVersion[] }[] = [
  {
    share: 10,
    history: [
      { version: '1.0', state: 'expired' },
      { version: '2.0', state: 'released' },
    ],
  },
  {
    share: 6,
    history: [
      { version: '1.0', state: 'released' },
      { version: '1.1', state: 'inProcess' },
    ],
  },
  { share: 10, history: [{ version: '0.1', state: 'inProcess' }] },
  { share: 7, history: [{ version: '0.1', state: 'inReview' }] },
  { share: 4, history: [{ version: '0.1', state: 'readyForQa' }] },
  { share: 4, history: [{ version: '0.1', state: 'readyForRelease' }] },
  { share: 4, history: [{ version: '1.0', state: 'requestToExpire' }] },
  { share: 5, history: [{ version: '1.0', state: 'expired' }] },
];

const changeReasons: readonly Translations[] = [
  { en: 'New approval limits', de: 'Neue Freigabegrenzen', es: 'Nuevos límites de aprobación' },
  { en: 'Findings of the last audit', de: 'Feststellungen des letzten Audits', es: 'Hallazgos de la última auditoría' },
  { en: 'Change of the system', de: 'Systemwechsel', es: 'Cambio de sistema' },
  { en: 'Merged with the process of another plant', de: 'Mit dem Ablauf eines anderen Werkes vereint' },
  { en: 'Shortened after a review', de: 'Nach einer Durchsicht gekürzt', es: 'Abreviado tras una revisión' },
];
