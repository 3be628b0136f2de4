/**
 * Finds the largest facet of the demo team and some of its elements in the database. Fails without the load demo:
 * figures of a small tree mean nothing.
 */
import pg from 'pg';
import { benchTeam, type Product } from './product.js';

export type BenchTarget = {
  readonly facet: string;
  readonly facetsPath: string;
  readonly elements: number;
  readonly reportPath: string;
  readonly elementPaths: readonly string[];
};

const elementsMin = 10_000;
const pathCount = 1_000;

const largestFacet = `
select s.storage_id, s.collection_name, s.storage_name, e.facet, count(*)::int as elements
from content_repo.storage s join content_repo.element e using (tenant, storage_id)
where tenant = $1 and e.deleted_at is null group by 1, 2, 3, 4 order by elements desc limit 1`;

/** Spread over the facet, and the same in every run. */
const someElements = `
select element_id from content_repo.element where tenant = $1 and storage_id = $2 and facet = $3 and deleted_at is null
order by md5(element_id::text) limit ${pathCount}`;

type LargestFacet = {
  readonly storage_id: string;
  readonly collection_name: string;
  readonly storage_name: string;
  readonly facet: string;
  readonly elements: number;
};

export const withDatabase = async <T>(product: Product, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: product.variable('DATABASE_URL') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

export const findBenchTarget = (product: Product): Promise<BenchTarget> =>
  withDatabase(product, async (client) => {
    const [largest] = (await client.query<LargestFacet>(largestFacet, [benchTeam])).rows;
    if (!largest || largest.elements < elementsMin)
      throw new Error(
        `The largest facet has ${largest?.elements ?? 0} elements; start the product with TESSERA_DEMO=load for ${elementsMin}.`,
      );
    const { storage_id, collection_name, storage_name, facet, elements } = largest;
    const { rows } = await client.query<{ element_id: string }>(someElements, [benchTeam, storage_id, facet]);
    const facetsPath = `/${collection_name}/${storage_name}/_api/rest/facets`;
    const path = `${facetsPath}/${encodeURIComponent(facet)}`;
    return {
      facet,
      facetsPath,
      elements,
      reportPath: `${path}/reporting`,
      elementPaths: rows.map(({ element_id }) => `${path}/views/detail/elements/${element_id}`),
    };
  });
