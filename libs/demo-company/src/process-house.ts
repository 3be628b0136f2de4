/**
 * The process house as drafts, in tree order: areas, groups, processes, activities, tasks. The large demo repeats it
 * for each site.
 */
import { purchaseRows } from './data/house-purchase.js';
import { sourceRows } from './data/house-source.js';
import { supplierRows } from './data/house-suppliers.js';
import { nounRows, verbRows } from './data/words.js';
import type { DemoElement, Translations, DemoElementVersion } from './draft.js';
import { createProcessDiagram } from './process-diagram.js';
import { createRandomSource } from './seeded.js';
import { getCell, splitCommaList, readRows, toSlug, getTranslations, type TextRow } from './text-table.js';

type HouseOptions = {
  /** Element -> documents; only of the house itself. */
  readonly documentsOf: ReadonlyMap<string, readonly string[]>;
  /** Process -> ids of the key figures that measure it. */
  readonly figuresOf: ReadonlyMap<string, readonly string[]>;
};

type Site = { readonly key: string; readonly name: string };

/** The container with an expired, a released and an in-process version. */
export const threeVersionsElementId = 'p2p.invoice-verification';

type Place = {
  readonly site: Site | undefined;
  readonly options: HouseOptions;
  area: string | undefined;
  group: string | undefined;
};

export const generateProcessHouseElements = function* (options: HouseOptions, site?: Site): Generator<DemoElement> {
  const place: Place = { site, options, area: site && siteId(site), group: undefined };
  if (site) yield { id: siteId(site), type: 'processArea', name: siteTexts({ en: '' }, site) };
  for (const step of houseSteps) {
    if (step.kind === 'process') yield* processDrafts(step, place);
    else yield structureDraft(step, place);
  }
};

/** What each role executes. */
export const collectExecutedStepsByRole = (): ReadonlyMap<string, readonly string[]> => {
  const executed = new Map<string, string[]>();
  for (const step of houseSteps)
    if (step.kind === 'process')
      executed.set(step.role, [
        ...(executed.get(step.role) ?? []),
        step.id,
        ...step.activities.map(({ key }) => `${step.id}.${key}`),
      ]);
  return executed;
};

type Step = StructureStep | ProcessStep;
type StructureStep = {
  readonly kind: 'area' | 'group';
  readonly id: string;
  readonly name: Translations;
  readonly description: Translations;
};
export type ProcessStep = {
  readonly kind: 'process';
  readonly id: string;
  readonly name: Translations;
  readonly description: Translations;
  readonly role: string;
  readonly systems: readonly string[];
  readonly activities: readonly Activity[];
};
type Activity = ProcessAction & { readonly tasks: readonly ProcessAction[] };
type ProcessAction = { readonly key: string; readonly name: Translations; readonly description: Translations };

const siteId = (site: Site): string => `site.${site.key}`;
const idIn = (id: string, { site }: Place): string => (site ? `${site.key}.${id}` : id);

const siteTexts = (texts: Translations, site: Site | undefined): Translations => {
  if (!site) return texts;
  const placed = (text: string): string => (text === '' ? site.name : `${text}, ${site.name}`);
  return {
    en: placed(texts.en),
    ...(texts.de !== undefined && { de: placed(texts.de) }),
    ...(texts.es !== undefined && { es: placed(texts.es) }),
  };
};

const structureDraft = (step: StructureStep, place: Place): DemoElement => {
  const id = idIn(step.id, place);
  const parent = step.kind === 'group' ? place.area : place.site && siteId(place.site);
  if (step.kind === 'area') place.area = id;
  else place.group = id;
  return {
    id,
    type: step.kind === 'area' ? 'processArea' : 'processGroup',
    ...(parent !== undefined && { parent }),
    name: siteTexts(step.name, place.site),
    description: step.description,
  };
};

