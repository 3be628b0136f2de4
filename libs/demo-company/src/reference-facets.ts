/**
 * Roles, risks with controls, systems, documents and key figures as drafts. In each table a row with a group opens a
 * group, the rows behind it stand under it.
 */
import type { AttributeValues } from '@tessera/contracts';
import { documentRows, figureRows, riskRows } from './data/risks-and-figures.js';
import { roleRows, systemRows } from './data/roles-and-systems.js';
import type { Draft } from './draft.js';
import { people } from './organization.js';
import type { P2pTruths } from './p2p-data/truths.js';
import { executedBy } from './process-house.js';
import { cellOf, numberOf, readRows, slugOf, textsOf, type Row } from './text-table.js';

const kindOf = (row: Row): string => cellOf(row, 0).split(' ')[0] ?? '';
const keyOf = (row: Row): string => cellOf(row, 0).split(' ').slice(1).join(' ');
const english = (row: Row, index: number) => ({ en: cellOf(row, index) });

/** Every row with the key of the group it stands under. */
const grouped = function* (table: string, group: string): Generator<{ readonly row: Row; readonly under: string }> {
  let under = '';
  for (const row of readRows(table)) {
    if (kindOf(row) === group) under = keyOf(row);
    yield { row, under };
  }
};

export const roleDrafts = function* (): Generator<Draft> {
  const executed = executedBy();
  for (const { row, under } of grouped(roleRows, 'group')) {
    const key = keyOf(row);
    if (kindOf(row) === 'group') yield { id: `roles.${key}`, type: 'roleGroup', name: textsOf(row, 1) };
    else
      yield {
        id: `role.${key}`,
        type: 'role',
        parent: `roles.${under}`,
        name: textsOf(row, 1),
        description: english(row, 4),
        attributes: { headcount: people.filter(({ role }) => role === key).length },
        relations: { executes: [...(executed.get(key) ?? [])] },
      };
  }
};

export const systemDrafts = function* (): Generator<Draft> {
  for (const { row, under } of grouped(systemRows, 'group')) {
    const parent = `systems.${under}`;
    const id = `it.${keyOf(row)}`;
    if (kindOf(row) === 'group') yield { id: parent, type: 'applicationGroup', name: textsOf(row, 1) };
    else if (kindOf(row) === 'interface') yield interfaceDraft(row, parent);
    else
      yield {
        id,
        type: 'application',
        parent,
        name: textsOf(row, 1),
        description: english(row, 4),
        attributes: {
          links: [{ title: 'Start', url: `https://${keyOf(row)}.meridian.example/` }],
          cloud: cellOf(row, 5) === 'cloud',
          userCount: numberOf(row, 6),
        },
      };
  }
};

/** `interface planning > erp` */
const interfaceDraft = (row: Row, parent: string): Draft => {
  const [from = '', to = ''] = keyOf(row).split(' > ');
  return {
    id: `interface.${slugOf(`${from} to ${to}`)}`,
    type: 'interface',
    parent,
    name: { en: `${from} to ${to}`, de: `${from} an ${to}`, es: `${from} a ${to}` },
    description: english(row, 1),
    relations: { sends: [`it.${from}`], receives: [`it.${to}`] },
  };
};

export const riskDrafts = function* (): Generator<Draft> {
  let risk = '';
  for (const { row, under } of grouped(riskRows, 'category')) {
    const key = keyOf(row);
    const texts = { name: textsOf(row, 1), ...(row[4] !== undefined && { description: english(row, 4) }) };
    if (kindOf(row) === 'category') yield { id: `risks.${key}`, type: 'riskCategory', ...texts };
    else if (kindOf(row) === 'risk') {
      risk = `risk.${key}`;
      yield {
        id: risk,
        type: 'risk',
        parent: `risks.${under}`,
        ...texts,
        attributes: { likelihood: numberOf(row, 5), impact: numberOf(row, 6) },
        relations: { threatens: [cellOf(row, 7)] },
      };
    } else
      yield {
        id: `control.${key}`,
        type: 'control',
        parent: risk,
        ...texts,
        attributes: { frequency: cellOf(row, 5), preventive: cellOf(row, 6) === 'preventive' },
        relations: { mitigates: [risk] },
      };
  }
};

export const documentDrafts = function* (): Generator<Draft> {
  for (const { row, under } of grouped(documentRows, 'folder')) {
    const key = keyOf(row);
    if (kindOf(row) === 'folder') yield { id: `folder.${key}`, type: 'folder', name: textsOf(row, 1) };
    else
      yield {
        id: `document.${key}`,
        type: 'document',
        parent: `folder.${under}`,
        name: textsOf(row, 1),
        description: english(row, 4),
        attributes: { files: [fileOf(key, numberOf(row, 6))], kind: cellOf(row, 5), pages: numberOf(row, 6) },
        relations: { describes: [cellOf(row, 7)] },
      };
  }
};

const fileOf = (key: string, pages: number) => ({
  name: `${key}.pdf`,
  url: `https://documents.meridian.example/${key}.pdf`,
  mediaType: 'application/pdf',
  sizeBytes: pages * 41_337,
});

/** Process -> the documents that describe it. */
export const documentsByProcess = (): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>();
  for (const row of readRows(documentRows))
    if (kindOf(row) === 'document')
      found.set(cellOf(row, 7), [...(found.get(cellOf(row, 7)) ?? []), `document.${keyOf(row)}`]);
  return found;
};

/** Process -> the key figures that measure it. */
export const figuresByProcess = (): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>();
  for (const row of readRows(figureRows))
    if (kindOf(row) === 'kpi') found.set(cellOf(row, 8), [...(found.get(cellOf(row, 8)) ?? []), `kpi.${keyOf(row)}`]);
  return found;
};

/** A key figure that a KPI of the knowledge model tells has its value of the day that the demo takes for today. */
export const figureDrafts = function* (kpis: P2pTruths['kpis']): Generator<Draft> {
  for (const { row, under } of grouped(figureRows, 'group')) {
    const key = keyOf(row);
    if (kindOf(row) === 'group') yield { id: `kpis.${key}`, type: 'kpiGroup', name: textsOf(row, 1) };
    else
      yield {
        id: `kpi.${key}`,
        type: 'kpi',
        parent: `kpis.${under}`,
        name: textsOf(row, 1),
        description: english(row, 4),
        attributes: {
          unit: cellOf(row, 5),
          target: numberOf(row, 6),
          direction: cellOf(row, 7),
          ...(row.length > 9 && actualOf(cellOf(row, 9), kpis)),
        },
        relations: { measures: [cellOf(row, 8)] },
      };
  }
};

/** Rates are percentages here. */
const actualOf = (kpi: string, kpis: P2pTruths['kpis']): AttributeValues => {
  const truth = Object.entries(kpis).find(([id]) => id === kpi)?.[1];
  if (truth === undefined) return {};
  const actual = typeof truth === 'number' ? truth : Math.round((truth[0] / truth[1]) * 10_000) / 100;
  return { figure: kpi, actual };
};
