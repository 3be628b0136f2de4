/** Everything that group C promises, with what proves it. */
import * as agents from '@tessera/contracts/agents';
import { agentsPrefix } from '@tessera/contracts/agents';
import { operationsIn } from '@tessera/testing';
import { agentsWay } from './agents-way.js';
import { none, suite, type OperationProofs, type Proof } from './proof.js';
import type { GroupProofs } from './render-compatibility.js';

const edge = 'apps/gateway/src';
const every = suite(`${edge}/agents/agents.int-spec.ts`, 'every operation of group C');
const message = suite(`${edge}/agents/agents.int-spec.ts`, 'a message');
const refused = suite(`${edge}/agents/agents.int-spec.ts`, 'a failure of an agent');
const tool = suite(`${edge}/agents/agents.int-spec.ts`, 'a call of a tool of an agent');
const eventsAtEdge = suite(`${edge}/agents/turns.int-spec.ts`, 'the events of a turn');
const described = suite(`${edge}/routes.int-spec.ts`, 'the OpenAPI document of agents');
const service = 'apps/agents/src';
const conversation = suite(`${service}/turns/turns.int-spec.ts`, 'a conversation');
const failing = suite(`${service}/turns/turns.int-spec.ts`, 'a turn that fails');
const kept = (title: string): Proof => ({ file: `${service}/turns/idempotency.int-spec.ts`, title });
const turn = suite(`${service}/turns/run-turn.spec.ts`, 'a turn');
const structured = suite(`${service}/turns/run-turn.spec.ts`, 'a structured answer');
const events = suite(`${service}/turns/event-queue.spec.ts`, 'events of a turn');
const list = suite(`${service}/conversations/conversations.int-spec.ts`, 'a list');
const stored = suite(`${service}/conversations/conversations.int-spec.ts`, 'a conversation');
const agent = suite(`${service}/agents/agents.int-spec.ts`, 'an agent');
const otherTeam = suite(`${service}/agents/agents.int-spec.ts`, 'another team');
const document = suite(`${service}/tools/tools-document.spec.ts`, 'the specification of tools in OpenAPI %s');
const schema = suite(`${service}/tools/tools-document.spec.ts`, 'a schema of a tool');
const listed = suite(`${service}/tools/tools.int-spec.ts`, 'the tools of an agent');
const called = suite(`${service}/tools/tools.int-spec.ts`, 'a call of a tool');
const byAgent = suite('apps/tool-gateway/src/tools/for-agents.int-spec.ts', 'a call by an agent');
const product = suite('apps/e2e/src/agent-turns.e2e-spec.ts', 'an agent with a model at an endpoint');

const inItsPlace = every('%s: takes each member of its request from its place and passes it on');
const nothingOfOthers = [
  every('%s: is a Problem for a team that has no such agent'),
  otherTeam('has no such agent: the answer is that of an agent that nobody has'),
];
const ownConversations = [
  conversation('belongs to its subject: for others of the team, other teams and other agents it is not there'),
  stored('does not differ from one that nobody has for who may not see it'),
];

const all: OperationProofs = {
  success: [every('%s: is called without what may be left out')],
  members: {
    agent_id: [...nothingOfOthers, agent('that is not there may have any name, and is told with the nearest')],
    draft: [
      inItsPlace,
      agent('has a draft beside what is published, and none when there is none'),
      agent('that was never published is there as a draft only, and not listed'),
    ],
  },
  failures: {
    AGENT_NOTFOUND: nothingOfOthers,
    AGENT_CONVERSATION_NOTFOUND: ownConversations,
  },
};

const again = kept(
  'answers a completed turn again, with the same bytes and a header that says so, in whatever replica',
);

