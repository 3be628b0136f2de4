/** Metrics of turns by agent; agents beyond a maximum are counted together. */
import type { Grounding } from '@tessera/contracts/agents';
import type { Metrics } from '@tessera/service-kit';
import type { TurnEnd } from './turn.js';

const agentsMax = 200;

type Figures = Pick<TurnEnd, 'outcome' | 'usage' | 'modelCalls' | 'modelMs' | 'toolMs'>;

export class TurnMetrics {
  readonly #named = new Set<string>();
  readonly #took: ReturnType<Metrics['durations']>;
  readonly #modelTook: ReturnType<Metrics['durations']>;
  readonly #toolsTook: ReturnType<Metrics['durations']>;
  readonly #tokens: ReturnType<Metrics['counts']>;
  readonly #steps: ReturnType<Metrics['sizes']>;
  readonly #figures: ReturnType<Metrics['counts']>;
  readonly #groundings: ReturnType<Metrics['counts']>;

  constructor({ durations, counts, sizes }: Pick<Metrics, 'durations' | 'counts' | 'sizes'>) {
    this.#took = durations('tessera_turn_duration_seconds', 'Turns, by agent and why they ended.', ['agent', 'stop']);
    this.#modelTook = durations('tessera_turn_model_seconds', 'Time of the model in a turn, by agent.', ['agent']);
    this.#toolsTook = durations('tessera_turn_tool_seconds', 'Time of the tools in a turn, by agent.', ['agent']);
    this.#tokens = counts('tessera_turn_tokens_total', 'Tokens, by agent and direction.', ['agent', 'direction']);
    this.#figures = counts(
      'tessera_turn_figures_total',
      'Figures in answers, by agent and whether a tool told them: verified, derived or unverified.',
      ['agent', 'state'],
    );
    this.#groundings = counts(
      'tessera_turn_groundings_total',
      'Answers with figures, by agent and what came of their check: verified, marked or refused.',
      ['agent', 'outcome'],
    );
    this.#steps = sizes('tessera_turn_steps', 'How often the model was asked in a turn, by agent.', stepBounds, [
      'agent',
    ]);
  }

  /** `stop`: why it ended, or the state that it ended in. */
  record(team: string, agentId: string, stop: string, durationMs: number, figures?: Figures): void {
    const agent = this.#labelOf(`${team}/${agentId}`);
    this.#took(durationMs / 1000, agent, stop);
    if (figures === undefined) return;
    this.#modelTook(figures.modelMs / 1000, agent);
    this.#toolsTook(figures.toolMs / 1000, agent);
    this.#tokens(figures.usage.inputTokens, agent, 'input');
    this.#tokens(figures.usage.outputTokens, agent, 'output');
    this.#steps(figures.modelCalls, agent);
    if (figures.outcome.state === 'completed') this.#recordGrounding(agent, figures.outcome.grounding);
  }

  #recordGrounding(agent: string, { outcome, figures }: Grounding): void {
    if (figures.length > 0) this.#groundings(1, agent, outcome);
    for (const { state } of figures) this.#figures(1, agent, state);
  }

  #labelOf(agent: string): string {
    if (this.#named.size < agentsMax) this.#named.add(agent);
    return this.#named.has(agent) ? agent : 'other';
  }
}

const stepBounds = [1, 2, 3, 4, 6, 8, 12, 20, 50];
