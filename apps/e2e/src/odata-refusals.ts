/** Requests that OData refuses, with their status, errorCode and detail. */
import { odataPathOf, type QueryRequest } from './group-d.js';
import { testModelId } from './test-model.js';

const servicePath = odataPathOf(testModelId);
export const odataRequestAt = (
  path: string,
  query: QueryRequest['query'] = {},
  headers: QueryRequest['headers'] = {},
): QueryRequest => ({
  path: `${servicePath}${path}`,
  query,
  headers,
});
export const salesRequest = (query: QueryRequest['query'], headers: QueryRequest['headers'] = {}) =>
  odataRequestAt('/SALE_entries', query, headers);

type Refusal = readonly [string, QueryRequest, number, string, ...string[]];
const illegal = (name: string, question: QueryRequest, ...told: string[]): Refusal => [
  ...([name, question, 400, 'GENERAL_PARAMETER_ILLEGAL'] as const),
  ...told,
];
const syntax = ($filter: string, ...told: string[]): Refusal => [
  ...([`the filter ${$filter}`, salesRequest({ $filter }), 400, 'KM_FILTER_SYNTAX'] as const),
  ...told,
];
const unknown = (name: string, question: QueryRequest, ...told: string[]): Refusal => [
  ...([name, question, 400, 'KM_FIELD_NOTFOUND'] as const),
  ...told,
];
const unsupported = (option: string): Refusal => [
  ...([option, salesRequest({ [option]: 'x' }), 501, 'ODATA_OPTION_UNSUPPORTED'] as const),
  ...[option, '$filter'],
];
const notExpanded = (name: string, question: QueryRequest, ...told: string[]): Refusal => [
  ...([`${name} in $expand`, question, 501, 'ODATA_OPTION_UNSUPPORTED'] as const),
  ...told,
];
const format = (name: string, question: QueryRequest, ...told: string[]): Refusal => [
  ...([name, question, 415, 'ODATA_FORMAT_UNSUPPORTED'] as const),
  ...told,
];

