/** Schemas and paths that the operations of agents share. */
import { z } from 'zod';
import { teamId } from '../gateway/parts.js';
import { storableText } from '../definition-parts.js';
import { evidenceParameter } from '../preferences.js';

export const agentsPrefix = '/intelligence/api/ai/agents';
export const agentByIdPrefix = `${agentsPrefix}/{agent_id}`;
export const adminAgentsPrefix = '/admin/teams/{team}/agents';
export const teamPathParameters = { team: teamId };

export const agentPathParameters = { agent_id: z.string().min(1).max(200).describe('The id of the agent.') };
/** An id that is none is one that nobody has: 404 as well. */
export const conversationPathParameters = {
  ...agentPathParameters,
  conversation_id: z.string().min(1).max(200).describe('The id of the conversation.'),
};
export const draftParameter = z
  .boolean()
  .default(false)
  .describe('The draft of the agent instead of what is published.');

/** Of a message: whether the answer has its grounding. */
export const groundingParameter = {
  prefer: evidenceParameter.prefer.describe('`evidence`: the answer says where each of its figures comes from.'),
};

/** A turn, and what stands around it; the edge waits as long. */
export const turnTimeoutMs = 128_000;

/** The answer to a caller who has asked nothing. */
export const noQuestion = 'There is no question: write what the agent shall answer.';

export const maxMessageCharacters = 32_000;
export const Message = z
  .strictObject({
    message: storableText(maxMessageCharacters, noQuestion)
      .min(1, { abort: true, error: noQuestion })
      .refine((text) => text.trim() !== '', noQuestion)
      .describe('What the agent is asked.'),
    conversationId: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Goes on with this conversation; a new one when absent.'),
  })
  .meta({ id: 'Message' });
export type Message = z.output<typeof Message>;

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Where a figure of an answer comes from. */
export const GroundingCell = z
  .object({
    callId: z.string().describe('The call of a tool in this turn.'),
    tool: z.string(),
    evidence: z.string().optional().describe('The address of the evidence of the call.'),
    row: z.int().min(1).optional().describe('Of the rows that the call answered, from 1; absent for a count of rows.'),
    column: z.string().optional().describe('The column, or the path of the member; `total` for a count of rows.'),
  })
  .meta({ id: 'GroundingCell' });
export type GroundingCell = z.output<typeof GroundingCell>;

export const GroundedFigure = z
  .object({
    text: z.string().describe('As it stands in the answer.'),
    value: z.number().describe('As a tool would answer it: a per cent as a fraction, a million written out.'),
    start: count.optional().describe('Where it begins in the text, in UTF-16 code units.'),
    end: count.optional().describe('Where it ends.'),
    path: z
      .string()
      .optional()
      .describe('In the structured output: the path of its member, in place of `start` and `end`.'),
    state: z
      .enum(['verified', 'derived', 'unverified'])
      .describe('`derived`: the answer makes it of verified figures, as a sum, a difference or a quotient.'),
    cells: z.array(GroundingCell).describe('Where it comes from; empty when it is unverified.'),
  })
  .meta({ id: 'GroundedFigure' });
export type GroundedFigure = z.output<typeof GroundedFigure>;

export const Grounding = z
  .object({
    outcome: z
      .enum(['verified', 'marked', 'retried', 'refused'])
      .describe(
        'What came of it: nothing is unverified; the text ends with what is; the model was asked once more; the answer is withheld.',
      ),
    figures: z
      .array(GroundedFigure)
      .describe('The first thousand in the order of the text, and then what is unverified.'),
  })
  .meta({ id: 'Grounding' });
export type Grounding = z.output<typeof Grounding>;

export const ChatResponse = z
  .object({
    conversationId: z.string(),
    text: z.string(),
    structuredOutput: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("The answer by the agent's output schema; absent without one, and when the model did not fill it."),
    structuredOutputFault: z
      .string()
      .optional()
      .describe('Why there is no `structuredOutput`, when the agent has an output schema.'),
    grounding: Grounding.optional().describe('With `Prefer: evidence`: where each figure of the text comes from.'),
  })
  .meta({ id: 'ChatResponse' });
export type ChatResponse = z.output<typeof ChatResponse>;

/** Why a turn ended; `answered` is the only one in which the model had all it wanted. */
export const turnStops = [
  'answered',
  'steps',
  'tokens',
  'seconds',
  'repeated-call',
  'unknown-tools',
  'length',
  'content-filter',
] as const;
export type TurnStop = (typeof turnStops)[number];

const turnStates = ['running', 'completed', 'failed', 'interrupted'] as const;
export type TurnState = (typeof turnStates)[number];

export const TokenUsage = z.object({
  inputTokens: count.describe('Read by the model, over all steps.'),
  outputTokens: count.describe('Written by the model.'),
});
export type TokenUsage = z.output<typeof TokenUsage>;

export const TurnStep = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('model'),
      at: z.iso.datetime(),
      durationMs: z.number().min(0),
      text: z.string().optional().describe('What the model said beside its calls.'),
      choices: z
        .array(z.string())
        .optional()
        .describe('When its text asks which of several things is meant: the messages that answer it.'),
      usage: TokenUsage,
    }),
    z.object({
      kind: z.literal('tool'),
      at: z.iso.datetime(),
      durationMs: z.number().min(0),
      callId: z.string(),
      tool: z.string(),
      arguments: z.unknown().describe('As the model gave them.'),
      result: z.string().describe('What the model was given: JSON or a text, cut at the limit of the agent.'),
      isError: z.boolean(),
      evidence: z
        .string()
        .optional()
        .describe('The address of the evidence of the result; absent for tools that tell no figures.'),
    }),
    z.object({
      kind: z.literal('grounding'),
      at: z.iso.datetime(),
      durationMs: z.number().min(0),
      ...Grounding.shape,
    }),
    z.object({
      kind: z.literal('output'),
      at: z.iso.datetime(),
      durationMs: z.number().min(0),
      fault: z.string().describe('Why the output schema of the agent was not filled.'),
    }),
  ])
  .meta({ id: 'TurnStep' });
export type TurnStep = z.output<typeof TurnStep>;

export const Turn = z
  .object({
    turn: z.int().min(1).describe('Of the conversation, from 1.'),
    state: z
      .enum(turnStates)
      .describe(
        '`failed`: the model could not be asked; `interrupted`: its service stopped. In both the message is kept and the conversation goes on.',
      ),
    stop: z.enum(turnStops).optional().describe('Why it ended, when it is completed.'),
    message: z.string(),
    text: z.string().optional(),
    structuredOutput: z.record(z.string(), z.unknown()).optional(),
    failure: z.string().optional().describe('The code of what failed.'),
    agentVersion: z.string().describe('The number of the published version, or `draft`.'),
    model: z.string().describe('The provider and its model.'),
    usage: TokenUsage,
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().optional(),
    steps: z.array(TurnStep),
  })
  .meta({ id: 'Turn' });
export type Turn = z.output<typeof Turn>;

export const Conversation = z
  .object({
    conversationId: z.string(),
    agentId: z.string(),
    createdAt: z.iso.datetime(),
    changedAt: z.iso.datetime().describe('When its last turn began or ended.'),
    turnCount: count,
    firstMessage: z.string().describe('The first 200 characters of its first message.'),
    state: z.enum(turnStates).describe('Of its last turn.'),
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.output<typeof Conversation>;
