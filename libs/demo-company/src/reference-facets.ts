/**
 * Roles, risks with controls, systems, documents and key figures as drafts. In each table a row with a group opens a
 * group, the rows behind it stand under it.
 */
import type { AttributeValues } from '@tessera/contracts';
import { documentRows, kpiTreeRows, riskRows } from './data/risks-and-figures.js';
import { roleRows, systemRows } from './data/roles-and-systems.js';
import type { DemoElement } from './draft.js';
import { demoPeople } from './organization.js';
import type { ExpectedP2pFigures } from './p2p-data/truths.js';
import { collectExecutedStepsByRole } from './process-house.js';
import { getCell, getNumber, readRows, toSlug, getTranslations, type TextRow } from './text-table.js';

const kindOf = (row: TextRow): string => getCell(row, 0).split(' ')[0] ?? '';
const keyOf = (row: TextRow): string => getCell(row, 0).split(' ').slice(1).join(' ');
const englishText = (row: TextRow, index: number) => ({ en: getCell(row, index) });

/** Every row with the key of the group it stands under. */
const rowsOfGroup = function* (
  table: string,
  group: string,
): Generator<{ readonly row: TextRow; readonly under: string }> {
  let under = '';
  for (const row of readRows(table)) {
    if (kindOf(row) === group) under = keyOf(row);
    yield { row, under };
  }
};

export const generateRoleElements = function* (): Generator<DemoElement> {
  const executed = collectExecutedStepsByRole();
  for (const { row, under } of rowsOfGroup(roleRows, 'group')) {
    const key = keyOf(row);
    if (kindOf(row) === 'group') yield { id: `roles.${key}`, type: 'roleGroup', name: getTranslations(row, 1) };
    else
      yield {
        id: `role.${key}`,
        type: 'role',
        parent: `roles.${under}`,
        name: getTranslations(row, 1),
        description: englishText(row, 4),
        attributes: { headcount: demoPeople.filter(({ role }) => role === key).length },
        relations: { executes: [...(executed.get(key) ?? [])] },
      };
  }
};

export const generateSystemElements = function* (): Generator<DemoElement> {
  for (const { row, under } of rowsOfGroup(systemRows, 'group')) {
    const parent = `systems.${under}`;
    const id = `it.${keyOf(row)}`;
    if (kindOf(row) === 'group') yield { id: parent, type: 'applicationGroup', name: getTranslations(row, 1) };
    else if (kindOf(row) === 'interface') yield interfaceDraft(row, parent);
    else
      yield {
        id,
        type: 'application',
        parent,
        name: getTranslations(row, 1),
        description: englishText(row, 4),
        attributes: {
          links: [{ title: 'Start', url: `https://${keyOf(row)}.meridian.example/` }],
          cloud: getCell(row, 5) === 'cloud',
          userCount: getNumber(row, 6),
        },
      };
  }
};

/** `interface planning > erp` */
const interfaceDraft = (row: TextRow, parent: string): DemoElement => {
  const [from = '', to = ''] = keyOf(row).split(' > ');
  return {
    id: `interface.${toSlug(`${from} to ${to}`)}`,
    type: 'interface',
    parent,
    name: { en: `${from} to ${to}`, de: `${from} an ${to}`, es: `${from} a ${to}` },
    description: englishText(row, 1),
    relations: { sends: [`it.${from}`], receives: [`it.${to}`] },
  };
};

export const generateRiskElements = function* (): Generator<DemoElement> {
  let risk = '';
  for (const { row, under } of rowsOfGroup(riskRows, 'category')) {
    const key = keyOf(row);
    const texts = { name: getTranslations(row, 1), ...(row[4] !== undefined && { description: englishText(row, 4) }) };
    if (kindOf(row) === 'category') yield { id: `risks.${key}`, type: 'riskCategory', ...texts };
    else if (kindOf(row) === 'risk') {
      risk = `risk.${key}`;
      yield {
        id: risk,
        type: 'risk',
        parent: `risks.${under}`,
        ...texts,
        attributes: { likelihood: getNumber(row, 5), impact: getNumber(row, 6) },
        relations: { threatens: [getCell(row, 7)] },
      };
    } else
      yield {
        id: `control.${key}`,
        type: 'control',
        parent: risk,
        ...texts,
        attributes: { frequency: getCell(row, 5), preventive: getCell(row, 6) === 'preventive' },
        relations: { mitigates: [risk] },
      };
  }
};

export const generateDocumentElements = function* (): Generator<DemoElement> {
  for (const { row, under } of rowsOfGroup(documentRows, 'folder')) {
    const key = keyOf(row);
    if (kindOf(row) === 'folder') yield { id: `folder.${key}`, type: 'folder', name: getTranslations(row, 1) };
    else
      yield {
        id: `document.${key}`,
        type: 'document',
        parent: `folder.${under}`,
        name: getTranslations(row, 1),
        description: englishText(row, 4),
        attributes: { files: [fileOf(key, getNumber(row, 6))], kind: getCell(row, 5), pages: getNumber(row, 6) },
        relations: { describes: [getCell(row, 7)] },
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
export const groupDocumentIdsByProcess = (): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>();
  for (const row of readRows(documentRows))
    if (kindOf(row) === 'document')
      found.set(getCell(row, 7), [...(found.get(getCell(row, 7)) ?? []), `document.${keyOf(row)}`]);
  return found;
};

/** Process -> the key figures that measure it. */
export const groupKpiIdsByProcess = (): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>();
  for (const row of readRows(kpiTreeRows))
    if (kindOf(row) === 'kpi') found.set(getCell(row, 8), [...(found.get(getCell(row, 8)) ?? []), `kpi.${keyOf(row)}`]);
  return found;
};

/** A key figure that a KPI of the knowledge model tells is released, with its value of the day that the demo takes for today. */
export const generateKpiElements = function* (kpis: ExpectedP2pFigures['kpis']): Generator<DemoElement> {
  for (const { row, under } of rowsOfGroup(kpiTreeRows, 'group')) {
    const key = keyOf(row);
    if (kindOf(row) === 'group') {
      yield { id: `kpis.${key}`, type: 'kpiGroup', name: getTranslations(row, 1) };
      continue;
    }
    const told = row.length > 9 ? actualOf(getCell(row, 9), kpis) : {};
    yield {
      id: `kpi.${key}`,
      type: 'kpi',
      parent: `kpis.${under}`,
      name: getTranslations(row, 1),
      description: englishText(row, 4),
      attributes: {
        unit: getCell(row, 5),
        target: getNumber(row, 6),
        direction: getCell(row, 7),
        ...told,
      },
      relations: { measures: [getCell(row, 8)] },
      ...('figure' in told && { history: [{ version: '1.0', state: 'released' }] }),
    };
  }
};

/** Rates are percentages here. */
const actualOf = (kpi: string, kpis: ExpectedP2pFigures['kpis']): AttributeValues => {
  const truth = Object.entries(kpis).find(([id]) => id === kpi)?.[1];
  if (truth === undefined) return {};
  const actual = typeof truth === 'number' ? truth : Math.round((truth[0] / truth[1]) * 10_000) / 100;
  return { figure: kpi, actual };
};
