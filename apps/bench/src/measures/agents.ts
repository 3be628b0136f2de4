/**
 * Agents with a scripted model: what a turn adds to its calls, many turns at once, and how soon the model's text
 * arrives. A turn that did not follow its script fails the measure.
 */
import { parseJson } from '../json.js';
import { benchTeam } from '../product/largest-facet.js';
import { median } from '../statistics.js';
import { benchAgentId, benchAssetId, benchLanguageModelHost } from '../workload/bench-model.js';
import type { Figure, KnowledgeBench, ComparisonSide } from './bench.js';
import { type SideRequestLoad, type RoundResult, describeProcessorTime, compareSides } from './rounds.js';
import { salesPageToolArguments } from './sales-queries.js';

const turnFactorMax = 3;
const parallelTurns = 50;
const modelMs = 2_000;
const allTurnsMaxMs = 4_000;
const firstPieceMaxMs = 50;

const agentPath = `/intelligence/api/ai/agents/${benchAgentId}`;
const conversationsPath = `${agentPath}/conversations`;
const loadPath = `/studio-copilot/api/v1/mcp-servers/mcp/${benchAssetId}/tool-api/load-data`;

/** The settings of `npm start` for this measure: the address of the scripted model. */
export const createAgentSettings = (modelOrigin: string): Readonly<Record<string, string>> => ({
  MODEL_HOSTS: JSON.stringify({ [benchLanguageModelHost]: { teams: [benchTeam], address: modelOrigin } }),
});

type Script = { readonly calls?: readonly (readonly unknown[])[]; readonly waitMs?: number };
const messageOf = (script: Script): string => JSON.stringify({ message: JSON.stringify(script) });

const questionOf = (amount: number): unknown => parseJson(salesPageToolArguments(amount));

export const measureAgents = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  await checkTurn(bench.sides.gateway);
  return [...(await measureTurns(bench)), await measureManyTurns(bench), await measureFirstPiece(bench)];
};

type ReadTurn = { readonly steps: readonly { readonly kind: string; readonly isError?: boolean }[] };

const checkTurn = async ({ origin, headers }: ComparisonSide): Promise<void> => {
  const script = { calls: [[questionOf(90)], [questionOf(91)]] };
  const { conversationId } = await post<{ readonly conversationId: string }>({ origin, headers }, messageOf(script));
  const response = await fetch(`${origin}${conversationsPath}/${conversationId}`, { headers });
  const { turns } = parseJson<{ readonly turns: readonly ReadTurn[] }>(await response.text());
  const steps = turns[0]?.steps.map(({ kind, isError }) => (isError ? `${kind} failed` : kind)).join(', ');
  if (steps !== 'model, tool, model, tool, model') throw new Error(`A turn of the script had the steps ${steps}.`);
};

const post = async <T>({ origin, headers }: Pick<ComparisonSide, 'origin' | 'headers'>, body: string): Promise<T> => {
  const response = await fetch(origin + conversationsPath, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`A turn was answered ${response.status}: ${text.slice(0, 500)}`);
  return parseJson<T>(text);
};

const turnsOfRound = 2_000;

/** The amounts in queries: either so many that no query repeats, or always the same two. */
type Amounts = (round: number, index: number) => number;
const createFreshAmounts =
  (first: number): Amounts =>
  (round, index) =>
    first + (round * turnsOfRound * 4 + index) / 1_000;
const constantAmount: Amounts = (_, index) => 100 + (index % 2);

/** Two calls one after the other, or in one step. */
const shapes = {
  'one after the other': (left: unknown, right: unknown) => [[left], [right]],
  'at the same time': (left: unknown, right: unknown) => [[left, right]],
} as const;
type Shape = keyof typeof shapes;

const runTurns = (shape: Shape, amounts: Amounts): SideRequestLoad => ({
  side: 'gateway',
  order: (round) => {
    const bodies = Array.from({ length: turnsOfRound }, (_, index) => {
      const [left, right] = [index * 2, index * 2 + 1].map((each) => questionOf(amounts(round, each)));
      return messageOf({ calls: shapes[shape](left, right) });
    });
    return { connections: 1, once: true, method: 'POST', paths: bodies.map(() => conversationsPath), bodies };
  },
});

