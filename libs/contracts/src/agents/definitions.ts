/**
 * An agent as a workspace file states it. Rules that span members or services (duplicate or unknown tools, invalid
 * schemas, hosts that the operator has not allowed) are checks of the agents service.
 */
import { z } from 'zod';
import { definitionId, description, displayName, jsonSchemaMember, storableText } from '../definition-parts.js';
import { toolId } from '../tool-gateway/definitions.js';

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

/** A header or a key may name a secret that the operator has given to the team and the host. */
const modelSettings = {
  model: storableText(200).min(1).describe('The name of the model at its endpoint.'),
  apiKey: storableText(200)
    .regex(/^\{secret:[A-Za-z0-9_]{1,64}\}$/, 'expected {secret:NAME}; a key itself never stands in a definition')
    .optional()
    .describe('`{secret:NAME}`: the key, which the operator has given to the team and the host.'),
  headers: z
    .record(z.string().regex(headerName, 'expected the name of a header'), storableText(2_000))
    .refine((headers) => Object.keys(headers).length <= 20, 'expected at most 20 headers')
    .optional()
    .describe('Further headers; `{secret:NAME}` stands for a secret.'),
  contextTokens: z
    .int()
    .min(4_000)
    .max(10_000_000)
    .default(32_000)
    .describe('How much the model reads at once; older turns are left out when a conversation does not fit.'),
  outputTokens: z.int().min(16).max(1_000_000).default(4_000).describe('The most that one answer of the model has.'),
  temperature: z.number().min(0).max(2).optional().describe("The endpoint's standard when absent."),
};

const endpointUrl = storableText(2_000)
  .regex(
    /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?(\/[A-Za-z0-9._~/-]*)?$/,
    'expected an address like https://models.example/v1, with a host in lower case and without a query',
  )
  // Ports and numbers of IPv4 may be too large.
  .refine((text) => URL.canParse(text), 'expected an address that there can be');

const BuiltinModel = z.strictObject({ provider: z.literal('builtin') });
export const EndpointModel = z.strictObject({
  provider: z.literal('openai-compatible'),
  baseUrl: endpointUrl.describe('Where `/chat/completions` is added.'),
  ...modelSettings,
});
const hostedModel = <Provider extends string>(provider: Provider) =>
  z.strictObject({
    provider: z.literal(provider),
    baseUrl: endpointUrl.optional().describe("Another address than the provider's own."),
    ...modelSettings,
  });

export const ModelDefinition = z
  .discriminatedUnion('provider', [BuiltinModel, EndpointModel, hostedModel('anthropic'), hostedModel('google')])
  .meta({ id: 'ModelDefinition' });
export type ModelDefinition = z.output<typeof ModelDefinition>;

export const maxAgentSteps = 50;
const turnSecondsMax = 120;

export const AgentLimits = z.strictObject({
  steps: z.int().min(1).max(maxAgentSteps).default(8).describe('How often the model is asked in a turn.'),
  seconds: z.int().min(1).max(turnSecondsMax).default(turnSecondsMax).describe('How long a turn may take.'),
  tokens: z
    .int()
    .min(1_000)
    .max(100_000_000)
    .default(200_000)
    .describe('What the model may read and write in a turn, as its endpoint counts.'),
  toolResultBytes: z
    .int()
    .min(1_024)
    .max(1_048_576)
    .default(65_536)
    .describe('What the model reads of one result of a tool; the rest is cut off, and the model is told so.'),
});
export type AgentLimits = z.output<typeof AgentLimits>;

const AgentTools = z.strictObject({
  asset: definitionId.describe('An asset of the team.'),
  tools: z.array(toolId).min(1).max(100).optional().describe('Ids of its tools; all of them when absent.'),
});

export const groundingPolicies = ['mark', 'retry', 'refuse'] as const;

export const AgentDefinition = z
  .strictObject({
    kind: z.literal('Agent'),
    id: definitionId,
    name: displayName.optional(),
    description: description.optional().describe('What people read who choose an agent.'),
    instructions: storableText(32_000).default('').describe('What the model is told before the conversation.'),
    model: ModelDefinition.default({ provider: 'builtin' }),
    tools: z.array(AgentTools).max(20).default([]).describe('What it may use; nothing when empty.'),
    outputSchema: jsonSchemaMember('What `structuredOutput` of an answer fits').nullable().optional(),
    grounding: z
      .enum(groundingPolicies)
      .optional()
      .describe(
        'What happens to an answer with numbers that no tool answered: `mark` (the standard) names them at its end, `retry` asks the model once more and then marks, `refuse` withholds it.',
      ),
    limits: AgentLimits.partial().optional(),
    keptDays: z
      .int()
      .min(1)
      .max(3_650)
      .optional()
      .describe("For how many days after its last turn a conversation is kept; the operator's standard when absent."),
  })
  .meta({ id: 'AgentDefinition' });
export type AgentDefinition = z.output<typeof AgentDefinition>;
