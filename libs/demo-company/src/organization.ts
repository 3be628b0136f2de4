/** The organisation and its people as drafts: units, locations, a chart; users with their unit and role. */
import { organizationRows, peopleRows } from './data/organization.js';
import type { DemoElement } from './draft.js';
import { createDiagramSymbol } from './process-diagram.js';
import { createRandomSource } from './seeded.js';
import { getCell, getNumber, readRows, toSlug, getTranslations, type TextRow } from './text-table.js';

type Person = {
  readonly id: string;
  readonly first: string;
  readonly last: string;
  readonly unit: string;
  readonly role: string;
};

export const demoPeople: readonly Person[] = readRows(peopleRows).map((row) => ({
  id: `user.${toSlug(`${getCell(row, 0)} ${getCell(row, 1)}`)}`,
  first: getCell(row, 0),
  last: getCell(row, 1),
  unit: getCell(row, 2),
  role: getCell(row, 3),
}));

type Unit = {
  readonly key: string;
  readonly parent: string | undefined;
  readonly location: string;
  readonly row: TextRow;
};

const organizationTable = readRows(organizationRows);
const kindOf = (row: TextRow): string => getCell(row, 0).split(' ')[0] ?? '';
const keyOf = (row: TextRow): string => getCell(row, 0).split(' ')[1] ?? '';

const units: readonly Unit[] = organizationTable
  .filter((row) => kindOf(row) === 'unit')
  .map((row) => ({ key: keyOf(row), parent: getCell(row, 1) || undefined, location: getCell(row, 5), row }));

export const generateOrganizationElements = function* (): Generator<DemoElement> {
  yield* unitsBelow(undefined);
  for (const row of organizationTable)
    if (kindOf(row) === 'location')
      yield {
        id: `location.${keyOf(row)}`,
        type: 'location',
        name: { en: getCell(row, 1), de: getCell(row, 1), es: getCell(row, 1) },
        attributes: { country: getCell(row, 2), employees: getNumber(row, 3), plant: getCell(row, 4) === 'plant' },
      };
  yield {
    id: 'chart.meridian',
    type: 'organizationChart',
    name: { en: 'Organization of Meridian Coatings', de: 'Organisation von Meridian Coatings' },
    description: { en: 'The management board and the departments below it.' },
    content: units
      .filter(({ key, parent }) => key === 'meridian' || parent === 'meridian')
      .map(({ key }, index) => ({
        ...createDiagramSymbol(
          key,
          'unitSymbol',
          index === 0 ? 400 : (index - 1) * 180,
          index === 0 ? 0 : 120,
          160,
          60,
        ),
        relations: { represents: [`unit.${key}`] },
      })),
    history: [{ version: '1.0', state: 'released' }],
  };
};

/** In tree order, whatever the order of the rows. */
const unitsBelow = function* (parent: string | undefined): Generator<DemoElement> {
  for (const unit of units.filter((candidate) => candidate.parent === parent)) {
    const head = demoPeople.find((person) => person.unit === unit.key);
    yield {
      id: `unit.${unit.key}`,
      type: 'orgUnit',
      ...(parent !== undefined && { parent: `unit.${parent}` }),
      name: getTranslations(unit.row, 2),
      relations: { ...(head && { head: [head.id] }), locatedAt: [`location.${unit.location}`] },
    };
    yield* unitsBelow(unit.key);
  }
};

/** The department, a unit right below the company, to which a unit belongs. */
const departmentOf = (key: string): string => {
  const unit = units.find((candidate) => candidate.key === key);
  return unit?.parent === undefined || unit.parent === 'meridian' ? key : departmentOf(unit.parent);
};

export const generateUserElements = function* (): Generator<DemoElement> {
  for (const department of units.filter(({ parent }) => parent === 'meridian')) {
    const members = demoPeople.filter(({ unit }) => departmentOf(unit) === department.key);
    const id = `users.${department.key}`;
    if (members.length > 0) yield { id, type: 'userGroup', name: getTranslations(department.row, 2) };
    for (const person of members) yield userDraft(person, id);
  }
};

const userDraft = (person: Person, parent: string): DemoElement => {
  const draw = createRandomSource(`person ${person.id}`);
  const name = `${person.first} ${person.last}`;
  const left = draw.chance(0.08);
  return {
    id: person.id,
    type: 'user',
    parent,
    name: { en: name, de: name, es: name },
    attributes: {
      firstName: person.first,
      lastName: person.last,
      email: `${person.id.slice('user.'.length).replaceAll('-', '.')}@meridian.example`,
      active: !left,
      employedSince: `${draw.whole(2004, 2025)}-${String(draw.whole(1, 12)).padStart(2, '0')}-01T00:00:00`,
    },
    relations: { memberOf: [`unit.${person.unit}`], fills: [`role.${person.role}`] },
    ...(left && { hidden: true }),
  };
};
