/** What the specification or the contracts name and no run of the product shows, each with its reason. */
type Group = 'A' | 'B' | 'C' | 'D';

/** Failure codes, by group. */
export const unobservedFailureCodes: Readonly<Record<Group, Readonly<Record<string, string>>>> = {
  A: {
    CONTENT_WARNING:
      'no element of the runs holds back a release; apps/content-repo/src/release/transitions.int-spec.ts',
  },
  B: {
    TOOL_FAILED: 'no foreign system fails in the runs; apps/tool-gateway/src/calls/calls.int-spec.ts',
    TOOL_RESULT_INVALID: 'no foreign system answers wrongly in the runs; apps/tool-gateway/src/calls/calls.int-spec.ts',
    LIMIT_ASSET_EXCEEDED:
      'counted over replicas by apps/e2e/src/tool-replicas.e2e-spec.ts, whose order is not the same each time',
  },
  C: {
    AGENT_CONVERSATION_BUSY: 'needs a turn that runs; apps/agents/src/turns/turns.int-spec.ts',
    AGENT_MODEL_UNAVAILABLE: 'is 503; apps/agents/src/turns/turns.int-spec.ts',
    GENERAL_IDEMPOTENCY_RUNNING: 'needs a turn that runs; apps/agents/src/turns/idempotency.int-spec.ts',
    TOOL_FAILED: 'as in group B',
    TOOL_RESULT_INVALID: 'as in group B',
    LIMIT_ASSET_EXCEEDED: 'as in group B',
  },
  D: {},
};

/** Names of members of answers, by group. */
export const unobservedAnswerMembers: Readonly<Record<Group, Readonly<Record<string, string>>>> = {
  A: { stereotype: 'no type of the runs has stereotypes; apps/content-repo/src/writing/write-elements.int-spec.ts' },
  B: {},
  C: {
    structuredOutput: 'no agent of the demo declares one; apps/agents/src/turns/turns.int-spec.ts',
    structuredOutputFault: 'as structuredOutput; apps/agents/src/grounding/hostile-answers.spec.ts',
    fault: 'as structuredOutputFault',
    path: 'is of a structured output; apps/agents/src/grounding/hostile-answers.spec.ts',
    failure: 'needs a model that fails; apps/agents/src/turns/turns.int-spec.ts',
  },
  D: {
    continues: 'a later page of OData; apps/knowledge-models/src/evidence/evidence.int-spec.ts',
    database:
      'no model of the runs reads a database of others; apps/knowledge-models/src/evidence/keep-evidence.spec.ts',
    ...Object.fromEntries(
      ['changes', 'path', 'change', 'breaks', 'failure', 'code', 'detail'].map((name) => [
        name,
        'needs a model that was published anew; apps/knowledge-models/src/evidence/evidence.int-spec.ts',
      ]),
    ),
  },
};

/** Members of requests: `<operation> <member>`. */
export const unobservedRequestMembers: Readonly<Record<string, string>> = {
  'content.elements.write elements[].children': 'refused: children are written as elements with parentId',
};
