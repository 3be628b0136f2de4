/**
 * The floor: Fastify and pg in one process, without keys, limits or a message server. Every architecture costs more.
 */
import { fastify, type FastifyInstance } from 'fastify';
import pg from 'pg';
import {
  toElementDocument,
  toFacetDocument,
  getReportingUriPrefix,
  type StorageDefinition,
  toStoredElementJson,
  storedFloorPrefix,
  type StorageContext,
  createStorageContext,
} from './documents.js';
import * as statements from './element-rows.js';
import { addDocumentRoutes, addSalesRoutes } from './sales-floor.js';

type FloorOptions = {
  readonly databaseUrl: string;
  readonly tenant: string;
  /** The address that documents name; the product's, so that both answer the same. */
  readonly publicUrl: string;
};

type Names = { readonly collection: string; readonly storage: string; readonly facet: string };
type Place = { readonly Params: Names };
type ElementPlace = { readonly Params: Names & { readonly id: string } };
type Storage = { readonly storageId: string; readonly around: StorageContext };
type Rows = <Row extends pg.QueryResultRow>(
  statement: pg.QueryConfig,
  values: readonly unknown[],
) => Promise<readonly Row[]>;

const connectionsMax = 10;
const jsonType = 'application/json; charset=utf-8';
const facetPath = '/:collection/:storage/_api/rest/facets/:facet';
const elementPath = `${facetPath}/views/:view/elements/:id`;

export const createFloorServer = ({ databaseUrl, tenant, publicUrl }: FloorOptions): FastifyInstance => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connectionsMax });
  const rows: Rows = async <Row extends pg.QueryResultRow>(statement: pg.QueryConfig, values: readonly unknown[]) =>
    (await pool.query<Row>({ ...statement, values: [...values] })).rows;
  const storageOf = rememberStorages(rows, tenant, publicUrl);
  const app = fastify();

  app.get<ElementPlace>(elementPath, async ({ params }, reply) => {
    const { storageId, around } = await storageOf(params);
    const values = [tenant, storageId, params.id];
    const [row] = await rows<statements.ElementWithParts>(statements.elementStatement, values);
    if (!row) return reply.code(404).send({ message: 'There is nothing at this address.' });
    return reply.type(jsonType).send(JSON.stringify(toElementDocument(around, row)));
  });
  app.get<ElementPlace>(storedFloorPrefix + elementPath, async ({ params }, reply) => {
    const { storageId, around } = await storageOf(params);
    const values = [tenant, storageId, params.id, getReportingUriPrefix(around, params.facet)];
    const [row] = await rows<{ text: string }>(statements.storedElementStatement, values);
    if (!row) return reply.code(404).send({ message: 'There is nothing at this address.' });
    return reply.type(jsonType).send(toStoredElementJson(around, row.text));
  });
  app.get<Place>(`${facetPath}/reporting`, async ({ params }, reply) => {
    const { storageId, around } = await storageOf(params);
    const facetRows = await readFacet(rows, [tenant, storageId], params.facet);
    return reply.type(jsonType).send(JSON.stringify(toFacetDocument(around, facetRows)));
  });
  addSalesRoutes(app, pool);
  addDocumentRoutes(app);
  app.addHook('onClose', () => pool.end());
  return app;
};

/** Each storage is read once; its definition must not change during a run. */
const rememberStorages = (rows: Rows, tenant: string, publicUrl: string): ((names: Names) => Promise<Storage>) => {
  const known = new Map<string, Promise<Storage>>();
  const read = async ({ collection, storage }: Names): Promise<Storage> => {
    const values = [tenant, collection, storage];
    const [row] = await rows<{ storage_id: string; definition: StorageDefinition }>(
      statements.storageStatement,
      values,
    );
    if (!row) throw new Error('There is no such storage.');
    return { storageId: row.storage_id, around: createStorageContext(row.definition, publicUrl) };
  };
  return (names) => {
    const key = `${names.collection}/${names.storage}`;
    const found = known.get(key) ?? read(names);
    known.set(key, found);
    return found;
  };
};

const readFacet = async (rows: Rows, storage: readonly string[], facet: string) => {
  const elements = await rows<statements.ElementRow>(statements.facetElementsStatement, [...storage, facet]);
  const versions = elements.map(({ version_id }) => version_id);
  const content = await rows<statements.ContentRow>(statements.contentStatement, [...storage, versions]);
  const owners = [...versions, ...content.map(({ content_id }) => content_id)];
  const relations = await rows<statements.RelationRow>(statements.relationsStatement, [...storage, owners]);
  const history = await rows<statements.ElementVersionRow>(statements.releasedVersionsStatement, [...storage, facet]);
  return { elements, content, relations, history };
};
