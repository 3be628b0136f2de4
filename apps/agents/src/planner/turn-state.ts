/** The calls that were made in this turn and their results. Never makes the same call twice. */
import { isObject, type JsonObject } from './json.js';
import type { Answer } from './answer.js';
import type { ToolCallOutcome, PlannerContext } from './read-prompt.js';

export type PlannedCall = { readonly tool: string; readonly args: JsonObject };
export type NextStep =
  | { readonly kind: 'calls'; readonly calls: readonly PlannedCall[] }
  | { readonly kind: 'answer'; readonly answer: Answer };

export const createAnswerStep = (answer: Answer): NextStep => ({ kind: 'answer', answer });

type CallState = ToolCallOutcome | 'open' | undefined;

/** What was called and what is to be called. */
export type PlannerTurn = {
  readonly context: PlannerContext;
  /** Undefined: there is no such tool, or nothing may be called any more. */
  readonly call: (tool: string | undefined, args: JsonObject) => CallState;
  /** The calls that were asked for and not made. */
  readonly open: () => NextStep;
  readonly failed: (tool: string | undefined) => readonly (ToolCallOutcome & { readonly ok: false })[];
};

export const createPlannerTurn = (context: PlannerContext): PlannerTurn => {
  const { calls, mayCall } = context;
  const missing: PlannedCall[] = [];
  const made = new Map(calls.map(({ tool, args, outcome }) => [toCallKey(tool, args), outcome]));
  return {
    context,
    call: (tool, args) => {
      if (tool === undefined) return undefined;
      const known = made.get(toCallKey(tool, args));
      if (known || !mayCall) return known;
      if (!missing.some((call) => toCallKey(call.tool, call.args) === toCallKey(tool, args)))
        missing.push({ tool, args });
      return 'open';
    },
    open: () => ({ kind: 'calls', calls: missing }),
    failed: (tool) => calls.flatMap(({ tool: each, outcome }) => (each === tool && !outcome.ok ? [outcome] : [])),
  };
};

/** What makes a call the same call, in whatever order its members stand. */
export const toCallKey = (tool: string, args: JsonObject): string => `${tool} ${stableText(args)}`;

const stableText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${members
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, each]) => `${name}:${stableText(each)}`)
    .join(',')}}`;
};
