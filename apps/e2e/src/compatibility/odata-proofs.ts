/** What group D promises over OData, with what proves it. */
import { suite, type OperationProofs, type Proof } from './proof.js';

const entries = suite('apps/e2e/src/odata.e2e-spec.ts', 'entries');
const form = suite('apps/e2e/src/odata.e2e-spec.ts', 'a representation');
const policies = suite('apps/e2e/src/odata.e2e-spec.ts', 'who sees what over OData');
const odata = suite('apps/e2e/src/odata-live.e2e-spec.ts', 'OData');
const library = suite('apps/e2e/src/odata-live.e2e-spec.ts', 'the client library %s');
const metadata = suite('apps/e2e/src/odata-live.e2e-spec.ts', '$metadata of the demo');
const allRows = suite('apps/e2e/src/odata-live.e2e-spec.ts', 'all rows of the demo');
const service = 'apps/knowledge-models/src/odata';
const page = suite(`${service}/odata-entries.int-spec.ts`, 'a page of entries');
const entry = suite(`${service}/odata-entries.int-spec.ts`, 'an entry');
const related = suite(`${service}/odata-related.int-spec.ts`, 'an entry with related ones');
const relatedPages = suite(`${service}/odata-related.int-spec.ts`, 'all pages with related entries');
const relatedPolicies = suite(`${service}/odata-related.int-spec.ts`, 'policies of related entries');
const documents = suite(`${service}/odata-entries.int-spec.ts`, 'what there is');
const edge = 'apps/gateway/src/odata/odata.int-spec.ts';
const path = suite(edge, 'a path of OData');
const option = suite(edge, 'a query option of OData');
const failure = suite(edge, 'a failure on a path of OData');
const bytes = 'apps/gateway/src/http/representations.int-spec.ts';

const refused = odata('refuses with what is wrong and what would be right: %s');
const chosen = form('of "%s" is chosen by $format %j, else by Accept %j');
const version = form('is of the version that the client takes at most');
const shown = documents('is told as JSON and as XML, to each caller what that caller sees');
const matching = [
  entries('are those that match $filter: %s'),
  entries('are those that match filters of the model by filterid, all of them and $filter'),
];
const cut = entries('are ordered, cut and counted');
const pages = entries('come in pages of the size that the client prefers, each once, in their order');
const selected = entries('have all properties in the order of the model, or those that are selected');
const expanded = entries('show related entries by $expand, to each caller what that caller sees of them');
const token = odata('refuses a token that was changed, cut, or taken to another order or set');

const common: OperationProofs['members'] = {
  $format: [chosen],
  accept: [chosen],
  odataVersion: [version],
  odataMaxVersion: [version],
};
const failures: OperationProofs['failures'] = {
  ODATA_FORMAT_UNSUPPORTED: [refused],
  ODATA_OPTION_UNSUPPORTED: [refused, option('that is not served is told by name and with what there is: %s')],
};

export const proofsOfOData: Readonly<Record<string, OperationProofs>> = {
  'knowledge.odata.metadata': {
    success: [
      metadata('of %s for %s is CSDL by the schemas of the standard, as XML and as JSON'),
      library('reads $metadata'),
      shown,
    ],
    members: common,
    failures,
  },
  'knowledge.odata.service': { success: [shown], members: common, failures },
  'knowledge.odata.entries': {
    success: [
      selected,
      library('pages through all rows, each once'),
      library('filters and counts as /query does'),
      page('tells with full metadata of each entry what it is and where it is'),
      page('has without metadata its count and nothing else that is no value'),
    ],
    members: {
      ...common,
      $filter: matching,
      filterid: matching,
      $select: [selected],
      $expand: [
        expanded,
        related('shows each as an object with what is selected of it, or as null'),
        relatedPages('have each entry once, in the same order as without: %s'),
        relatedPolicies('hide rows: who does not see them sees none'),
      ],
      $orderby: [cut, pages],
      $top: [cut],
      $skip: [cut],
      $count: [cut, page('counts as /query does, once for both')],
      $skiptoken: [pages, token],
      prefer: [pages],
    },
    failures,
  },
  'knowledge.odata.count': {
    success: [entries('are counted by /$count')],
    members: { ...common, $filter: matching, filterid: matching },
    failures,
  },
  'knowledge.odata.entry': {
    success: [entries('are found by their keys, named or not'), entry('leads to what is related to it')],
    members: {
      ...common,
      key: [entries('are found by their keys, named or not'), refused],
      $select: [selected],
      $expand: [expanded, related('is the same found by its key')],
    },
    failures: {
      ...failures,
      GENERAL_NOTFOUND: [refused, policies('tells an entry that is hidden as one that nobody has')],
    },
  },
};

export const odataWay: Readonly<Record<string, readonly Proof[]>> = {
  'Clients write paths and options of OData as they are used to': [
    path('%s reaches its operation'),
    option('is taken as %s'),
    option('is refused with what was expected: %s'),
  ],
  'Failures on paths of OData have the error that clients of OData read': [
    failure('of a service has the error that clients of OData read'),
    failure('is of type JSON for those who ask for it by name'),
    library('tells what was wrong in the words of the service'),
  ],
  'All rows come back once and only once while their table is loaded': [
    allRows('come back once and only once by nextLink while loads replace their table'),
  ],
  'Policies hold over OData': [
    policies('holds for rows, however they are asked for'),
    policies('holds behind a link that somebody else was given'),
    policies('hides properties with all that reads them, wherever they could show'),
  ],
  'What looks like SQL stays text over OData': [odata('takes for text whatever looks like SQL')],
  'HEAD has the headers of GET': [
    suite(bytes, 'HEAD')('has the headers of GET and no body: %s'),
    form('has for HEAD the headers alone, and travels as gzip'),
  ],
  'gzip is for those who welcome it': [
    suite(bytes, 'gzip')('is what those get who welcome it, and the same to the byte'),
    suite(bytes, 'gzip')('is for answers in pieces, too'),
  ],
};
