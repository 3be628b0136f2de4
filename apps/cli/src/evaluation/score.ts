/** What came of a run, and what changed since the one before. */
import { z } from 'zod';
import { type Verdict, verdicts } from './judge-answer.js';

const Outcome = z.object({
  asked: z.array(z.string()),
  agent: z.string(),
  verdict: z.enum(verdicts),
  answer: z.string(),
  ms: z.number(),
  tokens: z.number(),
});
export type Outcome = z.output<typeof Outcome>;

export const Run = z.object({ at: z.string(), outcomes: z.array(Outcome) });
export type Run = z.output<typeof Run>;

export type Score = Readonly<Record<Verdict, number>> & {
  readonly questions: number;
  /** The middle of the times, and the sum of the tokens. */
  readonly ms: number;
  readonly tokens: number;
};

export const scoreOf = (outcomes: readonly Outcome[]): Score => {
  const count = (verdict: Verdict): number => outcomes.filter((outcome) => outcome.verdict === verdict).length;
  const times = outcomes.map(({ ms }) => ms).toSorted((left, right) => left - right);
  return {
    questions: outcomes.length,
    ...{ right: count('right'), half: count('half'), wrong: count('wrong'), refused: count('refused') },
    ms: Math.round(times[Math.floor(times.length / 2)] ?? 0),
    tokens: outcomes.reduce((sum, { tokens }) => sum + tokens, 0),
  };
};

/** Of the questions, those that were judged so. */
export const percentOf = (score: Score, verdict: Verdict): number =>
  (score[verdict] * 100) / Math.max(1, score.questions);

export type ChangedOutcome = { readonly asked: readonly string[]; readonly was: Verdict; readonly is: Verdict };

/** Questions of both runs that were judged otherwise before. */
export const compareRuns = (before: Run, now: readonly Outcome[]): readonly ChangedOutcome[] => {
  const keyOf = ({ agent, asked }: Pick<Outcome, 'agent' | 'asked'>): string => JSON.stringify([agent, asked]);
  const earlier = new Map(before.outcomes.map((outcome) => [keyOf(outcome), outcome.verdict]));
  return now.flatMap((outcome) => {
    const was = earlier.get(keyOf(outcome));
    return was === undefined || was === outcome.verdict ? [] : [{ asked: outcome.asked, was, is: outcome.verdict }];
  });
};
