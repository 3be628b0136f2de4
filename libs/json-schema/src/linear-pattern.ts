/**
 * Regular expressions of definitions, matched in time that grows with the text alone: every way through the expression
 * is followed at once, none is tried after another, and where a character leads is found once. The engine of the
 * platform tries, and some expressions keep it at that for hours, for every team. Never accepts look-around, back
 * references or expressions that are too large.
 */
import {
  type AdjacentCharacter,
  classifyAdjacentCharacter,
  type PatternStepBuilder,
  parsePattern,
  type PatternPosition,
  type PatternStep,
} from './parse-pattern.js';

export type LinearPattern = {
  readonly test: (text: string) => boolean;
  /** The expression. Who keeps patterns by their text needs it to tell them apart. */
  readonly toString: () => string;
};

type CompiledPattern =
  | { readonly ok: true; readonly pattern: LinearPattern }
  | { readonly ok: false; readonly why: string };

const lengthMax = 1_000;
const stepsMax = 500;
/** In characters; a longer text matches nothing. */
export const maxMatchedCharacters = 20_000;
/** Of all patterns and texts of one judgement, some 40 ms; when they are used up nothing matches. */
const matchedStepsMax = 2_000_000;
let stepsLeft = Infinity;

/** What `judge` matches, which waits for nothing, ends soon, whatever there is to match. */
export const withMatchStepLimit = <Judged>(judge: () => Judged, stepsMax = matchedStepsMax): Judged => {
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

/** What a text has led to so far, and where each character that came next has led from there. */
type State = {
  readonly at: readonly number[];
  readonly before: AdjacentCharacter;
  /** By code point; `endOfText` behind the last. */
  readonly transitions: Map<number, Transition>;
};
/** `matched`: whatever follows. */
type Transition = State | 'matched';

type Program = { readonly steps: readonly PatternStep[]; readonly start: number };

/** States that were met, by what is reached in them. */
let statesOf = new WeakMap<Program, Map<string, State>>();
/** The size of the transitions that are known, of all patterns together. */
let knownTransitions = 0;
/** Some 10 MB; when there are more, all are forgotten. */
const knownMax = 200_000;

const end = 0;
const endOfText = -1;
/** Following a known transition is one step; finding one takes so many, plus so many for each part of the expression reached. */
const stepsOfNewTransition = 50;
const stepsOfReached = 5;

const programOf = (part: PatternStepBuilder): Program => {
  const steps: PatternStep[] = [{ kind: 'end' }];
  return { start: part((step) => steps.push(step) - 1, end), steps };
};

const isMatch = (program: Program, text: string): boolean => {
  if (text.length > maxMatchedCharacters) return false;
  let state = stateOf(program, [], 'none');
  for (let at = 0; at < text.length;) {
    if (--stepsLeft <= 0) return false;
    const point = text.codePointAt(at) ?? endOfText;
    at += point > 0xff_ff ? 2 : 1;
    const transition = state.transitions.get(point) ?? addTransition(program, state, point);
    if (transition === 'matched') return true;
    state = transition;
  }
  return stepsLeft > 0 && (state.transitions.get(endOfText) ?? addTransition(program, state, endOfText)) === 'matched';
};

const stateOf = (program: Program, at: readonly number[], before: AdjacentCharacter): State => {
  const states = statesOf.get(program) ?? new Map<string, State>();
  statesOf.set(program, states);
  const key = `${before} ${at.join(' ')}`;
  const met = states.get(key);
  if (met) return met;
  const made: State = { at, before, transitions: new Map() };
  states.set(key, made);
  return made;
};

const addTransition = (program: Program, state: State, point: number): Transition => {
  const character = point === endOfText ? undefined : String.fromCodePoint(point);
  const after = classifyAdjacentCharacter(character);
  const reached = new Set<number>();
  // A match may begin at every character.
  for (const index of [...state.at, program.start])
    followEmptySteps(program.steps, index, { before: state.before, after }, reached);
  stepsLeft -= stepsOfReached * reached.size + stepsOfNewTransition;
  knownTransitions += reached.size + 1;
  if (knownTransitions > knownMax) {
    statesOf = new WeakMap();
    knownTransitions = 0;
  }
  const transition = reached.has(end) ? 'matched' : stateOf(program, stepsOn(program.steps, reached, character), after);
  state.transitions.set(point, transition);
  return transition;
};

const stepsOn = (
  steps: readonly PatternStep[],
  reached: ReadonlySet<number>,
  character: string | undefined,
): readonly number[] => {
  const next = new Set<number>();
  if (character === undefined) return [];
  for (const index of reached) {
    const step = steps[index];
    if (step?.kind === 'take' && step.fits(character)) next.add(step.next);
  }
  return [...next].sort((one, other) => one - other);
};

/** Whatever can be reached from a step without taking a character. */
const followEmptySteps = (
  steps: readonly PatternStep[],
  from: number,
  place: PatternPosition,
  reached: Set<number>,
): void => {
  const waiting = [from];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (reached.has(index)) continue;
    reached.add(index);
    const step = steps[index];
    if (step?.kind === 'split') waiting.push(...step.branches);
    else if (step?.kind === 'assert' && step.holds(place)) waiting.push(step.next);
  }
};
