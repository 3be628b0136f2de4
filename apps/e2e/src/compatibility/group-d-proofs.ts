/** Everything that group D promises, with what proves it. */
import { groupD } from '../group-d.js';
import { odataWay, proofsOfOData } from './odata-proofs.js';
import { none, suite, type OperationProofs, type Proof } from './proof.js';
import type { GroupProofs } from './render-compatibility.js';

const product = suite('apps/e2e/src/knowledge.e2e-spec.ts', 'every operation of group D');
const record = suite('apps/e2e/src/knowledge.e2e-spec.ts', 'a question about a record');
const model = suite('apps/e2e/src/knowledge.e2e-spec.ts', 'a question about the model');
const policies = suite('apps/e2e/src/knowledge.e2e-spec.ts', 'who sees what');
const refused = suite('apps/e2e/src/knowledge-live.e2e-spec.ts', 'a question that cannot be answered');
const change = suite('apps/e2e/src/knowledge-live.e2e-spec.ts', 'a change');
const demo = suite('apps/e2e/src/knowledge-live.e2e-spec.ts', 'the demo company');
const edge = suite('apps/gateway/src/http/every-knowledge-parameter.int-spec.ts', 'every operation of group D');
const misfit = suite('apps/gateway/src/http/every-knowledge-parameter.int-spec.ts', 'a question that does not fit');

const wrong = refused('is refused with what is wrong and what would be right: %s');
const nothingOfOthers = product('%s: knows no model of others and of nobody, and says the same of both');

const all: OperationProofs = {
  success: [product('%s: answers 200 with what its contract describes')],
  members: { km_id: [nothingOfOthers], record_id: [wrong] },
  failures: {
    KM_MODEL_NOTFOUND: [nothingOfOthers, wrong],
    KM_RECORD_NOTFOUND: [wrong],
    KM_FIELD_NOTFOUND: [wrong],
    KM_FILTER_NOTFOUND: [wrong],
    KM_KPI_NOTFOUND: [wrong],
    KM_FILTER_SYNTAX: [wrong],
    KM_FILTER_TYPE: [wrong],
    KM_JOIN_NOTFOUND: [wrong],
    SORT_UNKNOWN_FIELD: [wrong],
    SORT_HAS_OPPOSITE: [wrong],
    SORT_IS_EMPTY: [wrong],
    GENERAL_PARAMETER_MISSMATCH: [
      suite(
        'libs/knowledge-model/src/query/resolve-filters.spec.ts',
        'a question is refused for a filter of the model',
      )('%j: %s'),
    ],
  },
};

const way: Readonly<Record<string, readonly Proof[]>> = {
  'Every member of a request arrives from its place in the path, the query, the headers or the body': [
    edge('%s: takes each member of its request from its place and passes it on'),
    edge('%s: is called without what may be left out'),
    misfit('keeps what a plus stood for before a field'),
    misfit('passes ids on as they were written'),
  ],
  'A parameter that is wrong or misspelt is 400 and told with what was expected': [
    misfit('is refused with what was expected: %s'),
    misfit('in a body is refused with the path of the member'),
  ],
  'A missing or bad credential is 401 with the members of both bodies, a missing scope 403': [
    edge('%s: is 401 without a credential and 403 without its scope'),
  ],
  'What looks like SQL stays text': [refused('stays text, whatever SQL it looks like')],
  'Policies hold on every path': [
    policies('holds for rows and for what is computed of them'),
    policies('hides fields with all that reads them, wherever they could show'),
  ],
  'New data and new definitions are in the next answer': [
    change('of data is in the next answer of every replica, in rows, totals and KPIs'),
    change('of a model is what every replica answers next'),
  ],
  ...odataWay,
  'Figures are right': [
    demo('has the figures that its data was made with'),
    demo('has them by plant, each KPI over its own rows'),
    suite(
      'libs/knowledge-model/src/query-properties.int-spec.ts',
      'any question to any model over any rows',
    )('is answered by PostgreSQL as plain TypeScript answers it, or refused where it has to be'),
  ],
};

type Members = OperationProofs['members'];

const narrowed = record('is narrowed by filters of the model and by expressions, repeated or with commas');
const ordered = record('is sorted, paged and counted');
const searched = record('is searched, exactly and fuzzily, in all texts or in those that are named');
const inBody = record('means the same in a body');
const ofFields = record('is answered with all its fields, or with those that are named, in their order');
const once = record('leaves every combination once');
const joined = model('joins the records of its fields');
const aggregated = model('computes KPIs over groups, each over its own rows');
const afterwards = model('filters by KPIs after the aggregation');

const question: Members = {
  page: [ordered],
  pageSize: [ordered],
  sort: [ordered],
  fields: [ofFields],
  filters: [narrowed],
  filterExpr: [narrowed],
  options: [once],
  searchTerm: [searched],
  searchPrecision: [searched],
  searchField: [searched],
};

/** The same, where it stands in a body. */
const body: Members = {
  projection: [inBody],
  'projection.fields': [inBody, ofFields],
  'projection.filters': [inBody],
  'projection.filters.kmFilterNames': [inBody, narrowed],
  'projection.filters.filterExpr': [inBody, narrowed],
  'projection.pagination': [inBody],
  'projection.pagination.pageNumber': [inBody, ordered],
  'projection.pagination.pageSize': [inBody, ordered],
  'projection.sort': [inBody, ordered],
  'projection.options': [once],
  'projection.search': [searched],
  'projection.search.term': [searched],
  'projection.search.field': [searched],
  'projection.search.precision': [searched],
};

