/**
 * Regular expressions of definitions, matched in time that grows with the text alone: every way through the expression is
 * followed at once, none is tried after another. The engine of the platform tries, and some expressions keep it at that
 * for hours, for every team.
 * Refuses: look-around and references back, which cannot be matched so, and expressions that are too large.
 */
import { type Part, parsePattern, type Place, type Step } from './parse-pattern.js';

export type LinearPattern = {
  readonly test: (text: string) => boolean;
  /** The expression. Who keeps patterns by their text needs it to tell them apart. */
  readonly toString: () => string;
};

export type CompiledPattern =
  { readonly ok: true; readonly pattern: LinearPattern } | { readonly ok: false; readonly why: string };

const lengthMax = 1_000;
const stepsMax = 500;
/** In characters; a longer text matches nothing. */
export const matchedTextMax = 20_000;
/** Of all patterns and texts of one judgement, about a second; when they are used up nothing matches. */
const matchedStepsMax = 30_000_000;
let stepsLeft = Infinity;

/** What `judge` matches, which waits for nothing, ends soon, whatever there is to match. */
export const withStepsCounted = <Judged>(judge: () => Judged, stepsMax = matchedStepsMax): Judged => {
  stepsLeft = stepsMax;
  try {
    return judge();
  } finally {
    stepsLeft = Infinity;
  }
};

/** The syntax is that of ECMAScript with the flag `u`. */
export const compilePattern = (source: string): CompiledPattern => {
  if (source.length > lengthMax) return { ok: false, why: `has more than ${lengthMax} characters` };
  try {
    new RegExp(source, 'u');
  } catch {
    return { ok: false, why: 'is no regular expression' };
  }
  const parsed = parsePattern(source);
  if (!parsed.ok) return parsed;
  if (parsed.size > stepsMax) return { ok: false, why: 'is too large' };
  const program = programOf(parsed.part);
  return { ok: true, pattern: { test: (text) => isMatch(program, text), toString: () => source } };
};

type Program = { readonly steps: readonly Step[]; readonly start: number };

const end = 0;
/** A character costs something by itself. */
const stepsOfCharacter = 10;

const programOf = (part: Part): Program => {
  const steps: Step[] = [{ kind: 'end' }];
  return { start: part((step) => steps.push(step) - 1, end), steps };
};

const isMatch = ({ steps, start }: Program, text: string): boolean => {
  if (text.length > matchedTextMax || stepsLeft <= 0) return false;
  const characters = [...text];
  let current: readonly number[] = [];
  for (let at = 0; at <= characters.length; at++) {
    const after = characters[at];
    const reached = new Set<number>();
    // A match may begin at every character.
    for (const index of [...current, start]) follow(steps, index, { before: characters[at - 1], after }, reached);
    if (reached.has(end)) return true;
    stepsLeft -= reached.size + stepsOfCharacter;
    if (stepsLeft <= 0) return false;
    current = after === undefined ? [] : taken(steps, reached, after);
  }
  return false;
};

const taken = (steps: readonly Step[], reached: ReadonlySet<number>, character: string): readonly number[] => {
  const next: number[] = [];
  for (const index of reached) {
    const step = steps[index];
    if (step?.kind === 'take' && step.fits(character)) next.push(step.next);
  }
  return next;
};

/** Whatever can be reached from a step without taking a character. */
const follow = (steps: readonly Step[], from: number, place: Place, reached: Set<number>): void => {
  const waiting = [from];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (reached.has(index)) continue;
    reached.add(index);
    const step = steps[index];
    if (step?.kind === 'split') waiting.push(...step.ways);
    else if (step?.kind === 'assert' && step.holds(place)) waiting.push(step.next);
  }
};
