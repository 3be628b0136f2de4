/**
 * Every kind of read of one storage as text, so that a spec can compare what it was then with what is answered as of
 * then.
 */
import type { ByteReply } from '@tessera/contracts';
import {
  describeElement,
  listAttributes,
  listChildren,
  listContent,
  listElements,
  listRelations,
  listVersions,
  readAttribute,
  readElement,
  readRelation,
  reportElement,
  reportFacet,
} from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { ListElementsHandler } from '../elements/list-elements.handler.js';
import { ReadElementHandler } from '../elements/read-element.handler.js';
import { ElementPartsHandler } from '../parts/element-parts.handler.js';
import { ReportElementHandler } from '../reports/report-element.handler.js';
import { ReportFacetHandler } from '../reports/report-facet.handler.js';
import { readBodyText, createReaderContext, testStorageNames, type TestService } from './open-service.js';

export type PendingReply = Promise<Result<ByteReply>>;
type Ask = (query: object) => PendingReply;

const context = createReaderContext('meridian');
const facet = { ...testStorageNames, facetId: 'processes' };

/** Name -> read; `query` is added to its options. */
export const createReadsByName = ({ get }: TestService, ids: readonly string[]): ReadonlyMap<string, Ask> =>
  new Map([
    ...listReads(get(ReportFacetHandler), get(ListElementsHandler)),
    ...ids.flatMap((id) => [
      ...elementReads(id, get(ReportElementHandler), get(ReadElementHandler)),
      ...partReads(id, get(ElementPartsHandler), get(ListElementsHandler)),
    ]),
  ]);

const listReads = (reports: ReportFacetHandler, lists: ListElementsHandler): readonly (readonly [string, Ask])[] => {
  const report =
    (options: object): Ask =>
    (query) =>
      reports.report(reportFacet.request.parse({ ...facet, ...options, ...query }), context);
  const list =
    (options: object): Ask =>
    (query) =>
      lists.list(listElements.request.parse({ ...facet, viewId: 'reporting', ...options, ...query }), context);
  return [
    ['the report', report({})],
    ['the report of another facet', report({ facetId: 'users' })],
    ['the report of a view with types', report({ viewId: 'areas' })],
    ['the report with a filter', report({ $filter: "Contains(name, 'goods') OR state -eq 'show'" })],
    ['the report with a filter by stereotype', report({ $filter: "stereotype -eq 'core'" })],
    ['the report with expanded relations', report({ $expandRelated: ['uses', 'owner'], $select: ['name', 'uses'] })],
    ['the list', list({})],
    ['the list of a flat view', list({ viewId: 'detail', $pageSize: 3, $page: 2 })],
    ['the list with a filter', list({ viewId: 'detail', $filter: 'cost -gt 12 AND NOT IsNull(name)' })],
  ];
};

const elementReads = (
  id: string,
  reports: ReportElementHandler,
  elements: ReadElementHandler,
): readonly (readonly [string, Ask])[] => {
  const report =
    (options: object): Ask =>
    (query) =>
      reports.report(reportElement.request.parse({ ...facet, elementId: id, ...options, ...query }), context);
  const read =
    (options: object): Ask =>
    (query) =>
      elements.read(
        readElement.request.parse({ ...facet, viewId: 'detail', elementId: id, ...options, ...query }),
        context,
      );
  return [
    [`the report of ${id}`, report({ $resources: ['attributes', 'related', 'children', 'content', 'rootPath'] })],
    [`the report of ${id} with a filter`, report({ $filter: "state -eq 'released'" })],
    [`the element ${id}`, read({})],
    [`the element ${id} with its path`, read({ $resources: ['rootPath', 'attributes'] })],
    [`the element ${id} expanded`, read({ $expandRelated: ['uses', 'releaseHistory'] })],
    [`the element ${id} in a view with types`, read({ viewId: 'areas' })],
  ];
};

const partReads = (
  id: string,
  parts: ElementPartsHandler,
  rows: ListElementsHandler,
): readonly (readonly [string, Ask])[] => {
  const path = { ...facet, viewId: 'detail', elementId: id };
  const relationName = 'uses';
  return [
    [`attributes of ${id}`, (query) => parts.attributes(listAttributes.request.parse({ ...path, ...query }), context)],
    [
      `an attribute of ${id}`,
      (query) => parts.attribute(readAttribute.request.parse({ ...path, attributeName: 'cost', ...query }), context),
    ],
    [`relations of ${id}`, (query) => parts.relations(listRelations.request.parse({ ...path, ...query }), context)],
    [
      `a relation of ${id}`,
      (query) => parts.relation(readRelation.request.parse({ ...path, relationName, ...query }), context),
    ],
    [`content of ${id}`, (query) => parts.content(listContent.request.parse({ ...path, ...query }), context)],
    [`what ${id} is`, (query) => parts.describe(describeElement.request.parse({ ...path, ...query }), context)],
    [`children of ${id}`, (query) => rows.children(listChildren.request.parse({ ...path, ...query }), context)],
    [`versions of ${id}`, (query) => rows.versions(listVersions.request.parse({ ...path, ...query }), context)],
  ];
};

/** Body and total, or the code of the failure. */
export const readReplyText = async (answer: PendingReply | undefined): Promise<string> => {
  const result = await answer;
  if (!result) return 'nobody was asked';
  if (!result.ok) return result.failure.code;
  return `${result.value.headers?.['x-total-count'] ?? ''} ${await readBodyText(result.value)}`;
};