const processDrafts = function* (step: ProcessStep, place: Place): Generator<DemoElement> {
  const id = idIn(step.id, place);
  const draw = createRandomSource(`process ${id}`);
  const own = place.site === undefined;
  const documents = place.options.documentsOf.get(id) ?? [];
  const figures = place.options.figuresOf.get(id) ?? [];
  yield {
    id,
    type: 'process',
    ...(place.group !== undefined && { parent: place.group }),
    name: siteTexts(step.name, place.site),
    description: step.description,
    attributes: {
      critical: draw.chance(0.2),
      casesPerYear: draw.whole(2, 900) * 10,
      ...(own && { links: [{ title: 'Process page', url: `https://house.meridian.example/${id}` }] }),
    },
    ...(own && {
      relations: {
        uses: step.systems.map((system) => `it.${system}`),
        ...(documents.length > 0 && { describedBy: [...documents] }),
        ...(figures.length > 0 && { measuredBy: [...figures] }),
      },
      content: createProcessDiagram(step),
    }),
    ...(!own && { plain: true }),
    ...(fixedHistories[id] && { history: fixedHistories[id] }),
  };
  for (const activity of step.activities) {
    const draft = actionDraft('activity', id, activity, place);
    const [system] = own ? step.systems : [];
    yield { ...draft, ...(system !== undefined && { relations: { uses: [`it.${system}`] } }) };
    for (const task of activity.tasks) yield actionDraft('task', draft.id, task, place);
  }
};

/** Sites are many; their activities are described in one language and are nobody's in particular. */
const actionDraft = (
  type: 'activity' | 'task',
  parent: string,
  action: ProcessAction,
  { site }: Place,
): DemoElement => {
  const id = `${parent}.${action.key}`;
  const draw = createRandomSource(`deed ${id}`);
  return {
    id,
    type,
    parent,
    name: action.name,
    description: site ? { en: action.description.en } : action.description,
    attributes: { automated: draw.chance(0.3), minutes: draw.whole(1, 18) * 5 },
    ...(site && { plain: true }),
  };
};

const fixedHistories: Readonly<Record<string, readonly DemoElementVersion[]>> = {
  [threeVersionsElementId]: [
    {
      version: '1.0',
      state: 'expired',
      name: { en: 'Check invoices', de: 'Rechnungen kontrollieren', es: 'Revisar facturas' },
    },
    { version: '2.0', state: 'released' },
    {
      version: '2.1',
      state: 'inProcess',
      name: {
        en: 'Verify invoices automatically',
        de: 'Rechnungen automatisch prüfen',
        es: 'Verificar facturas automáticamente',
      },
    },
  ],
  'p2p.order-to-receipt.create-order': [{ version: '1.0', state: 'released' }],
};

const verbRowByName = new Map(readRows(verbRows).map((row) => [getCell(row, 0), row]));
const nounRowByName = new Map(readRows(nounRows).map((row) => [getCell(row, 0), row]));

/** `check budget`: the verb is the first word. */
const readAction = (words: string): ProcessAction => {
  const [first = '', ...rest] = words.trim().split(' ');
  const [verb, noun] = [verbRowByName.get(first), nounRowByName.get(rest.join(' '))];
  if (!verb || !noun) throw new Error(`The words of the demo do not have "${words}".`);
  const objects: Translations = getTranslations(noun, 1);
  const sentence = (index: number, object: string | undefined): string => {
    const text = getCell(verb, index).replace('{o}', object ?? '');
    return text.slice(0, 1).toUpperCase() + text.slice(1);
  };
  return {
    key: toSlug(words),
    name: {
      en: `${getCell(verb, 1)} ${getCell(noun, 0)}`,
      de: capitalise(`${withoutArticle(getCell(noun, 2))} ${getCell(verb, 2)}`),
      es: `${getCell(verb, 3)} ${getCell(noun, 3)}`,
    },
    description: { en: sentence(4, objects.en), de: sentence(5, objects.de), es: sentence(6, objects.es) },
  };
};

const withoutArticle = (german: string): string => german.replace(/^(?:der|die|das|den) /, '');
const capitalise = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const readActivity = (row: TextRow): Activity => {
  const [words = '', tasks = ''] = getCell(row, 0).split(':');
  return { ...readAction(words), tasks: splitCommaList(tasks).map(readAction) };
};

const readHouse = (table: string): readonly Step[] => {
  const steps: Step[] = [];
  const activities: Activity[][] = [];
  for (const row of readRows(table)) {
    const [kind, id] = getCell(row, 0).split(' ');
    if (id !== undefined && (kind === 'area' || kind === 'group'))
      steps.push({ kind, id, name: getTranslations(row, 1), description: getTranslations(row, 4) });
    else if (id !== undefined && kind === 'process') {
      const own: Activity[] = [];
      activities.push(own);
      steps.push({
        kind,
        id,
        name: getTranslations(row, 1),
        description: getTranslations(row, 4),
        role: getCell(row, 7),
        systems: splitCommaList(getCell(row, 8)),
        activities: own,
      });
    } else activities.at(-1)?.push(readActivity(row));
  }
  return steps;
};

const houseSteps: readonly Step[] = [sourceRows, purchaseRows, supplierRows].flatMap(readHouse);
