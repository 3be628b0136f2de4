/** A language model for specs: answers by a script and records its requests. */
import { fail, succeed, type Result } from '@tessera/failures';
import type { Model, ModelAnswer, ModelRequest, ModelToolCall } from '../models/model.js';

export type ScriptedAnswer = Partial<ModelAnswer> | Result<ModelAnswer>;
/** `asked` counts from 1. */
export type Script = (request: ModelRequest, callNumber: number) => ScriptedAnswer | Promise<ScriptedAnswer>;

export type ScriptedModel = Model & {
  readonly requests: ModelRequest[];
  /** What it says from now on. */
  readonly follow: (script: Script) => void;
};

const usage = { inputTokens: 10, outputTokens: 5 };

export const createScriptedModel = (
  script: Script,
  more: Partial<Pick<Model, 'contextTokens' | 'outputTokens' | 'isRuleBased'>> = {},
): ScriptedModel => {
  const requests: ModelRequest[] = [];
  let followed = script;
  return {
    name: 'scripted/fixture',
    ...{ contextTokens: 32_000, outputTokens: 4_000, isRuleBased: false, ...more },
    requests,
    follow: (next) => void (followed = next),
    ask: async (request) => {
      requests.push(request);
      const said = await followed(request, requests.length);
      if ('ok' in said) return said;
      const { text = '', calls = [] } = said;
      if (text !== '') request.onText?.(text);
      return succeed({ finish: calls.length > 0 ? 'tool-calls' : 'stop', usage, ...said, text, calls });
    },
  };
};

let lastCall = 0;

/** An answer that calls tools, each with its arguments. */
export const createToolCallAnswer = (
  ...calls: readonly (readonly [tool: string, given?: unknown])[]
): Partial<ModelAnswer> => ({
  calls: calls.map(([tool, given = {}]): ModelToolCall => {
    const written = typeof given === 'string' ? given : JSON.stringify(given);
    return { callId: `c${++lastCall}`, tool, arguments: written };
  }),
});

export const modelDown = fail('AGENT_MODEL_UNAVAILABLE', 'The language model does not answer.', {
  retryAfterSeconds: 7,
});
