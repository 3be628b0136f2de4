/**
 * The storage of Meridian Coatings in the size that is asked for.
 */
import { siteNames } from './data/organization.js';
import { defineStorage } from './define-storage.js';
import { createDemoStorage, type DemoStorage } from './demo-storage.js';
import type { DemoElement } from './draft.js';
import { generateOrganizationElements, demoPeople, generateUserElements } from './organization.js';
import { goldenP2pFigures } from './p2p-data/truths.golden.js';
import { generateProcessHouseElements } from './process-house.js';
import {
  generateDocumentElements,
  groupDocumentIdsByProcess,
  generateKpiElements,
  groupKpiIdsByProcess,
  generateRiskElements,
  generateRoleElements,
  generateSystemElements,
} from './reference-facets.js';
import { splitCommaList, toSlug } from './text-table.js';
import { tinyPeopleCount, reduceToTinyStorage } from './tiny-selection.js';

/** The elements of the facet `processes` in the large demo. */
export const largeFacetElementCount = 10_000;

export const createMeridianStorage = (size: 'tiny' | 'demo' | 'load'): DemoStorage => {
  const definition = defineStorage({
    collection: 'meridian',
    title: 'Meridian Coatings, purchase to pay',
    cultures: [1033, 1031, 3082],
  });
  const ids = demoPeople.map(({ id }) => id);
  const storage = createDemoStorage(
    definition,
    {
      processes: () => (size === 'load' ? largeHouse() : generateProcessHouseElements(houseOptions())),
      organization: generateOrganizationElements,
      roles: generateRoleElements,
      risks: generateRiskElements,
      it: generateSystemElements,
      knowledge: generateDocumentElements,
      kpi: () => generateKpiElements(goldenP2pFigures[size].kpis),
      users: generateUserElements,
    },
    { people: size === 'tiny' ? ids.slice(0, tinyPeopleCount) : ids },
  );
  return size === 'tiny' ? reduceToTinyStorage(storage) : storage;
};

const houseOptions = () => ({ documentsOf: groupDocumentIdsByProcess(), figuresOf: groupKpiIdsByProcess() });

/** The house and, site by site, its repetitions, as far as the count reaches; every parent stands before its children. */
const largeHouse = function* (): Generator<DemoElement> {
  const options = houseOptions();
  let left = largeFacetElementCount;
  const sites = splitCommaList(siteNames.replaceAll('\n', ' ')).map((name) => ({ key: toSlug(name), name }));
  for (const site of [undefined, ...sites])
    for (const draft of generateProcessHouseElements(options, site)) {
      if (left === 0) return;
      left -= 1;
      yield draft;
    }
};
