/** The calls that were made in this turn and their results. Never makes the same call twice. */
import { isObject, type Json } from './json.js';
import type { Answer } from './answer.js';
import type { Outcome, PlannerContext } from './read-prompt.js';

export type Call = { readonly tool: string; readonly args: Json };
export type NextStep =
  | { readonly kind: 'calls'; readonly calls: readonly Call[] }
  | { readonly kind: 'answer'; readonly answer: Answer };

export const answer = (answer: Answer): NextStep => ({ kind: 'answer', answer });

type CallState = Outcome | 'open' | undefined;

/** What was called and what is to be called. */
export type TurnState = {
  readonly context: PlannerContext;
  /** Undefined: there is no such tool, or nothing may be called any more. */
  readonly call: (tool: string | undefined, args: Json) => CallState;
  /** The calls that were asked for and not made. */
  readonly open: () => NextStep;
  readonly failed: (tool: string | undefined) => readonly (Outcome & { readonly ok: false })[];
};

export const turnStateOf = (context: PlannerContext): TurnState => {
  const { calls, mayCall } = context;
  const missing: Call[] = [];
  const made = new Map(calls.map(({ tool, args, outcome }) => [callKey(tool, args), outcome]));
  return {
    context,
    call: (tool, args) => {
      if (tool === undefined) return undefined;
      const known = made.get(callKey(tool, args));
      if (known || !mayCall) return known;
      if (!missing.some((call) => callKey(call.tool, call.args) === callKey(tool, args))) missing.push({ tool, args });
      return 'open';
    },
    open: () => ({ kind: 'calls', calls: missing }),
    failed: (tool) => calls.flatMap(({ tool: each, outcome }) => (each === tool && !outcome.ok ? [outcome] : [])),
  };
};

/** What makes a call the same call, in whatever order its members stand. */
export const callKey = (tool: string, args: Json): string => `${tool} ${stable(args)}`;

const stable = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${members
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, each]) => `${name}:${stable(each)}`)
    .join(',')}}`;
};
