/**
 * The storage of Meridian Coatings in the size that is asked for.
 */
import { siteNames } from './data/organization.js';
import { defineStorage } from './define-storage.js';
import { demoStorage, type DemoStorage } from './demo-storage.js';
import type { Draft } from './draft.js';
import { organizationDrafts, people, userDrafts } from './organization.js';
import { trueFigures } from './p2p-data/truths.golden.js';
import { houseDrafts } from './process-house.js';
import {
  documentDrafts,
  documentsByProcess,
  figureDrafts,
  figuresByProcess,
  riskDrafts,
  roleDrafts,
  systemDrafts,
} from './reference-facets.js';
import { listOf, slugOf } from './text-table.js';
import { keptPeopleCount, selectTiny } from './tiny-selection.js';

/** The elements of the facet `processes` in the large demo. */
export const largeFacetElements = 10_000;

export const meridian = (size: 'tiny' | 'demo' | 'load'): DemoStorage => {
  const definition = defineStorage({
    collection: 'meridian',
    title: 'Meridian Coatings, purchase to pay',
    cultures: [1033, 1031, 3082],
  });
  const ids = people.map(({ id }) => id);
  const storage = demoStorage(
    definition,
    {
      processes: () => (size === 'load' ? largeHouse() : houseDrafts(houseOptions())),
      organization: organizationDrafts,
      roles: roleDrafts,
      risks: riskDrafts,
      it: systemDrafts,
      knowledge: documentDrafts,
      kpi: () => figureDrafts(trueFigures[size].kpis),
      users: userDrafts,
    },
    { people: size === 'tiny' ? ids.slice(0, keptPeopleCount) : ids },
  );
  return size === 'tiny' ? selectTiny(storage) : storage;
};

const houseOptions = () => ({ documentsOf: documentsByProcess(), figuresOf: figuresByProcess() });

/** The house and, site by site, its repetitions, as far as the count reaches; every parent stands before its children. */
const largeHouse = function* (): Generator<Draft> {
  const options = houseOptions();
  let left = largeFacetElements;
  const sites = listOf(siteNames.replaceAll('\n', ' ')).map((name) => ({ key: slugOf(name), name }));
  for (const site of [undefined, ...sites])
    for (const draft of houseDrafts(options, site)) {
      if (left === 0) return;
      left -= 1;
      yield draft;
    }
};
