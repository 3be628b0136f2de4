/** Everything that group B promises, with what proves it. */
import * as toolGateway from '@tessera/contracts/tool-gateway';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { operationsIn } from '@tessera/testing';
import { none, suite, type OperationProofs, type Proof } from './proof.js';
import type { GroupProofs } from './render-compatibility.js';

const edge = 'apps/gateway/src';
const tool = suite(`${edge}/agent-tools/agent-tools.int-spec.ts`, 'a call of a tool');
const message = suite(`${edge}/mcp/mcp-endpoint.int-spec.ts`, 'a message to an MCP server');
const answer = suite(`${edge}/mcp/mcp-endpoint.int-spec.ts`, 'the answer of an MCP server');
const page = suite(`${edge}/mcp/mcp-admission.int-spec.ts`, 'a page of another origin');
const method = suite(`${edge}/mcp/mcp-admission.int-spec.ts`, 'another method');
const stranger = suite(`${edge}/mcp/mcp-admission.int-spec.ts`, 'a caller without a credential');
const narrow = suite(`${edge}/mcp/mcp-admission.int-spec.ts`, 'a caller without the scope');
const metadata = suite(`${edge}/mcp/mcp-admission.int-spec.ts`, 'the document about an endpoint');

const product = 'apps/e2e/src';
const policies = suite(`${product}/tool-callers.e2e-spec.ts`, 'policies of a model');
const caller = suite(`${product}/tool-callers.e2e-spec.ts`, 'a caller');
const runner = suite(`${product}/mcp-conformance.e2e-spec.ts`, 'the conformance runner');
const client = suite(`${product}/mcp-conformance.e2e-spec.ts`, 'the official client');
const overHttp = suite(`${product}/tools.e2e-spec.ts`, 'a call over HTTP');
const inReplicas = (title: string): Proof => ({ file: `${product}/tool-replicas.e2e-spec.ts`, title });

const service = 'apps/tool-gateway/src';
const complete = (name: string) => suite(`${service}/mcp/complete-path.spec.ts`, name);
const short = suite(`${service}/mcp/short-path.spec.ts`, 'the short path answers as the complete one');
const call = suite(`${service}/calls/calls.int-spec.ts`, 'a call');
const anyTool = suite(`${service}/calls/calls.int-spec.ts`, 'a tool of any kind');
const quota = suite(`${service}/calls/calls.int-spec.ts`, 'the quota of an asset');
const asset = suite(`${service}/assets/assets.int-spec.ts`, 'an asset');
const otherTeam = suite(`${service}/assets/assets.int-spec.ts`, 'another team');
const foreign = suite(`${service}/http-request/http-request-tool.spec.ts`, 'the answer of a foreign system');

const nothingOfOthers = [
  caller('of another team cannot tell an asset of this one from one that nobody has'),
  otherTeam('has no such asset: the answer is that of an asset that nobody has'),
];
const drafts = [
  suite(`${product}/tools.e2e-spec.ts`, 'an asset of a workspace')('is tried out as a draft, which nobody else calls'),
  asset('has a draft beside what is published, and none when it says the same'),
  asset('that was never published is called as a draft only'),
];

const all: OperationProofs = {
  success: [],
  members: { asset_id: nothingOfOthers, draft: drafts },
  failures: { TOOL_ASSET_NOTFOUND: nothingOfOthers },
};

const way: Readonly<Record<string, readonly Proof[]>> = {
  'A missing or bad credential is 401, a missing scope 403': [
    tool('%s is a Problem'),
    stranger('is told where the endpoint says who gives one'),
    narrow('is told which one it lacks'),
    caller('without the scope that the data needs gets 403, over MCP a result that names the scope'),
    call('needs the scope of its data'),
    metadata('is public and the same for every asset'),
  ],
  'A page of another origin is 403, another method of an MCP server 405': [
    page('is refused before anybody asks for its credential'),
    page('that gave its name to this machine is told by its host'),
    method('%s is not allowed, for anybody'),
  ],
  'Past the hourly limit is 429': [
    suite(
      `${edge}/limits/rate-limit.int-spec.ts`,
      'the rate limit',
    )('lets exactly 5 of 5 through and tells the rest when to come back'),
  ],
  'Policies hold through both doors': [
    policies('hold for the rows that load-data answers'),
    policies('hide a field from lists, descriptions, searches and questions alike'),
    policies('hold for what drives a KPI'),
  ],
  'A replica that dies loses no call that may be made again, and no effect is had twice': [
    inReplicas('loses no call that may be made again, and makes none with an effect twice'),
    suite(
      'libs/messaging/src/announcements.int-spec.ts',
      'an effect that is announced',
    )('is not had twice when its replica dies; a call that announced none is sent to another replica'),
  ],
  'What is published or deleted is what every replica has next': [
    asset('is what was published last, in every replica at once'),
    asset('is gone for every replica when it is deleted'),
  ],
  'Every call has a row of the log': [
    anyTool('has an effect only after it is logged and announced'),
    inReplicas('has a row of the log for every call that was answered, and for every effect'),
  ],
  'What is down, busy or late is 503': [
    suite(`${edge}/outages.int-spec.ts`, 'a service that is not there')('is 503 at once, and 200 when it is back'),
  ],
  'A failure is a Problem, and 422 a list of what is wrong with the arguments': [
    suite(
      `${edge}/http/send-failure.spec.ts`,
      'a failure as an answer',
    )('is a Problem in groups B and C, for the administration and without a group'),
    tool('gets a list of what is wrong with its arguments, each at its place in them'),
    tool('with the body %s as %s is a Problem'),
  ],
};

