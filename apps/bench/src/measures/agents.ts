/**
 * Agents with a scripted model: what a turn adds to its calls, many turns at once, and how soon the model's text
 * arrives. A turn that did not follow its script fails the measure.
 */
import { parseJson, readJson } from '../answers.js';
import * as engine from '../engine.js';
import { benchTeam } from '../product/product.js';
import { median } from '../statistics.js';
import { salesPageToolArguments } from './sales-queries.js';
import { loadDataCall } from './tools.js';

const path = '/intelligence/api/ai/agents/bench.agent/conversations';
const parallelTurns = 50;
const modelMs = 2_000;
const turnsOfRound = 2_000;

/** The settings of `npm start` for products whose workspace has the agent: the address of its model, which others never ask. */
export const agentSettings = (modelOrigin = 'http://127.0.0.1:9'): Readonly<Record<string, string>> => ({
  MODEL_HOSTS: JSON.stringify({ 'model.example': { teams: [benchTeam], address: modelOrigin } }),
});

type Script = { readonly calls?: readonly (readonly unknown[])[]; readonly waitMs?: number };
const bodyOf = (script: Script): string => JSON.stringify({ message: JSON.stringify(script) });
const callOf = (amount: number): unknown => parseJson(salesPageToolArguments(amount));

export const measureAgents = async (bench: engine.Bench): Promise<readonly engine.Figure[]> => {
  await checkTurn(bench);
  return [
    ...(await engine.runContests(bench, turnContests(bench))),
    await measureManyTurns(bench),
    await measureFirstPiece(bench),
  ];
};

const checkTurn = async ({ gateway }: engine.Bench): Promise<void> => {
  type Turn = { readonly steps: readonly { readonly kind: string; readonly isError?: boolean }[] };
  const body = bodyOf({ calls: [[callOf(90)], [callOf(91)]] });
  const { conversationId } = await readJson<{ readonly conversationId: string }>(gateway, path, { body });
  const { turns } = await readJson<{ readonly turns: readonly Turn[] }>(gateway, `${path}/${conversationId}`);
  const steps = turns[0]?.steps.map(({ kind, isError }) => (isError ? `${kind} failed` : kind)).join(', ');
  if (steps !== 'model, tool, model, tool, model') throw new Error(`A turn of the script had the steps ${steps}.`);
};

/** A turn with two calls, one after the other or in one step, against the same calls over HTTP; each side has amounts of its own. */
const turnContests = ({ gateway }: engine.Bench): readonly engine.Contest[] => {
  const fresh = (from: number) => (number: number) => from + number / 1_000;
  const again = (number: number): number => 100 + (number % 2);
  const kinds = [
    { how: 'one after the other', asked: 'none asked twice', amounts: [fresh(2_000), fresh(3_000)] },
    { how: 'at the same time', asked: 'none asked twice', amounts: [fresh(4_000), fresh(5_000)] },
    { how: 'one after the other', asked: 'asked again', amounts: [again, again] },
  ] as const;
  return kinds.map(({ how, asked, amounts: [ofTurns, ofCalls] }) => {
    const turn = (number: number) => {
      const [left, right] = [callOf(ofTurns(2 * number)), callOf(ofTurns(2 * number + 1))];
      const calls = how === 'at the same time' ? [[left, right]] : [[left], [right]];
      return { method: 'POST', path, body: bodyOf({ calls }) } as const;
    };
    const call = (number: number) => loadDataCall(ofCalls(number));
    return {
      what: `A turn with two calls of load-data ${how}, ${asked}`,
      clients: 1,
      warmUp: 200,
      sides: {
        turn: { ...gateway, requests: engine.numbered(turnsOfRound, turn) },
        call: { ...gateway, requests: engine.numbered(2 * turnsOfRound, call) },
      },
      figures: [
        compareWithTwoCalls,
        engine.processorTime('turn', ': processor time of a turn'),
        engine.processorTime('call', ': processor time of a call'),
      ],
    };
  });
};

const compareWithTwoCalls: engine.Reading = (what, rounds) => {
  const ms = (side: string) => rounds(side).map(({ requestsPerSecond }) => 1_000 / requestsPerSecond);
  const [turnMs, callMs] = [ms('turn'), ms('call')];
  const told = `(${median(turnMs).toFixed(2)} ms / 2 x ${median(callMs).toFixed(2)} ms)`;
  const series = [turnMs, callMs.map((each) => 2 * each)] as const;
  return engine.ratio(`${what}: time / that of two calls over HTTP`, '< 3', series, (value) => `${value} ${told}`);
};

const measureManyTurns = async ({ gateway, rounds, say }: engine.Bench): Promise<engine.Figure> => {
  say(`measuring: ${parallelTurns} turns at once`);
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begunAt = performance.now();
    const body = bodyOf({ waitMs: modelMs });
    await Promise.all(Array.from({ length: parallelTurns }, () => readJson(gateway, path, { body })));
    seconds.push((performance.now() - begunAt) / 1_000);
  }
  const slowest = Math.max(...seconds);
  const what = `${parallelTurns} turns at once on one replica, of a model that takes ${modelMs / 1_000} s: time until all are answered`;
  return engine.judge(what, '< 4 s', slowest, `${median(seconds).toFixed(2)} s (slowest ${slowest.toFixed(2)} s)`);
};

/** A piece of text says when it left the model; both clocks are those of this machine. */
const firstPieceMs = async ({ gateway }: engine.Bench): Promise<number> => {
  const response = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { ...gateway.headers, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: bodyOf({ waitMs: 50 }),
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

const measureFirstPiece = async (bench: engine.Bench): Promise<engine.Figure> => {
  bench.say('measuring: the first piece of a streamed answer');
  const times: number[] = [];
  for (let turn = 0; turn < 40; turn++) times.push(await firstPieceMs(bench));
  const slowest = Math.max(...times.slice(5));
  const what = 'First piece of a streamed answer: from the model to the client';
  return engine.judge(what, '<= 50 ms', slowest, `${median(times).toFixed(1)} ms (slowest ${slowest.toFixed(1)} ms)`);
};
