/**
 * The floor's process: Fastify and pg, without keys, limits or a message server. Every architecture costs more.
 */
import { fastify } from 'fastify';
import { serveAsChild } from '../child.js';
import * as documents from './documents.js';
import { addDocumentRoutes, addSalesRoutes } from './sales-floor.js';
import { openPool, prepareStatements, type Rows } from './statements.js';

export type FloorOptions = {
  readonly databaseUrl: string;
  readonly tenant: string;
  /** The address that documents name; the product's, so that both answer the same. */
  readonly publicUrl: string;
};

type Names = { readonly collection: string; readonly storage: string; readonly facet: string; readonly id: string };
type Place = { readonly Params: Names };
type Storage = { readonly storageId: string; readonly around: documents.StorageContext };

const jsonType = 'application/json; charset=utf-8';
const facetPath = '/:collection/:storage/_api/rest/facets/:facet';
const elementPath = `${facetPath}/views/:view/elements/:id`;
const nothing = { message: 'There is nothing at this address.' };

serveAsChild(({ databaseUrl, tenant, publicUrl }: FloorOptions) => {
  const pool = openPool(databaseUrl);
  const rows = prepareStatements(pool, 'content.sql');
  const storageOf = rememberStorages(rows, tenant, publicUrl);
  const app = fastify();
  app.get<Place>(elementPath, async ({ params }, reply) => {
    const { storageId, around } = await storageOf(params);
    const values = [tenant, storageId, params.id];
    const [row] = await rows<documents.ElementWithParts>('floor_element', values);
    if (!row) return reply.code(404).send(nothing);
    return reply.type(jsonType).send(JSON.stringify(documents.toElementDocument(around, row)));
  });
  // Below it an element is answered from the text that the product has stored of it.
  app.get<Place>(`/stored${elementPath}`, async ({ params }, reply) => {
    const { storageId, around } = await storageOf(params);
    const values = [tenant, storageId, params.id, documents.ownUrlPrefix(around, params.facet)];
    const [row] = await rows<{ readonly text: string }>('floor_stored_element', values);
    if (!row) return reply.code(404).send(nothing);
    const text = row.text.replaceAll(documents.publicUrlPlaceholder, around.publicUrl);
    return reply.type(jsonType).send(`{"count":1,"elements":[${text}]}`);
  });
  app.get<Place>(`${facetPath}/reporting`, async ({ params }, reply) => {
    const { storageId, around } = await storageOf(params);
    const facetRows = await readFacet(rows, [tenant, storageId], params.facet);
    return reply.type(jsonType).send(JSON.stringify(documents.toFacetDocument(around, facetRows)));
  });
  addSalesRoutes(app, pool);
  addDocumentRoutes(app);
  return app.listen({ host: '127.0.0.1', port: 0 });
});

/** Each storage is read once; its definition must not change during a run. */
const rememberStorages = (rows: Rows, tenant: string, publicUrl: string): ((names: Names) => Promise<Storage>) => {
  type Row = { readonly storage_id: string; readonly definition: documents.StorageDefinition };
  const known = new Map<string, Promise<Storage>>();
  const read = async ({ collection, storage }: Names): Promise<Storage> => {
    const [row] = await rows<Row>('floor_storage', [tenant, collection, storage]);
    if (!row) throw new Error('There is no such storage.');
    return { storageId: row.storage_id, around: documents.createStorageContext(row.definition, publicUrl) };
  };
  return (names) => {
    const key = `${names.collection}/${names.storage}`;
    const found = known.get(key) ?? read(names);
    known.set(key, found);
    return found;
  };
};

const readFacet = async (rows: Rows, storage: readonly string[], facet: string) => {
  const elements = await rows<documents.ElementRow>('floor_facet_elements', [...storage, facet]);
  const versions = elements.map(({ version_id }) => version_id);
  const content = await rows<documents.ContentRow>('floor_content', [...storage, versions]);
  const owners = [...versions, ...content.map(({ content_id }) => content_id)];
  const relations = await rows<documents.RelationRow>('floor_relations', [...storage, owners]);
  const history = await rows<documents.ElementVersionRow>('floor_history', [...storage, facet]);
  return { elements, content, relations, history };
};
