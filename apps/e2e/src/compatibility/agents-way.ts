/** What group C promises for every request, and for every turn of a conversation. */
import { suite, type Proof } from './proof.js';

const edge = 'apps/gateway/src';
const every = suite(`${edge}/agents/agents.int-spec.ts`, 'every operation of group C');
const message = suite(`${edge}/agents/agents.int-spec.ts`, 'a message');
const refused = suite(`${edge}/agents/agents.int-spec.ts`, 'a failure of an agent');
const turnAtEdge = suite(`${edge}/agents/turns.int-spec.ts`, 'a turn');
const leaving = suite(`${edge}/agents/turns.int-spec.ts`, 'a client that leaves');
const draining = suite(`${edge}/drain.int-spec.ts`, 'a turn of a conversation');
const described = suite(`${edge}/routes.int-spec.ts`, 'the OpenAPI document of agents');
const service = 'apps/agents/src';
const conversation = suite(`${service}/turns/turns.int-spec.ts`, 'a conversation');
const failing = suite(`${service}/turns/turns.int-spec.ts`, 'a turn that fails');
const replica = suite(`${service}/turns/turns.int-spec.ts`, 'a replica');
const kept = (title: string): Proof => ({ file: `${service}/turns/idempotency.int-spec.ts`, title });
const turn = suite(`${service}/turns/run-turn.spec.ts`, 'a turn');
const injected = suite(`${service}/turns/run-turn.spec.ts`, 'instructions in data');
const care = suite(`${service}/conversations/conversations.int-spec.ts`, 'care');
const byAgent = suite('apps/tool-gateway/src/tools/for-agents.int-spec.ts', 'a call by an agent');
const killed = suite('apps/e2e/src/agent-turns.e2e-spec.ts', 'one of two replicas');

export const agentsWay: Readonly<Record<string, readonly Proof[]>> = {
  'Every member of a request arrives from its place in the path, the query, the headers or the body': [
    every('%s: takes each member of its request from its place and passes it on'),
    every('%s: is called without what may be left out'),
  ],
  'A failure is a Problem: `type`, `title`, `status`, `detail`, `instance`, and more that says what to do': [
    suite(
      `${edge}/http/send-failure.spec.ts`,
      'a failure as an answer',
    )('is a Problem in groups B and C, for the administration and without a group'),
    described('shows a Problem for every failure of %s that is promised, and for any other'),
    refused('(%s) is a Problem with %d, also where events are accepted'),
  ],
  'What is wrong with a body or a parameter is 400, with its place and what was expected': [
    message('that %s is 400, and told where and what was expected'),
    message('is told all its faults at once'),
    message('with the body %s is refused'),
    message('without a body is 400'),
    message('is refused with a parameter that is misspelt or of another type, and not with one that is near nothing'),
  ],
  'A body that is too large is 413, one of another type 415': [
    message('larger than any body may be is 413'),
    message('as %s is 415'),
  ],
  'A missing or bad credential is 401, a missing scope 403': [
    every('%s: is 401 without a credential and 403 without its scope'),
    conversation('needs the scope of tools when the agent has some, and nothing is stored without it'),
  ],
  'A path or a method that nothing has is 404': [
    refused('is a Problem where nothing is, or by a method that nothing has'),
  ],
  'Past the hourly limit is 429': [
    suite(
      `${edge}/limits/rate-limit.int-spec.ts`,
      'the rate limit',
    )('lets exactly 5 of 5 through and tells the rest when to come back'),
  ],
  'A bug is 500 and tells nothing of itself': [
    suite(`${edge}/http/answers.int-spec.ts`, 'a bug')('of a service is an internal error without a word of it'),
  ],
  'What is down, busy or late is 503': [
    suite(`${edge}/outages.int-spec.ts`, 'a service that is not there')('is 503 at once, and 200 when it is back'),
    turnAtEdge('that outlasts its own time is 503'),
    draining('that takes longer than its gateway has is answered as unavailable, and so do its events end'),
  ],
  'A turn has its own time, and is whole while its gateway stops': [
    turnAtEdge('has the time that is set for turns, and other requests theirs'),
    turnAtEdge('outlasts requests that take too long, whole and as events'),
    draining('that ends while its gateway stops arrives whole, also as events'),
  ],
  'A turn ends inside its limits, by a reason that is named': [
    turn('stops at its steps: the last one may not call and is told to answer'),
    turn('stops at its tokens, before the calls of the step that reached them'),
    turn('stops at its seconds, whatever it waits for'),
    turn('stops when the same call comes a fourth time, which is not made'),
    turn('stops when a tool that there is not is called a fourth time, with the nearest one named before'),
    turn('stops as the model itself did: %s'),
  ],
  'A tool is called as the caller, and nothing in data changes that': [
    suite(
      `${service}/tools/tools.int-spec.ts`,
      'the tools of an agent',
    )('need the scope of tools, unless there are none'),
    byAgent('is answered as over HTTP, and logged with its own door and the subject that talks to the agent'),
    injected('cannot add a tool, choose another asset or change who calls'),
    injected('stand inside what is marked as data, never as a message of their own'),
  ],
  'No message is lost, and none is answered twice': [
    conversation('stores the message and each step before what follows is done'),
    replica('that dies leaves its turn interrupted when the lease is over; the conversation goes on'),
    killed('that is killed costs no message and answers none twice'),
    kept('runs an interrupted turn again, whose replica died'),
  ],
  'A caller may leave; the turn goes on': [
    failing('goes on when its caller leaves, and is read afterwards'),
    leaving('in the middle of events ends them at the service'),
    leaving('before its answer leaves the gateway as it was'),
  ],
  'Conversations are kept for their time': [
    care('forgets what is older than it is kept, by the agent or the operator, and nothing younger'),
  ],
};
