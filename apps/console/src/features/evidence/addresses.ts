/** From evidence to other areas: the question and the rows behind it in Figures, documents in the process house. */
import type { AnswerFor } from '../../api/operations.js';
import type { AreaAddress } from '../../ui/area-link.js';

export type Evidence = AnswerFor<'readEvidence'>;
export type EvidenceDocument = NonNullable<Evidence['documents']>[number];

const listText = (ids: readonly string[]): string | undefined => (ids.length === 0 ? undefined : ids.join(','));

/**
 * Undefined where Figures has no such question: of one record, of a search in chosen fields, of other interfaces, or with conditions that
 * are not told or cannot be written, of which there are no addresses of rows either.
 */
export const questionAddress = ({ statement, rows }: Evidence): AreaAddress | undefined => {
  const { kind, model, question } = statement;
  const { record, columns, filters, conditions, groupConditions, search, sort } = question;
  if (kind !== 'rows' || record !== undefined || search !== undefined || rows.length === 0) return undefined;
  const where = [...conditions, ...groupConditions];
  return {
    path: '/figures/$modelId',
    params: { modelId: model.id },
    search: {
      kpis: listText(columns.filter((id) => !id.includes('.'))),
      fields: listText(columns.filter((id) => id.includes('.'))),
      filters: listText(filters),
      ...(where.length > 0 && { where }),
      sort: listText(sort.map((item) => item.replace(/^\+/, ''))),
    },
  };
};

type RecordFields = Pick<AnswerFor<'readRecord'>, 'id' | 'identifier' | 'fields'>;

const fieldsMax = 10;

/** What tells rows apart first, then the rest, as far as a page is wide. */
const fieldsToShow = ({ id, identifier, fields }: RecordFields): readonly string[] => {
  const ids = fields.map((field) => field.id);
  const ordered = new Set([...identifier.filter((key) => ids.includes(key)), ...ids]);
  return [...ordered].slice(0, fieldsMax).map((field) => `${id}.${field}`);
};

/** The rows of a record that an address narrows down. */
export const rowsAddress = (modelId: string, record: RecordFields, href: string): AreaAddress => {
  const { searchParams } = new URL(href);
  const where = searchParams.getAll('filterExpr');
  return {
    path: '/figures/$modelId',
    params: { modelId },
    search: {
      fields: listText(fieldsToShow(record)),
      filters: searchParams.get('filters') ?? undefined,
      ...(where.length > 0 && { where }),
    },
  };
};

/** Path and query: the session holds at the origin of the page. */
export const addressHere = (href: string): string => {
  const { pathname, search } = new URL(href);
  return `${pathname}${search}`;
};

const elementPath = /^\/([^/]+)\/([^/]+)\/_api\/rest\/facets\/([^/]+)\/[^/]+\/([^/]+)$/;

/** In the version that was released then; undefined for an address that is none of an element. */
export const documentAddress = ({ element, versionId }: EvidenceDocument): AreaAddress | undefined => {
  const [, collectionId, storageId, facetId, elementId] = elementPath.exec(new URL(element.href).pathname) ?? [];
  if (collectionId === undefined || storageId === undefined || facetId === undefined || elementId === undefined)
    return undefined;
  const params = { collectionId, storageId, facetId, elementId };
  return {
    path: '/processes/$collectionId/$storageId/$facetId/$elementId',
    params: Object.fromEntries(Object.entries(params).map(([name, part]) => [name, decodeURIComponent(part)])),
    search: { version: versionId },
  };
};
