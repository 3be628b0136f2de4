/** `tessera eval DIR`: asks an agent questions whose truth is known, and tells how many answers are right, half, wrong and refused. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { converse, readConversation } from '@tessera/contracts/agents';
import { postModelQuery } from '@tessera/contracts/knowledge-models';
import { type Evaluation, type EvaluationQuestion, readEvaluations } from '../evaluation/evaluation-file.js';
import { judgeAnswer, type Truth, verdicts } from '../evaluation/judge-answer.js';
import {
  type ChangedOutcome,
  compareRuns,
  type Outcome,
  percentOf,
  Run,
  type Score,
  scoreOf,
} from '../evaluation/score.js';
import { exitCodes, type ExitCode } from '../exit-code.js';
import type { Gateway, GatewayResult } from '../gateway/gateway.js';
import { formatTable } from '../terminal/format.js';
import {
  reportTeamKeyFailure,
  reportUsageError,
  withGateway,
  type CommandContext,
  type JsonOption,
} from './command.js';

export type EvalOptions = JsonOption & {
  readonly agent?: string;
  readonly draft?: boolean;
  readonly minRight?: string;
  readonly maxWrong?: string;
};

type AskedQuestion = { readonly agent: string; readonly question: EvaluationQuestion };
type QuestionWithTruth = AskedQuestion & { readonly truth: Truth };
type Limits = { readonly minRight?: number; readonly maxWrong?: number };

/** Of the folder; the next run is compared with it. */
const runFile = 'last-run.json';

export const evalCommand = (
  context: CommandContext,
  folder: string,
  options: EvalOptions,
): Promise<ExitCode> | ExitCode => {
  const limits = readLimits(options);
  if (typeof limits === 'string') return reportUsageError(context, limits);
  const evaluations = readEvaluations(folder);
  if (typeof evaluations === 'string') return reportUsageError(context, evaluations);
  const questions = questionsOf(evaluations, options);
  if (typeof questions === 'string') return reportUsageError(context, questions);
  return withGateway(
    context,
    async (gateway) => {
      const asked = await readTruths(context, gateway, questions);
      if (typeof asked === 'number') return asked;
      const outcomes: Outcome[] = [];
      for (const each of asked) {
        const outcome = await askQuestion(gateway, each, options);
        if (!outcome.ok) return reportTeamKeyFailure(context, outcome.refusal, 'agent');
        outcomes.push(outcome.value);
      }
      return reportRun(context, join(folder, runFile), outcomes, { ...limits, json: options.json ?? false });
    },
    ['API_KEY', 'ADMIN_KEY'],
  );
};

/** A text says what would be right. */
const readLimits = ({ minRight, maxWrong }: EvalOptions): Limits | string => {
  for (const [option, text] of Object.entries({ '--min-right': minRight, '--max-wrong': maxWrong }))
    if (text !== undefined && !isPercent(text))
      return `${option}: expected per cent as a number from 0 to 100, such as 85, not "${text}".`;
  return {
    ...(minRight !== undefined && { minRight: Number(minRight) }),
    ...(maxWrong !== undefined && { maxWrong: Number(maxWrong) }),
  };
};

const isPercent = (text: string): boolean => /^\d{1,3}(\.\d+)?$/.test(text) && Number(text) <= 100;

const questionsOf = (
  evaluations: readonly Evaluation[],
  { agent: chosen }: EvalOptions,
): readonly AskedQuestion[] | string => {
  const missing = evaluations.find(({ agent }) => (chosen ?? agent) === undefined);
  if (missing) return `${missing.file} names no agent to ask; add "agent: <id>" to the file, or give --agent <id>.`;
  return evaluations.flatMap(({ agent, questions }) =>
    questions.map((question) => ({ agent: chosen ?? agent ?? '', question })),
  );
};

/** Of all questions in their order, before any is asked: a long run must not end at a truth that is wrong. An exit code when one is. */
const readTruths = async (
  context: CommandContext,
  gateway: Gateway,
  questions: readonly AskedQuestion[],
): Promise<readonly QuestionWithTruth[] | ExitCode> => {
  const known: QuestionWithTruth[] = [];
  let exitCode: ExitCode | undefined;
  for (const { agent, question } of questions) {
    const truth = await truthOf(gateway, question);
    if (!truth.ok) {
      const { refusal } = truth;
      if (refusal.kind === 'refused')
        context.terminal.note(`${question.place} the query that is the truth of this question was refused:`);
      exitCode = reportTeamKeyFailure(context, refusal, 'model');
      // Others are refused for the same reason.
      if (refusal.kind !== 'refused' || ![400, 404].includes(refusal.problem.status)) return exitCode;
    } else if (isVacuous(truth.value)) {
      context.terminal.note(
        `${question.place} the query that is the truth of this question finds no value, so every answer would be right; say by figures or texts what a right answer has.`,
      );
      exitCode ??= exitCodes.usage;
    } else known.push({ agent, question, truth: truth.value });
  }
  return exitCode ?? known;
};

