/** The check of the figures of a turn: what its tools told, what its caller asked, and what the agent says about the rest. */
import type { Grounding } from '@tessera/contracts/agents';
import {
  groundMentions,
  readAskedNumbers,
  wasCut,
  type AnswerCheck,
  type AskedNumbers,
} from '../grounding/ground-answer.js';
import { formatFinding, formatMark, formatRefusal, isUnverified, unverifiedIn } from '../grounding/grounding-notes.js';
import { findUnverifiedOutput } from '../grounding/ground-output.js';
import { readMentions } from '../grounding/read-mentions.js';
import { ToldValues, type ToolStep } from '../grounding/told-values.js';
import type { JsonObject } from '../models/model.js';
import type { TurnInput } from './turn.js';

const figuresKeptMax = 1_000;

export type GroundedAnswer = {
  readonly grounding: Grounding;
  /** In place of the answer, when it is withheld. */
  readonly refusal?: string;
  /** What the text ends with. */
  readonly mark?: string;
};

export class AnswerGrounding {
  readonly policy: 'mark' | 'retry' | 'refuse';
  readonly #steps: ToolStep[] = [];
  #told: ToldValues | undefined;
  #known: AskedNumbers | undefined;
  #last: { readonly text: string; readonly check: AnswerCheck } | undefined;

  constructor(private readonly question: Pick<TurnInput, 'agent' | 'message' | 'history'>) {
    this.policy = question.agent.definition.grounding ?? 'mark';
  }

  /** Whether text is shown only after it was checked: what is taken back must not have been seen. */
  get holdsText(): boolean {
    return this.policy !== 'mark';
  }

  add(step: ToolStep): void {
    this.#steps.push(step);
    this.#told = undefined;
    this.#last = undefined;
  }

  /** What is told to the model when its answer does not hold; undefined when it does. */
  findingOf(text: string): { readonly grounding: Grounding; readonly finding: string } | undefined {
    const check = this.#check(text);
    if (!isUnverified(check)) return undefined;
    return { grounding: toGrounding('retried', check), finding: formatFinding(check) };
  }

  isRefused(text: string): boolean {
    return this.policy === 'refuse' && isUnverified(this.#check(text));
  }

  /** What stands under a text that was shown and is no part of the answer. */
  markOf(text: string): string | undefined {
    const check = this.#check(text);
    return isUnverified(check) ? formatMark(check, text) : undefined;
  }

  conclude(text: string, output: JsonObject | undefined): GroundedAnswer {
    const ofText = this.#check(text);
    const inOutput = output
      ? findUnverifiedOutput(output, ofText.figures, this.#values, this.#asked)
      : { figures: [], isCut: false };
    const check = { figures: [...ofText.figures, ...inOutput.figures], isCut: ofText.isCut || inOutput.isCut };
    if (!isUnverified(check)) return { grounding: toGrounding('verified', check) };
    return this.policy === 'refuse'
      ? { grounding: toGrounding('refused', check), refusal: formatRefusal(check, text) }
      : { grounding: toGrounding('marked', check), mark: formatMark(check, text) };
  }

  #check(text: string): AnswerCheck {
    if (this.#last?.text !== text) this.#last = { text, check: this.#checkAnew(text) };
    return this.#last.check;
  }

  /** The results, which may be large, are read only for a text with numbers. */
  #checkAnew(text: string): AnswerCheck {
    const mentions = readMentions(text);
    return mentions.length === 0
      ? { figures: [], isCut: wasCut(text, mentions) }
      : groundMentions(text, mentions, this.#values, this.#asked);
  }

  get #values(): ToldValues {
    return (this.#told ??= new ToldValues(this.#steps));
  }

  get #asked(): AskedNumbers {
    const { message, history } = this.question;
    return (this.#known ??= readAskedNumbers([message, ...history.toReversed().map((turn) => turn.message)]));
  }
}

/** Of very many figures the first; what is unverified stays. */
const toGrounding = (outcome: Grounding['outcome'], check: AnswerCheck): Grounding => {
  const { figures } = check;
  if (figures.length <= figuresKeptMax) return { outcome, figures: [...figures] };
  const first = figures.slice(0, figuresKeptMax);
  const kept = new Set(first);
  return {
    outcome,
    figures: [
      ...first,
      ...unverifiedIn(check)
        .filter((figure) => !kept.has(figure))
        .slice(0, figuresKeptMax),
    ],
  };
};
