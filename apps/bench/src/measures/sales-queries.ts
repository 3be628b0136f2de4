/** The addresses of the queries over a million sales. */
import { benchModelId, depotIdFor, plantConditionFor, salesFieldIds } from '../workload/bench-model.js';

const prefix = `/intelligence/api/knowledge-models/${benchModelId}`;
const pageFields = [
  'ID',
  'COUNTRY',
  'PLANT',
  'CUSTOMER',
  'PRODUCT',
  'STATUS',
  'QUANTITY',
  'AMOUNT',
  'EXPRESS',
  'SOLD_ON',
];

const address = (path: string, query: Readonly<Record<string, string | number>>): string =>
  `${prefix}${path}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()}`;

/** A page of 50 of the sales in one country over an amount, the newest first; `nototal`: how many they are is not counted. */
export const salesPageUrl = (amount: number, page: number, options?: 'nototal'): string =>
  address('/records/SALE/query', {
    fields: pageFields.join(','),
    sort: '-SOLD_ON',
    page,
    pageSize: 50,
    filterExpr: `COUNTRY eq 'DE' and AMOUNT gt ${amount}`,
    ...(options && { options }),
  });

/** The first 50 sales, by their identifier, of one of the models over them; another question for each number. */
export const firstSalesUrl = (modelId: string, number: number): string =>
  `${entriesOf(modelId, 'SALE')}?$filter=${encodeURIComponent(`AMOUNT gt ${number / 10_000}`)}&$top=50`;

/** The first visits, and those behind the middle of the table. */
export const firstVisitsUrl = (modelId: string, number: number): string =>
  `${entriesOf(modelId, 'VISIT')}?$filter=${encodeURIComponent(`MINUTES lt ${200 + number}`)}&$top=50`;
export const middleVisitsUrl = (modelId: string, number: number): string =>
  `${entriesOf(modelId, 'VISIT')}?$filter=${encodeURIComponent(`CUSTOMER gt 'C03' and MINUTES lt ${200 + number}`)}`;

const entriesOf = (modelId: string, record: string): string =>
  `/intelligence/api/odata/${modelId}.svc/${record}_entries`;

/** The same page as the arguments of load-data. */
export const salesPageToolArguments = (amount: number): string =>
  JSON.stringify({
    columns: pageFields.map((field) => `SALE.${field}`),
    order_by: 'SALE.SOLD_ON',
    ascending: false,
    applied_filters: {
      string_filters: [{ column_id: 'SALE.COUNTRY', values: ['DE'], case_sensitive: true }],
      numeric_filters: [{ column_id: 'SALE.AMOUNT', value: amount, comparator: '>' }],
    },
  });

/** Three KPIs of every plant. */
export const kpisByPlantUrl = (amount: number): string =>
  address('/query', {
    fields: 'SALE.PLANT',
    kpis: 'REVENUE,EXPRESS_RATE,SALES',
    sort: 'SALE.PLANT',
    filterExpr: `SALE.AMOUNT gt ${amount}`,
  });

/** The same of half of the plants, without one country: a rollup has them. */
export const kpisOfPlantsUrl = (number: number): string => {
  const { plants, withoutCountry } = plantConditionFor(number);
  return address('/query', {
    fields: 'SALE.PLANT',
    kpis: 'REVENUE,EXPRESS_RATE,SALES',
    sort: 'SALE.PLANT',
    filterExpr: `SALE.PLANT in (${plants.map((plant) => `'${plant}'`).join(',')}) and SALE.COUNTRY ne '${withoutCountry}'`,
  });
};

/** Two KPIs of every month, one of them a count of different values. */
export const kpisByMonthUrl = (amount: number): string =>
  address('/query', {
    fields: 'SALE.SOLD_ON:month',
    kpis: 'REVENUE,CUSTOMERS',
    sort: 'SALE.SOLD_ON:month',
    filterExpr: `SALE.AMOUNT gt ${amount}`,
    pageSize: 100,
  });

/** Two KPIs by a field of the 100,000 articles that were sold. */
export const kpisByArticleFamilyUrl = (amount: number): string =>
  address('/query', {
    fields: 'ARTICLE.FAMILY',
    kpis: 'REVENUE,SALES',
    sort: 'ARTICLE.FAMILY',
    filterExpr: `SALE.AMOUNT gt ${amount}`,
  });