const isVacuous = ({ figures, texts, expects }: Truth): boolean =>
  expects === 'answer' && figures.length + texts.length === 0;

const askQuestion = async (
  gateway: Gateway,
  { agent, question, truth }: QuestionWithTruth,
  { draft = false }: EvalOptions,
): Promise<GatewayResult<Outcome>> => {
  const begun = performance.now();
  let conversationId: string | undefined;
  let answer = '';
  for (const message of question.ask) {
    const told = { message, ...(conversationId !== undefined && { conversationId }) };
    const reply = await gateway.callRendered(converse, { agent_id: agent, draft, message: told });
    if (!reply.ok) return reply;
    ({ conversationId, text: answer } = reply.value.value);
  }
  const ms = performance.now() - begun;
  const tokens = conversationId === undefined ? 0 : await tokensOf(gateway, agent, conversationId);
  const verdict = judgeAnswer(answer, question.ask, truth);
  return { ok: true, value: { asked: question.ask, agent, verdict, answer, ms: Math.round(ms), tokens } };
};

/** Read and written, of all turns. */
const tokensOf = async (gateway: Gateway, agent: string, conversation: string): Promise<number> => {
  const request = { agent_id: agent, conversation_id: conversation, fromTurn: 1, turnsMax: 100 };
  const read = await gateway.call(readConversation, request);
  const turns = read.ok ? read.value.turns : [];
  return turns.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
};

const truthOf = async (gateway: Gateway, question: EvaluationQuestion): Promise<GatewayResult<Truth>> => {
  const { figures, texts, query, expects } = question;
  if (!query) return { ok: true, value: { figures, texts, expects } };
  const answer = await gateway.callRendered(postModelQuery, { km_id: query.model, query: query.request });
  if (!answer.ok) return answer;
  const cells = answer.value.value.content.flatMap((row) => Object.values(row));
  const isFigure = (cell: unknown): boolean =>
    typeof cell === 'number' || (typeof cell === 'string' && /^-?\d+\.\d+$/.test(cell));
  return {
    ok: true,
    value: {
      figures: [...figures, ...cells.filter(isFigure).map(Number)],
      texts: [...texts, ...cells.flatMap((cell) => (typeof cell === 'string' && !isFigure(cell) ? [cell] : []))],
      expects,
    },
  };
};

const reportRun = (
  { terminal }: CommandContext,
  file: string,
  outcomes: readonly Outcome[],
  { json, minRight = 0, maxWrong = 100 }: Limits & { readonly json: boolean },
): ExitCode => {
  const last = readLastRun(file);
  if (last === 'broken')
    terminal.note(`${file} is not the result of a run, so this run is not compared with it; it is written anew.`);
  const before = last === 'broken' ? undefined : last;
  const score = scoreOf(outcomes);
  const changed = before ? compareRuns(before, outcomes) : [];
  writeFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), outcomes }, null, 2)}\n`);
  if (json)
    terminal.print(
      JSON.stringify({ score, ...(before && { last: scoreOf(before.outcomes), changed }), outcomes }, null, 2),
    );
  else for (const line of linesOf(outcomes, score, before && scoreOf(before.outcomes), changed)) terminal.print(line);
  const isBelow = percentOf(score, 'right') < minRight || percentOf(score, 'wrong') > maxWrong;
  return isBelow ? exitCodes.faults : exitCodes.done;
};

/** Undefined before the first run. */
const readLastRun = (file: string): Run | 'broken' | undefined => {
  if (!existsSync(file)) return undefined;
  try {
    const run = Run.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return run.success ? run.data : 'broken';
  } catch (error) {
    if (error instanceof SyntaxError) return 'broken';
    throw error;
  }
};

const linesOf = (
  outcomes: readonly Outcome[],
  score: Score,
  last: Score | undefined,
  changed: readonly ChangedOutcome[],
): readonly string[] => [
  ...formatTable(
    ['', 'verdict', 'ms', 'tokens', 'question'],
    outcomes.map(({ verdict, ms, tokens, asked }, place) => [
      ...[String(place + 1), verdict, String(ms), String(tokens), asked.join(' / ')],
    ]),
  ),
  '',
  ...formatTable(
    ['', 'questions', ...verdicts, 'ms', 'tokens'],
    [...(last ? [rowOf('last run', last)] : []), rowOf('this run', score)],
  ),
  ...changed.map(({ asked, was, is }) => `${was} -> ${is}: ${asked.join(' / ')}`),
];

const rowOf = (name: string, score: Score): readonly string[] => [
  name,
  String(score.questions),
  ...verdicts.map((verdict) => `${score[verdict]} (${percentOf(score, verdict).toFixed(1)} %)`),
  ...[String(score.ms), String(score.tokens)],
];
