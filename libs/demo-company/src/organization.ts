/** The organisation and its people as drafts: units, locations, a chart; users with their unit and role. */
import { organizationRows, peopleRows } from './data/organization.js';
import type { Draft } from './draft.js';
import { symbol } from './process-diagram.js';
import { drawFor } from './seeded.js';
import { cellOf, numberOf, readRows, slugOf, textsOf, type Row } from './text-table.js';

type Person = {
  readonly id: string;
  readonly first: string;
  readonly last: string;
  readonly unit: string;
  readonly role: string;
};

export const people: readonly Person[] = readRows(peopleRows).map((row) => ({
  id: `user.${slugOf(`${cellOf(row, 0)} ${cellOf(row, 1)}`)}`,
  first: cellOf(row, 0),
  last: cellOf(row, 1),
  unit: cellOf(row, 2),
  role: cellOf(row, 3),
}));

type Unit = { readonly key: string; readonly parent: string | undefined; readonly location: string; readonly row: Row };

const rows = readRows(organizationRows);
const kindOf = (row: Row): string => cellOf(row, 0).split(' ')[0] ?? '';
const keyOf = (row: Row): string => cellOf(row, 0).split(' ')[1] ?? '';

const units: readonly Unit[] = rows
  .filter((row) => kindOf(row) === 'unit')
  .map((row) => ({ key: keyOf(row), parent: cellOf(row, 1) || undefined, location: cellOf(row, 5), row }));

export const organizationDrafts = function* (): Generator<Draft> {
  yield* unitsBelow(undefined);
  for (const row of rows)
    if (kindOf(row) === 'location')
      yield {
        id: `location.${keyOf(row)}`,
        type: 'location',
        name: { en: cellOf(row, 1), de: cellOf(row, 1), es: cellOf(row, 1) },
        attributes: { country: cellOf(row, 2), employees: numberOf(row, 3), plant: cellOf(row, 4) === 'plant' },
      };
  yield {
    id: 'chart.meridian',
    type: 'organizationChart',
    name: { en: 'Organization of Meridian Coatings', de: 'Organisation von Meridian Coatings' },
    description: { en: 'The management board and the departments below it.' },
    content: units
      .filter(({ key, parent }) => key === 'meridian' || parent === 'meridian')
      .map(({ key }, index) => ({
        ...symbol(key, 'unitSymbol', index === 0 ? 400 : (index - 1) * 180, index === 0 ? 0 : 120, 160, 60),
        relations: { represents: [`unit.${key}`] },
      })),
    history: [{ version: '1.0', state: 'released' }],
  };
};

/** In tree order, whatever the order of the rows. */
const unitsBelow = function* (parent: string | undefined): Generator<Draft> {
  for (const unit of units.filter((candidate) => candidate.parent === parent)) {
    const head = people.find((person) => person.unit === unit.key);
    yield {
      id: `unit.${unit.key}`,
      type: 'orgUnit',
      ...(parent !== undefined && { parent: `unit.${parent}` }),
      name: textsOf(unit.row, 2),
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

export const userDrafts = function* (): Generator<Draft> {
  for (const department of units.filter(({ parent }) => parent === 'meridian')) {
    const members = people.filter(({ unit }) => departmentOf(unit) === department.key);
    const id = `users.${department.key}`;
    if (members.length > 0) yield { id, type: 'userGroup', name: textsOf(department.row, 2) };
    for (const person of members) yield userDraft(person, id);
  }
};

const userDraft = (person: Person, parent: string): Draft => {
  const draw = drawFor(`person ${person.id}`);
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