const asItIs = tool('brings the arguments as they are, with the asset, the tool and whether it is the draft');
const problem = tool('of %s is a Problem with %d');
const named = call('finds its tool with - for _ and the other way round, and else names the nearest');
const carried = message('arrives as the text that was sent, with the headers of the protocol');
const stateless = complete('a stateless client');

export const proofsOfGroupB: Readonly<Record<string, OperationProofs>> = {
  'tools.call': {
    called: 'B1',
    success: [
      asItIs,
      tool('has no arguments without a body'),
      tool('may answer a text'),
      overHttp('finds content by misspelt words in both languages'),
      call('answers what the owner of the data answers, byte by byte'),
      call('without arguments has none'),
      anyTool('gets its arguments with standards filled in, and what came stays as it came'),
    ],
    members: { tool_id: [asItIs, named], draft: [asItIs] },
    failures: {
      TOOL_NOTFOUND: [problem, named, overHttp('of what is not there is 404, whatever is missing')],
      TOOL_ARGUMENTS_INVALID: [
        tool('gets a list of what is wrong with its arguments, each at its place in them'),
        overHttp('with arguments that do not fit is 422 with a list of all that is wrong'),
        call('is told every fault of its arguments at once, with the nearest right names'),
        call('takes no arguments but an object: %j'),
        call('passes on the faults that only the owner finds'),
      ],
      TOOL_FAILED: [problem, foreign('fails with the status %s and nothing of what it says')],
      TOOL_RESULT_INVALID: [
        call('never answers a result that does not fit'),
        anyTool('has to answer what its schema says, and not content alone'),
      ],
      LIMIT_ASSET_EXCEEDED: [problem, quota('is exact over two replicas and all of its tools')],
    },
  },
  'tools.mcp': {
    success: [
      runner('finds nothing wrong for %s but what does not apply'),
      runner('looked at all that an asset has, for %s'),
      client('lists and calls, %s'),
      client('of the first generation lists, calls and hears of progress'),
      short('lists and calls of revision %s'),
      short('lists and calls of stateless clients'),
      answer('has the status %d and the body that the protocol says'),
      answer('without a body has no type'),
      answer('in events shows each at once, uncompressed, before the next one is there'),
    ],
    members: {
      draft: [carried],
      accept: [
        carried,
        suite(`${service}/mcp/choose-shape.spec.ts`, 'chooseShape')('takes %j for %j'),
        complete('a client that takes events alone')('reads the answer as one'),
      ],
      contentType: [message('is a text whatever it is, as %s'), complete('every client')('is told what is no message')],
      protocolVersion: [
        carried,
        complete('a client that begins with initialize')('is told of a revision that nobody knows'),
      ],
      methodHeader: [carried, stateless('is refused when header and message differ')],
      nameHeader: [carried, stateless('is refused when header and message differ')],
    },
    failures: {},
  },
};

const placeOf = (name: string): number => Object.keys(proofsOfGroupB).indexOf(name);

export const provenGroupB: GroupProofs = {
  group: 'B',
  title: 'agent tools',
  prefix: { path: mcpPrefix, short: 'T' },
  operations: operationsIn(toolGateway, 'B')
    .map((operation) => ({ operation, proofs: proofsOfGroupB[operation.name] ?? none }))
    .sort((one, other) => placeOf(one.operation.name) - placeOf(other.operation.name)),
  all,
  way,
};