const runCalls = (amounts: Amounts): SideRequestLoad => ({
  side: 'gateway',
  order: (round) => {
    const bodies = Array.from({ length: turnsOfRound * 2 }, (_, index) =>
      salesPageToolArguments(amounts(round, index)),
    );
    return { connections: 1, once: true, method: 'POST', paths: bodies.map(() => loadPath), bodies };
  },
});

const measureTurns = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const contests = [
    {
      shape: 'one after the other',
      what: 'none asked twice',
      amounts: [createFreshAmounts(2_000), createFreshAmounts(3_000)],
    },
    {
      shape: 'at the same time',
      what: 'none asked twice',
      amounts: [createFreshAmounts(4_000), createFreshAmounts(5_000)],
    },
    { shape: 'one after the other', what: 'asked again', amounts: [constantAmount, constantAmount] },
  ] as const;
  const figures: Figure[] = [];
  for (const { shape, what, amounts } of contests) {
    const name = `A turn with two calls of load-data ${shape}, ${what}`;
    bench.say(`measuring: ${name}`);
    const contest = [runTurns(shape, amounts[0]), runCalls(amounts[1])];
    const [ofTurns = [], ofCalls = []] = await compareSides(bench, contest, 200);
    figures.push(...figuresOf(name, ofTurns, ofCalls));
  }
  return figures;
};

const figuresOf = (
  name: string,
  ofTurns: readonly RoundResult[],
  ofCalls: readonly RoundResult[],
): readonly Figure[] => {
  const ms = (measured: readonly RoundResult[]) => measured.map(({ requestsPerSecond }) => 1_000 / requestsPerSecond);
  const [turnMs, callMs] = [ms(ofTurns), ms(ofCalls)];
  const factor = median(turnMs.map((value, round) => value / (2 * (callMs[round] ?? NaN))));
  return [
    {
      what: `${name}: time / that of two calls over HTTP`,
      target: `< ${turnFactorMax}`,
      holds: factor < turnFactorMax,
      actual: `${factor.toFixed(2)} (${median(turnMs).toFixed(2)} ms / 2 x ${median(callMs).toFixed(2)} ms)`,
    },
    { what: `${name}: processor time of a turn`, actual: describeProcessorTime(ofTurns) },
    { what: `${name}: processor time of a call`, actual: describeProcessorTime(ofCalls) },
  ];
};

const measureManyTurns = async ({ sides, rounds, say }: KnowledgeBench): Promise<Figure> => {
  say(`measuring: ${parallelTurns} turns at once`);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begunAt = performance.now();
    await Promise.all(Array.from({ length: parallelTurns }, () => post(sides.gateway, messageOf({ waitMs: modelMs }))));
    times.push(performance.now() - begunAt);
  }
  const slowest = Math.max(...times);
  return {
    what: `${parallelTurns} turns at once on one replica, of a model that takes ${modelMs / 1_000} s: time until all are answered`,
    target: `< ${allTurnsMaxMs / 1_000} s`,
    holds: slowest < allTurnsMaxMs,
    actual: `${(median(times) / 1_000).toFixed(2)} s (slowest ${(slowest / 1_000).toFixed(2)} s)`,
  };
};

/** A piece of text says when it left the model; both clocks are those of this machine. */
const firstPieceMs = async ({ origin, headers }: ComparisonSide): Promise<number> => {
  const response = await fetch(origin + conversationsPath, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: messageOf({ waitMs: 50 }),
  });
  let text = '';
  for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += piece;
    const [, data] = /^event: text\ndata: (.*)$/m.exec(text) ?? [];
    if (data === undefined) continue;
    const arrivedAt = performance.timeOrigin + performance.now();
    return arrivedAt - Number(parseJson<{ readonly text: string }>(data).text);
  }
  throw new Error(`No piece of text came: ${text.slice(0, 500)}`);
};

const measureFirstPiece = async ({ sides, say }: KnowledgeBench): Promise<Figure> => {
  say('measuring: the first piece of a streamed answer');
  const times: number[] = [];
  for (let turn = 0; turn < 40; turn++) times.push(await firstPieceMs(sides.gateway));
  const slowest = Math.max(...times.slice(5));
  return {
    what: 'First piece of a streamed answer: from the model to the client',
    target: `<= ${firstPieceMaxMs} ms`,
    holds: slowest <= firstPieceMaxMs,
    actual: `${median(times).toFixed(1)} ms (slowest ${slowest.toFixed(1)} ms)`,
  };
};
