/** The addresses of the queries over a million sales. */
import { benchModelId, customerIdFor, depotIdFor, plantConditionFor, salesFieldIds } from '../workload/bench-model.js';

const pageFields = 'ID,COUNTRY,PLANT,CUSTOMER,PRODUCT,STATUS,QUANTITY,AMOUNT,EXPRESS,SOLD_ON';
const allFields = salesFieldIds.join();

type Parameters = Readonly<Record<string, string | number>>;
const query = (path: string, parameters: Parameters, modelId = benchModelId): string => {
  const pairs = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
  return `/intelligence/api/knowledge-models/${modelId}${path}?${new URLSearchParams(pairs).toString()}`;
};
const service = (modelId = benchModelId): string => `/intelligence/api/odata/${modelId}.svc`;
const odata = (path: string, parameters: Readonly<Record<string, string>>, modelId?: string): string =>
  `${service(modelId)}/${path}?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;

const records = '/records/SALE/query';
const inGermany = (amount: number): string => `COUNTRY eq 'DE' and AMOUNT gt ${amount}`;

/** A page of 50 of the sales in one country over an amount, the newest first; `nototal`: how many they are is not counted. */
export const salesPageUrl = (amount: number, page: number, options?: 'nototal'): string =>
  query(records, {
    fields: pageFields,
    sort: '-SOLD_ON',
    page,
    pageSize: 50,
    filterExpr: inGermany(amount),
    ...(options && { options }),
  });

/** The same page as the arguments of load-data. */
export const salesPageToolArguments = (amount: number): string =>
  JSON.stringify({
    columns: pageFields.split(',').map((field) => `SALE.${field}`),
    order_by: 'SALE.SOLD_ON',
    ascending: false,
    applied_filters: {
      string_filters: [{ column_id: 'SALE.COUNTRY', values: ['DE'], case_sensitive: true }],
      numeric_filters: [{ column_id: 'SALE.AMOUNT', value: amount, comparator: '>' }],
    },
  });

/** The first 50 sales, by their identifier, of one of the models over them; another question for each number. */
export const firstSalesUrl = (modelId: string, number: number): string =>
  odata('SALE_entries', { $filter: `AMOUNT gt ${number / 10_000}`, $top: '50' }, modelId);
/** The first visits, and those behind the middle of the table. */
export const firstVisitsUrl = (modelId: string, number: number): string =>
  odata('VISIT_entries', { $filter: `MINUTES lt ${200 + number}`, $top: '50' }, modelId);
export const middleVisitsUrl = (modelId: string, number: number): string =>
  odata('VISIT_entries', { $filter: `CUSTOMER gt 'C03' and MINUTES lt ${200 + number}` }, modelId);

/** KPIs by a field, of the sales over an amount; the model has 24 plants, 40 families of articles, 8,000 customers. */
const kpisUrl =
  (field: string, kpis: string) =>
  (amount: number): string =>
    query('/query', { fields: field, kpis, sort: field, filterExpr: `SALE.AMOUNT gt ${amount}`, pageSize: 100 });
export const kpisByPlantUrl = kpisUrl('SALE.PLANT', 'REVENUE,EXPRESS_RATE,SALES');
export const kpisByMonthUrl = kpisUrl('SALE.SOLD_ON:month', 'REVENUE,CUSTOMERS');
export const kpisByArticleFamilyUrl = kpisUrl('ARTICLE.FAMILY', 'REVENUE,SALES');
export const kpisByCustomerUrl = kpisUrl('SALE.CUSTOMER', 'REVENUE,SALES');
export const revenueByPlantUrl = kpisUrl('SALE.PLANT', 'REVENUE');
/** The same by `$apply`. */
export const odataRevenueByPlantUrl = (amount: number): string =>
  odata('SALE_entries', {
    $apply: `filter(AMOUNT gt ${amount})/groupby((PLANT),aggregate(REVENUE))`,
    $orderby: 'PLANT',
  });

/** KPIs of half of the plants, without one country: a rollup has them. */
export const kpisOfPlantsUrl = (number: number): string => {
  const { plants, withoutCountry } = plantConditionFor(number);
  const filterExpr = `SALE.PLANT in (${plants.map((plant) => `'${plant}'`).join()}) and SALE.COUNTRY ne '${withoutCountry}'`;
  return query('/query', { fields: 'SALE.PLANT', kpis: 'REVENUE,EXPRESS_RATE,SALES', sort: 'SALE.PLANT', filterExpr });
};

/** A page of 5,000 rows with all 20 fields; `turn` selects the first field, so that few queries repeat. */
export const allFieldsPageUrl = (page: number, turn: number): string => {
  const fields = [...salesFieldIds.slice(turn), ...salesFieldIds.slice(0, turn)].join();
  return query(records, { fields, page, pageSize: 5_000 });
};

/** Sales of a customer, searched for in one field or in every text; the name ends in a character too many. */
export const salesSearchUrl = (customer: number, field?: string): string =>
  query(records, {
    fields: pageFields,
    searchTerm: `${customerIdFor(customer)}x`,
    searchPrecision: 70,
    ...(field !== undefined && { searchField: field }),
  });

/** Half pages, the rest data by plant and instant without an index, single rows and KPIs of a customer. */
export const mixedQueryUrl = (index: number): string => {
  if (index % 6 < 3) return salesPageUrl(100 + (index % 7), index % 400);
  if (index % 6 === 3)
    return query('/records/SALE/data', {
      fields: salesFieldIds.slice(0, 8).join(),
      filterExpr: `PLANT in ('P01','P0${index % 10}') and CREATED_AT ge 2023-0${1 + (index % 9)}-01`,
      pageSize: 20,
    });
  if (index % 6 === 4) return query(records, { fields: 'ID,NOTE', filterExpr: `ID eq ${1 + index * 37}` });
  const filterExpr = `SALE.CUSTOMER eq '${customerIdFor(100 + index)}'`;
  return query('/query', { fields: 'SALE.CHANNEL', kpis: 'SALES', filterExpr });
};

/** All sales with all of their fields. */
export const allSalesCsvUrl = query(records, { fields: allFields, $format: 'csv' });
export const allSalesODataUrl = `${service()}/SALE_entries`;

/** An OData page of 50 of the sales in one country over an amount, the newest first. */
export const odataSalesPageUrl = (amount: number): string =>
  odata('SALE_entries', {
    $select: pageFields,
    $filter: inGermany(amount),
    $orderby: 'SOLD_ON desc',
    $top: '50',
  });

/** The fifty customers of a depot, by a filter, behind the key of the depot, and with their visits; `number` makes it another question. */
export const customersByFilterUrl = (number: number): string =>
  odata('CUSTOMER_entries', { $filter: `DEPOT eq '${depotIdFor(number)}' and NAME ne 'x${number}'` });
export const customersByPathUrl = (number: number): string =>
  odata(`DEPOT_entries('${depotIdFor(number)}')/CUSTOMER`, { $filter: `NAME ne 'x${number}'` });
export const customersWithVisitsUrl = (number: number): string =>
  `${customersByFilterUrl(number)}&$expand=${encodeURIComponent('VISIT($select=ID,VISITED_ON,MINUTES)')}`;

export const odataBatchUrl = `${service()}/$batch`;
export const createODataBatch = (urls: readonly string[]): string =>
  JSON.stringify({ requests: urls.map((url, index) => ({ id: String(index + 1), method: 'get', url })) });

/** Documents about the model, by their names. */
export const modelDocumentUrls = {
  'OData metadata': `${service()}/$metadata?$format=json`,
  'OpenAPI document of the model': `/intelligence/api/knowledge-models/${benchModelId}/spec`,
} as const;