export const refusedRequests: readonly Refusal[] = [
  ['an unknown model', { path: `${odataPathOf('trial.sale-km')}/SALE_entries` }, 404, 'KM_MODEL_NOTFOUND', testModelId],
  ['metadata of an unknown model', { path: `${odataPathOf('no-km')}/$metadata` }, 404, 'KM_MODEL_NOTFOUND'],
  ['an unknown record', odataRequestAt('/SALES_entries'), 404, 'KM_RECORD_NOTFOUND', 'SALE'],
  ['a count of an unknown record', odataRequestAt('/SAL_entries/$count'), 404, 'KM_RECORD_NOTFOUND', 'SALE'],
  ['an entry of an unknown record', odataRequestAt('/SAL_entries(1)'), 404, 'KM_RECORD_NOTFOUND', 'SALE'],
  ['a key that nobody has', odataRequestAt('/SALE_entries(99)'), 404, 'GENERAL_NOTFOUND'],
  ['a key of another type', odataRequestAt("/SALE_entries('one')"), 400, 'KM_FILTER_TYPE', 'SALE_NO'],
  syntax('AMOUNT gt', 'character 10'),
  syntax("COMPANY eq '1000", 'character 12'),
  syntax('AMOUNT >= 1', 'character 8', 'ge'),
  syntax('(AMOUNT gt 1', 'character 13'),
  syntax('AMOUNT gt 1 AND SALE_NO gt 1', 'character 13', 'and'),
  syntax('AMOUNT add gt 2', 'character 12'),
  syntax('AMOUNT mul 2', 'character 13', 'operator'),
  syntax('substring(SIZE) eq 1', 'character 1:', '2 or 3'),
  syntax("startswith(SIZE,'l') eq any(SIZE)", 'character'),
  syntax("CUSTOMER/any(c:c/NAME eq 'Ann')", 'character 1:', 'CUSTOMER/PROPERTY'),
  syntax("concatt(SIZE,'x') eq 'largex'", 'character 1:', 'concat'),
  syntax(`${'not ('.repeat(40)}SALE_NO eq 1${')'.repeat(40)}`, '32'),
  unknown('an unknown property of $select', salesRequest({ $select: 'AMOUNTS' }), 'AMOUNT'),
  unknown('an unknown property of $filter', salesRequest({ $filter: 'AMUNT gt 1' }), 'AMOUNT', 'character 1:'),
  unknown('an unknown property behind a relationship', salesRequest({ $filter: "CUSTOMER/NAM eq 'x'" }), 'NAME'),
  [
    'an unknown property of $orderby',
    salesRequest({ $orderby: 'SALE_NO,AMUNT desc' }),
    400,
    'SORT_UNKNOWN_FIELD',
    'AMOUNT',
  ],
  illegal('an unknown property of a key', odataRequestAt('/SALE_entries(SALE_NR=1)'), 'SALE_NO'),
  [
    'a literal of another type',
    salesRequest({ $filter: "AMOUNT gt 'much'" }),
    400,
    'KM_FILTER_TYPE',
    'character 11',
    'number',
  ],
  ['a date that is none', salesRequest({ $filter: 'SOLD_ON gt 2026-02-30' }), 400, 'KM_FILTER_', 'character'],
  ['an unknown filter of the model', salesRequest({ filterid: 'LARG' }), 400, 'KM_FILTER_NOTFOUND', 'LARGE'],
  illegal('a direction that is none', salesRequest({ $orderby: 'AMOUNT down' }), '$orderby'),
  illegal('fewer than no entries', salesRequest({ $top: '-1' }), '$top'),
  illegal('words in place of a number', salesRequest({ $skip: 'x' }), '$skip'),
  illegal('a count that is neither true nor false', salesRequest({ $count: 'all' }), '$count'),
  illegal('an option twice', salesRequest({ $top: ['1', '2'] }), '$top', 'more than once'),
  illegal('a misspelt option', salesRequest({ $fliter: 'x' }), '$fliter', '$filter'),
  illegal('a token that is none', salesRequest({ $skiptoken: 'abc' }), '$skiptoken'),
  illegal('a version that is none of ours', salesRequest({}, { 'odata-maxversion': '3.0' }), '4.0'),
  unknown('an unknown way of $expand', salesRequest({ $expand: 'COSTUMER' }), 'CUSTOMER', 'character 1:'),
  unknown(
    'an unknown property of $expand',
    salesRequest({ $expand: 'CUSTOMER($select=NAM)' }),
    'NAME',
    'character 18:',
  ),
  illegal('a way that is expanded twice', salesRequest({ $expand: 'CUSTOMER,CUSTOMER' }), 'character 10:', 'twice'),
  notExpanded(
    'a third step',
    odataRequestAt('/SALE_entries(1)', { $expand: 'CUSTOMER($expand=SALE($expand=CUSTOMER))' }),
    '$expand',
    'character 23:',
    '2 steps deep',
  ),
  unknown(
    'an unknown property in a filter of $expand',
    odataRequestAt('/CUSTOMER_entries', { $expand: 'SALE($filter=AMONT gt 1)' }),
    'AMOUNT',
    'character 14:',
  ),
  notExpanded('a reference', salesRequest({ $expand: 'CUSTOMER/$ref' }), '$ref'),
  ...['$compute', '$index', '$levels', '$id', '$deltatoken', '$schemaversion'].map(unsupported),
  ...['levels', 'COMPUTE'].map(unsupported),
  illegal('an option that nobody knows', salesRequest({ $unheard: '1' }), '$unheard'),
  illegal('a search without its end', salesRequest({ $search: 'small (large OR' }), 'character 16:', 'a word'),
  format('a format that nobody writes', salesRequest({ $format: 'csv' }), 'json'),
  format('a type that nobody writes', salesRequest({}, { accept: 'text/csv' }), 'application/json'),
  format('metadata as a picture', odataRequestAt('/$metadata', {}, { accept: 'image/png' }), 'application/xml'),
  format(
    'a service document as Atom entries',
    odataRequestAt('', { $format: 'application/atom+xml' }),
    'application/atomsvc+xml',
  ),
];
