/** Requests that OData refuses, with their status, errorCode and detail. */
import { odataOf, type QueryRequest } from './group-d.js';
import { modelId } from './test-model.js';

const servicePath = odataOf(modelId);
export const at = (
  path: string,
  query: QueryRequest['query'] = {},
  headers: QueryRequest['headers'] = {},
): QueryRequest => ({
  path: `${servicePath}${path}`,
  query,
  headers,
});
export const sales = (query: QueryRequest['query'], headers: QueryRequest['headers'] = {}) =>
  at('/SALE_entries', query, headers);

type Refusal = readonly [string, QueryRequest, number, string, ...string[]];
const illegal = (name: string, question: QueryRequest, ...told: string[]): Refusal => [
  ...([name, question, 400, 'GENERAL_PARAMETER_ILLEGAL'] as const),
  ...told,
];
const syntax = ($filter: string, ...told: string[]): Refusal => [
  ...([`the filter ${$filter}`, sales({ $filter }), 400, 'KM_FILTER_SYNTAX'] as const),
  ...told,
];
const unknown = (name: string, question: QueryRequest, ...told: string[]): Refusal => [
  ...([name, question, 400, 'KM_FIELD_NOTFOUND'] as const),
  ...told,
];
const unsupported = (option: string): Refusal => [
  ...([option, sales({ [option]: 'x' }), 501, 'ODATA_OPTION_UNSUPPORTED'] as const),
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

export const refusals: readonly Refusal[] = [
  ['an unknown model', { path: `${odataOf('trial.sale-km')}/SALE_entries` }, 404, 'KM_MODEL_NOTFOUND', modelId],
  ['metadata of an unknown model', { path: `${odataOf('no-km')}/$metadata` }, 404, 'KM_MODEL_NOTFOUND'],
  ['an unknown record', at('/SALES_entries'), 404, 'KM_RECORD_NOTFOUND', 'SALE'],
  ['a count of an unknown record', at('/SAL_entries/$count'), 404, 'KM_RECORD_NOTFOUND', 'SALE'],
  ['an entry of an unknown record', at('/SAL_entries(1)'), 404, 'KM_RECORD_NOTFOUND', 'SALE'],
  ['a key that nobody has', at('/SALE_entries(99)'), 404, 'GENERAL_NOTFOUND'],
  ['a key of another type', at("/SALE_entries('one')"), 400, 'KM_FILTER_TYPE', 'SALE_NO'],
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
  unknown('an unknown property of $select', sales({ $select: 'AMOUNTS' }), 'AMOUNT'),
  unknown('an unknown property of $filter', sales({ $filter: 'AMUNT gt 1' }), 'AMOUNT', 'character 1:'),
  unknown('an unknown property behind a relationship', sales({ $filter: "CUSTOMER/NAM eq 'x'" }), 'NAME'),
  ['an unknown property of $orderby', sales({ $orderby: 'SALE_NO,AMUNT desc' }), 400, 'SORT_UNKNOWN_FIELD', 'AMOUNT'],
  illegal('an unknown property of a key', at('/SALE_entries(SALE_NR=1)'), 'SALE_NO'),
  [
    'a literal of another type',
    sales({ $filter: "AMOUNT gt 'much'" }),
    400,
    'KM_FILTER_TYPE',
    'character 11',
    'number',
  ],
  ['a date that is none', sales({ $filter: 'SOLD_ON gt 2026-02-30' }), 400, 'KM_FILTER_', 'character'],
  ['an unknown filter of the model', sales({ filterid: 'LARG' }), 400, 'KM_FILTER_NOTFOUND', 'LARGE'],
  illegal('a direction that is none', sales({ $orderby: 'AMOUNT down' }), '$orderby'),
  illegal('fewer than no entries', sales({ $top: '-1' }), '$top'),
  illegal('words in place of a number', sales({ $skip: 'x' }), '$skip'),
  illegal('a count that is neither true nor false', sales({ $count: 'all' }), '$count'),
  illegal('an option twice', sales({ $top: ['1', '2'] }), '$top', 'more than once'),
  illegal('a misspelt option', sales({ $fliter: 'x' }), '$fliter', '$filter'),
  illegal('a token that is none', sales({ $skiptoken: 'abc' }), '$skiptoken'),
  illegal('a version that is none of ours', sales({}, { 'odata-maxversion': '3.0' }), '4.0'),
  unknown('an unknown way of $expand', sales({ $expand: 'COSTUMER' }), 'CUSTOMER', 'character 1:'),
  unknown('an unknown property of $expand', sales({ $expand: 'CUSTOMER($select=NAM)' }), 'NAME', 'character 18:'),
  illegal('a way that is expanded twice', sales({ $expand: 'CUSTOMER,CUSTOMER' }), 'character 10:', 'twice'),
  notExpanded(
    'a third step',
    at('/SALE_entries(1)', { $expand: 'CUSTOMER($expand=SALE($expand=CUSTOMER))' }),
    '$expand',
    'character 23:',
    '2 steps deep',
  ),
  unknown(
    'an unknown property in a filter of $expand',
    at('/CUSTOMER_entries', { $expand: 'SALE($filter=AMONT gt 1)' }),
    'AMOUNT',
    'character 14:',
  ),
  notExpanded('a reference', sales({ $expand: 'CUSTOMER/$ref' }), '$ref'),
  ...['$compute', '$index', '$levels', '$id', '$deltatoken', '$schemaversion'].map(unsupported),
  ...['levels', 'COMPUTE', '$unheard'].map(unsupported),
  illegal('a search without its end', sales({ $search: 'small (large OR' }), 'character 16:', 'a word'),
  format('a format that nobody writes', sales({ $format: 'csv' }), 'json'),
  format('a type that nobody writes', sales({}, { accept: 'text/csv' }), 'application/json'),
  format('metadata as a picture', at('/$metadata', {}, { accept: 'image/png' }), 'application/xml'),
  format('a service document as Atom entries', at('', { $format: 'application/atom+xml' }), 'application/atomsvc+xml'),
];