export const proofsOfGroupC: Readonly<Record<string, OperationProofs>> = {
  'agents.converse': {
    called: 'C1',
    success: [
      described('shows a turn as a document or as events, and what a message may be'),
      product('answers with the figure of its tool, and says afterwards how it came to it'),
      conversation('begins without an id and goes on with it, in whatever replica'),
      turn('calls tools until the model answers, and stores each step before the next one begins'),
      structured('is asked for after the answer, without tools, and is not told as text'),
      structured('is mended once by the model, which sees the faults'),
      structured('is left out when the second does not fit either'),
    ],
    members: {
      message: [
        message('of 32,000 characters arrives as it is'),
        message('of 32,001 characters is 400'),
        message('that %s is 400, and told where and what was expected'),
      ],
      conversationId: [
        conversation('begins without an id and goes on with it, in whatever replica'),
        message('that %s is 400, and told where and what was expected'),
      ],
      accept: [
        eventsAtEdge('arrive one by one, at once and uncompressed'),
        eventsAtEdge('that break off end with an error that may be tried again, and tell nothing of why'),
        events('are one line of JSON each, in their order'),
        events('come while they happen'),
        events('tell that the turn goes on while nothing happens'),
        events('end with a problem that is the body of the same failure'),
        turn('tells what happens, in its order'),
        product('streams the same as it comes'),
      ],
      idempotencyKey: [
        message('takes one Idempotency-Key of up to 255 characters'),
        again,
        kept('answers it again as events, too'),
        kept('runs a failed turn again in its place: the message is there once'),
        kept('begins one turn when the same message comes twenty times at once'),
        kept('is of its subject: the same key of somebody else is another one'),
        kept('counts for a day by the clock of the database'),
      ],
    },
    failures: {
      AGENT_CONVERSATION_NOTFOUND: [refused('(%s) is a Problem with %d, also where events are accepted')],
      AGENT_CONVERSATION_BUSY: [
        refused('(%s) is a Problem with %d, also where events are accepted'),
        conversation('takes one message at a time, in all replicas'),
        conversation('lets one of a hundred messages win that come at once'),
        product('answers one message at a time, whatever replica the other one came to'),
      ],
      AGENT_MODEL_UNAVAILABLE: [
        refused('(%s) is a Problem with %d, also where events are accepted'),
        failing('keeps its message, says why, and the conversation goes on'),
        product('is 503 with the time to wait when its model is down, and keeps the message'),
      ],
      GENERAL_IDEMPOTENCY_MISMATCH: [kept('refuses another message, conversation, agent or draft under the key')],
      GENERAL_IDEMPOTENCY_RUNNING: [kept('refuses while the turn runs, and answers when it has ended')],
    },
  },
  'agents.tools.spec': {
    called: 'C2',
    success: [
      listed('are specified at the address that the caller used, as the version that is asked for'),
      listed('are those of its definition, in its order'),
      document('is valid'),
      document('has an operation for each tool, at the address of the agent'),
      document('says of a tool without an output schema that it answers an object, a text as its member'),
      document('takes the same credentials as every call'),
    ],
    members: {
      draft: [document('of a draft calls the draft'), listed('of a draft are those of drafts, where there are such')],
      version: [
        schema('stays as it is in OpenAPI 3.1, but for where its references lead'),
        schema('is said in the words of OpenAPI 3.0'),
      ],
    },
    failures: {},
  },
  'agents.tools.execute': {
    called: 'C3',
    success: [
      called('answers what the tool answers, asked as the caller, byte by byte'),
      called('answers an object for %s'),
      called('announces an effect before it begins, and none for a tool that only reads'),
    ],
    members: { tool_id: [called('finds its tool with - for _ and the other way round, and else names the nearest')] },
    failures: {
      AGENT_TOOL_NOTFOUND: [
        tool('(%s) is a Problem with %d'),
        called('finds its tool with - for _ and the other way round, and else names the nearest'),
      ],
      AGENT_ARGUMENTS_INVALID: [
        tool('with arguments that do not fit is 400 with every fault, also in the text'),
        called('says what is wrong with its arguments, each in words'),
        tool('takes no arguments but an object: %s'),
        tool('has to have a body'),
      ],
      TOOL_FAILED: [tool('(%s) is a Problem with %d'), called('hears of %s as %s')],
      TOOL_RESULT_INVALID: [tool('(%s) is a Problem with %d')],
      LIMIT_ASSET_EXCEEDED: [
        tool('(%s) is a Problem with %d'),
        byAgent('counts in the same quota as every other door'),
      ],
    },
  },
  'agents.list': { success: [agent('is listed by its team, with its name')], members: {}, failures: {} },
  'agents.conversations.list': {
    success: [
      list('has those of its subject alone'),
      list('shows the first 200 characters of the first message'),
      list(
        'is empty for an agent with whom nobody has talked, also one that is a draft, and 404 for one that is not there',
      ),
    ],
    members: {
      pageSize: [list('has the newest first, in pages that miss none')],
      after: [list('has the newest first, in pages that miss none')],
    },
    failures: {},
  },
  'agents.conversations.read': {
    success: [
      conversation('keeps every step, with what was asked of tools and what they said'),
      stored('stays readable when its agent is deleted'),
    ],
    members: {
      conversation_id: ownConversations,
      fromTurn: [stored('is read in parts')],
      turnsMax: [stored('is read in parts')],
    },
    failures: {},
  },
  'agents.conversations.delete': {
    success: [
      stored('goes with everything in it when it is deleted, once'),
      failing('ends without an answer when its conversation is deleted, in whatever replica'),
    ],
    members: { conversation_id: ownConversations },
    failures: {},
  },
};

const placeOf = (name: string): number => Object.keys(proofsOfGroupC).indexOf(name);

/** C1 to C3 are those of the specification; the others are beyond it. */
export const provenGroupC: GroupProofs = {
  group: 'C',
  title: 'agents',
  prefix: { path: agentsPrefix, short: 'G' },
  operations: operationsIn(agents, 'C')
    .map((operation) => ({ operation, proofs: proofsOfGroupC[operation.name] ?? none }))
    .sort((one, other) => placeOf(one.operation.name) - placeOf(other.operation.name)),
  all,
  way: agentsWay,
};