/** Two KPIs of each of 8,000 customers, a page of them. */
export const kpisByCustomerUrl = (amount: number): string =>
  address('/query', {
    fields: 'SALE.CUSTOMER',
    kpis: 'REVENUE,SALES',
    sort: 'SALE.CUSTOMER',
    filterExpr: `SALE.AMOUNT gt ${amount}`,
  });

/** A page of 5,000 rows with all 20 fields; `turn` selects the first field, so that few queries repeat. */
export const allFieldsPageUrl = (page: number, turn: number): string =>
  address('/records/SALE/query', {
    fields: [...salesFieldIds.slice(turn), ...salesFieldIds.slice(0, turn)].join(','),
    page,
    pageSize: 5_000,
  });

/** Sales of a customer, searched for in one field or in every text; the name ends in a character too many. */
export const salesSearchUrl = (customer: number, field?: string): string =>
  address('/records/SALE/query', {
    fields: pageFields.join(','),
    searchTerm: `C${String(customer).padStart(5, '0')}x`,
    searchPrecision: 70,
    ...(field !== undefined && { searchField: field }),
  });

/** Questions of other shapes, for a load in which none is like the one before. */
export const mixedQueryUrl = (index: number): string => {
  const amount = 100 + index;
  switch (index % 6) {
    case 0:
    case 1:
    case 2:
      return salesPageUrl(100 + (index % 7), index % 400);
    case 3:
      return address('/records/SALE/data', {
        fields: salesFieldIds.slice(0, 8).join(','),
        filterExpr: `PLANT in ('P01','P0${index % 10}') and CREATED_AT ge 2023-0${1 + (index % 9)}-01`,
        pageSize: 20,
      });
    case 4:
      return address(`/records/SALE/query`, { fields: 'ID,NOTE', filterExpr: `ID eq ${1 + index * 37}` });
    default:
      return address('/query', {
        fields: 'SALE.CHANNEL',
        kpis: 'SALES',
        filterExpr: `SALE.CUSTOMER eq 'C${String(amount).padStart(5, '0')}'`,
      });
  }
};

/** All sales with all of their fields, as CSV. */
export const allSalesCsvUrl = address('/records/SALE/query', { fields: salesFieldIds.join(','), $format: 'csv' });

const service = `/intelligence/api/odata/${benchModelId}.svc`;
const entries = `${service}/SALE_entries`;

/** An OData page of 50 of the sales in one country over an amount, the newest first. */
export const odataSalesPageUrl = (amount: number): string =>
  `${entries}?$select=${pageFields.join(',')}&$filter=${encodeURIComponent(`COUNTRY eq 'DE' and AMOUNT gt ${amount}`)}&$orderby=SOLD_ON%20desc&$top=50`;

/** All sales with all of their fields. */
export const allSalesODataUrl = entries;

/** One KPI of every plant, as `/query` answers it and as `$apply` does. */
export const revenueByPlantUrl = (amount: number): string =>
  address('/query', {
    fields: 'SALE.PLANT',
    kpis: 'REVENUE',
    sort: 'SALE.PLANT',
    filterExpr: `SALE.AMOUNT gt ${amount}`,
  });
export const odataRevenueByPlantUrl = (amount: number): string =>
  `${entries}?$apply=${encodeURIComponent(`filter(AMOUNT gt ${amount})/groupby((PLANT),aggregate(REVENUE))`)}&$orderby=PLANT`;

/** The fifty customers of a depot, by a filter, behind the key of the depot, and with their visits; `number` makes it another question. */
export const customersByFilterUrl = (number: number): string =>
  `${service}/CUSTOMER_entries?$filter=${encodeURIComponent(`DEPOT eq '${depotIdFor(number)}' and NAME ne 'x${number}'`)}`;
export const customersByPathUrl = (number: number): string =>
  `${service}/DEPOT_entries('${depotIdFor(number)}')/CUSTOMER?$filter=${encodeURIComponent(`NAME ne 'x${number}'`)}`;
export const customersWithVisitsUrl = (number: number): string =>
  `${customersByFilterUrl(number)}&$expand=${encodeURIComponent('VISIT($select=ID,VISITED_ON,MINUTES)')}`;

export const odataBatchUrl = `${service}/$batch`;
export const createODataBatch = (urls: readonly string[]): string =>
  JSON.stringify({ requests: urls.map((url, index) => ({ id: String(index + 1), method: 'get', url })) });

/** What the model is, by the name of the document. */
export const modelDocumentUrls = {
  'OData metadata': `/intelligence/api/odata/${benchModelId}.svc/$metadata?$format=json`,
  'OpenAPI document of the model': `${prefix}/spec`,
} as const;
