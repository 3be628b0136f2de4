/** Evidence of the maverick rate of one plant. */
import type { Evidence } from '../addresses.js';

type Question = Evidence['statement']['question'];

const origin = 'https://tessera.example';
export const question: Question = {
  ...{ columns: ['RATE'], filters: ['LARGE'], conditions: ["ITEM.PLANT eq '2010'"], groupConditions: [], sort: [] },
  ...{ distinct: false, page: 0, pageSize: 50 },
};

export const maverickEvidence: Evidence = {
  statement: {
    format: 'tessera-evidence-1',
    kind: 'rows',
    ...{ id: '019aa0c4-6f00-7000-8000-5d2c1e7f9b10', team: 'meridian' },
    ...{ askedAt: '2026-11-27T10:00:00.000Z', askedBy: 'member:anton.berg', requestId: 'r1', question },
    model: { id: 'p2p.base-km', version: 3, digests: [] },
    data: [{ table: 'po_item', version: '7' }],
    policies: ['fields of SUPPLIER'],
    resultDigest: 'd'.repeat(64),
  },
  result: { salt: 's'.repeat(32), rows: 1, rowsDigest: 'a'.repeat(64), figures: [{ id: 'RATE', value: '0.0993411' }] },
  words: "Maverick buying, where Plant eq '2010', rows 1 to 50",
  plan: { kind: 'groups', kpis: ['RATE'] },
  rows: [
    {
      record: 'ITEM',
      href: `${origin}/intelligence/api/knowledge-models/p2p.base-km/records/ITEM/query?filters=LARGE&filterExpr=ITEM.PLANT+eq+%272010%27`,
    },
  ],
  documents: [
    {
      ...{ figure: 'RATE', versionId: 'v2', version: '2.0' },
      element: {
        ...{ id: 'e1', name: 'Purchase to pay' },
        href: `${origin}/meridian/p2p/_api/rest/facets/processes%20new/reporting/e1`,
      },
    },
  ],
};
