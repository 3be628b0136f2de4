import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyContent, companyDefinition } from '../testing/company.js';
import { importTestContent } from '../testing/load-content.js';
import { createReaderContext, openTestService, testPublicUrl, type TestService } from '../testing/open-service.js';
import { FindFigureDocumentsHandler } from './find-figure-documents.handler.js';

const definition = {
  ...companyDefinition,
  types: [
    ...companyDefinition.types,
    {
      name: 'keyFigure',
      facet: 'processes',
      displayNames: { 1033: 'Key figure' },
      attributes: [{ name: 'name', localised: true }, { name: 'figure' }],
    },
  ],
  relations: [...(companyDefinition.relations ?? []), { name: 'measuredBy', to: ['keyFigure'] }],
};
const figure = (id: string, kpi: string) => ({
  ...{ id, type: 'keyFigure' },
  attributes: { name: { 1033: id }, figure: kpi },
});
const measured = (version: string, state: 'released' | 'expired' | 'inProcess', ...measuredBy: readonly string[]) => ({
  ...{ version, state },
  attributes: { name: { 1033: `Order ${version}`, 1031: `Bestellen ${version}` } },
  relations: { measuredBy: [...measuredBy] },
});
const contentWith = (...versions: readonly ReturnType<typeof measured>[]) => ({
  ...{ team: 'measured', definition },
  elements: [
    figure('lost', 'LOST_DISCOUNT'),
    figure('late', 'LATE_RATE'),
    { id: 'order', type: 'process', versions: [...versions] },
  ],
});

let service: TestService;
beforeAll(async () => {
  service = await openTestService([
    contentWith(measured('1.0', 'released', 'lost'), measured('1.1', 'inProcess', 'lost', 'late')),
    companyContent,
  ]);
});
afterAll(() => service?.end());

const find = async (figures: readonly string[], at: string, team = 'measured') => {
  const asked = { figures: [...figures], at };
  const found = await service.get(FindFigureDocumentsHandler).find(asked, createReaderContext(team));
  if (!found.ok) throw new Error(found.failure.detail);
  return found.value.documents;
};
const now = (): string => new Date(Date.now() + 60_000).toISOString();

describe('documents of KPIs', () => {
  it('are released versions that are measured by them, with name and address', async () => {
    const [document, ...others] = await find(['LOST_DISCOUNT', 'LATE_RATE', 'PLANT'], now());
    expect(others).toEqual([]);
    expect(document).toMatchObject({ figure: 'LOST_DISCOUNT', version: '1.0', element: { name: 'Order 1.0' } });
    expect(document?.element.href).toMatch(
      new RegExp(`^${testPublicUrl}/Meridian/p2p/_api/rest/facets/processes/reporting/${document?.element.id}$`),
    );
  });

  it('are those that were released at the instant', async () => {
    const before = new Date().toISOString();
    await importTestContent(
      service,
      contentWith(measured('1.0', 'expired', 'lost'), measured('2.0', 'released', 'lost', 'late')),
    );
    const versionsAt = async (at: string) =>
      (await find(['LOST_DISCOUNT', 'LATE_RATE'], at)).map(({ figure: kpi, version }) => `${kpi} ${version}`);
    expect(await versionsAt(before)).toEqual(['LOST_DISCOUNT 1.0']);
    expect(await versionsAt(now())).toEqual(['LATE_RATE 2.0', 'LOST_DISCOUNT 2.0']);
    expect(await versionsAt('2001-01-01T00:00:00.000Z')).toEqual([]);
  });

  it('are found by what their key figures said in the versions that were released at the instant', async () => {
    const team = 'renamed';
    const keyFigure = (
      ...versions: readonly { version: string; state: 'released' | 'expired' | 'inProcess'; kpi: string }[]
    ) => ({
      ...{ id: 'lost', type: 'keyFigure' },
      versions: versions.map(({ version, state, kpi }) => ({
        ...{ version, state },
        attributes: { name: { 1033: 'Lost' }, figure: kpi },
      })),
    });
    const content = (lost: ReturnType<typeof keyFigure>) => ({
      ...{ team, definition },
      elements: [lost, { id: 'order', type: 'process', versions: [measured('1.0', 'released', 'lost')] }],
    });
    const draft = { version: '1.1', state: 'inProcess', kpi: 'DRAFT' } as const;
    await importTestContent(service, content(keyFigure({ version: '1.0', state: 'released', kpi: 'OLD' }, draft)));
    const before = new Date().toISOString();
    const expired = { version: '1.0', state: 'expired', kpi: 'OLD' } as const;
    await importTestContent(service, content(keyFigure(expired, { version: '2.0', state: 'released', kpi: 'NEW' })));
    const figuresAt = async (at: string) =>
      (await find(['OLD', 'DRAFT', 'NEW'], at, team)).map(({ figure: kpi }) => kpi);
    expect(await figuresAt(before)).toEqual(['OLD']);
    expect(await figuresAt(now())).toEqual(['NEW']);
  });

  it('are none of another team, and none for no KPI', async () => {
    expect(await find(['LOST_DISCOUNT'], now(), 'meridian')).toEqual([]);
    expect(await find([], now())).toEqual([]);
  });
});