const ofRecord = (members: Members): OperationProofs => ({ success: [ofFields], members, failures: {} });
const ofModel = (members: Members): OperationProofs => ({ success: [joined, aggregated], members, failures: {} });

const service = 'apps/knowledge-models/src';
const models = suite(`${service}/lists/lists.int-spec.ts`, 'the list of models');
const page = suite(`${service}/lists/lists.int-spec.ts`, 'a page of a list');
const parts = suite(`${service}/lists/lists.int-spec.ts`, 'the parts of a model');
const recordDetails = suite(`${service}/lists/lists.int-spec.ts`, 'a record');
const summary = suite(`${service}/summary/summarise-record.int-spec.ts`, 'the summary of a record');
const document = suite(`${service}/spec/model-document.spec.ts`, 'the specification of a model');
const specification = suite(`${service}/spec/generate-spec.int-spec.ts`, 'the specification of a model');

const held = page('holds what is asked for and says how many there are');
const sorted = page('is sorted by %s, says %s, without regard to case and ties by id');
const notSorted = page('is not sorted by "%s"');
const listed = (...success: readonly Proof[]): OperationProofs => ({
  success,
  members: { page: [held], pageSize: [held], sort: [sorted] },
  failures: { SORT_UNKNOWN_FIELD: [notSorted], SORT_HAS_OPPOSITE: [notSorted], SORT_IS_EMPTY: [notSorted] },
});
const rowsOf = summary('is of the fields that are named and not left out, and of the rows that match all filters');

export const proofsOfGroupD: Readonly<Record<string, OperationProofs>> = {
  'knowledge.models.list': listed(
    models('has the published models of the team by their ids, each with its last publication'),
    models('is another one for each team, and empty for a team without models'),
    models('says when a model was published in UTC'),
  ),
  'knowledge.models.read': {
    success: [models('has the details of one, with its base')],
    members: {},
    failures: { KM_MODEL_NOTFOUND: [parts('are of an unknown model with the nearest right name')] },
  },
  'knowledge.filters.list': listed(parts('are filters'), parts('are those of the base as well')),
  'knowledge.records.list': listed(parts('are records with their texts'), parts('are those of the base as well')),
  'knowledge.records.read': {
    success: [
      recordDetails('has its fields by kind, in the order of definition'),
      recordDetails('has no field that is hidden from its caller, nor one that reads it'),
    ],
    members: {
      sort: [recordDetails('sorts each list of fields when asked to')],
      record_id: [recordDetails('is not there as %s')],
    },
    failures: {},
  },
  'knowledge.kpis.list': listed(
    parts('are KPIs with unit, format, direction, target and parameters'),
    parts('are without KPIs and filters that read a hidden field, in counts as well'),
  ),
  'knowledge.models.data': ofModel({ ...question, kpis: [aggregated, afterwards] }),
  'knowledge.models.queryData': ofModel({ ...body, 'projection.kpis': [inBody, aggregated] }),
  'knowledge.records.data': ofRecord(question),
  'knowledge.records.queryData': ofRecord(body),
  'knowledge.records.query': ofRecord(question),
  'knowledge.models.query': ofModel({ ...question, kpis: [aggregated, afterwards] }),
  'knowledge.models.spec': {
    success: [
      document('is OpenAPI 3.0.3'),
      document('has a query of each record and one of the KPIs, by parameters and by body'),
      document('says of each field its type, format, unit and texts'),
      document('tells nothing of what is hidden from its caller'),
      specification('has for each caller what that caller sees'),
    ],
    members: {
      curated: [specification('has the curated records alone when asked for them')],
      accept: [specification('is JSON or YAML of the same content, as the caller accepts')],
    },
    failures: {},
  },
  'knowledge.records.summary': {
    success: [
      summary('has the statistics of each type, over the rows that the caller sees'),
      summary('shows rows and columns to those only who may see them, in values, counts and texts'),
    ],
    members: {
      filters: [rowsOf],
      filterExpr: [rowsOf],
      fields: [rowsOf],
      excludeFields: [rowsOf],
      sampleSize: [
        summary('has a sample of the rows with headers, in the order of the identifier'),
        summary('has a large sample, too'),
      ],
    },
    failures: {},
  },
  'knowledge.models.postQuery': ofModel({ ...body, 'projection.kpis': [inBody, aggregated] }),
  'knowledge.records.postQuery': ofRecord(body),
  ...proofsOfOData,
};

/** As the table of the specification has them; those that it does not have come last. */
const placeOf = (name: string): number => Object.keys(proofsOfGroupD).indexOf(name);

export const provenGroupD: GroupProofs = {
  group: 'D',
  title: 'knowledge models',
  prefix: { path: '/intelligence/api/knowledge-models', short: 'M' },
  operations: groupD
    .map((operation) => ({ operation, proofs: proofsOfGroupD[operation.name] ?? none }))
    .sort((one, other) => placeOf(one.operation.name) - placeOf(other.operation.name)),
  all,
  way,
};
