/** `tessera eval DIR`: asks an agent questions whose truth is known, and tells how many answers are right, half, wrong and refused. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWith } from '@tessera/contracts';
import { converse, readConversation } from '@tessera/contracts/agents';
import { KmQueryDataRequest, postModelQuery } from '@tessera/contracts/knowledge-models';
import {
  type Evaluation,
  type EvaluationQuestion,
  readEvaluations,
  type TruthQuery,
} from '../evaluation/evaluation-file.js';
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

/** Of the folder; the next run is compared with it. */
const runFile = 'last-run.json';

export const evalCommand = (
  context: CommandContext,
  folder: string,
  options: EvalOptions,
): Promise<ExitCode> | ExitCode => {
  const evaluations = readEvaluations(folder);
  if (typeof evaluations === 'string') return reportUsageError(context, evaluations);
  const questions = questionsOf(evaluations, options);
  if (typeof questions === 'string') return reportUsageError(context, questions);
  return withGateway(
    context,
    async (gateway) => {
      const outcomes: Outcome[] = [];
      for (const each of questions) {
        const outcome = await askQuestion(gateway, each, options);
        if (!outcome.ok) return reportTeamKeyFailure(context, outcome.refusal, 'agent');
        outcomes.push(outcome.value);
      }
      return reportRun(context, join(folder, runFile), outcomes, options);
    },
    ['API_KEY', 'ADMIN_KEY'],
  );
};

const questionsOf = (
  evaluations: readonly Evaluation[],
  { agent: chosen }: EvalOptions,
): readonly AskedQuestion[] | string => {
  const missing = evaluations.find(({ agent }) => (chosen ?? agent) === undefined);
  if (missing) return `${missing.file} names no agent; name one by --agent`;
  return evaluations.flatMap(({ agent, questions }) =>
    questions.map((question) => ({ agent: chosen ?? agent ?? '', question })),
  );
};

const askQuestion = async (
  gateway: Gateway,
  { agent, question }: AskedQuestion,
  { draft = false }: EvalOptions,
): Promise<GatewayResult<Outcome>> => {
  const truth = await truthOf(gateway, question);
  if (!truth.ok) return truth;
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
  const verdict = judgeAnswer(answer, question.ask, truth.value);
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
  const { figures = [], texts = [], query, expects } = question;
  if (!query) return { ok: true, value: { figures, texts, expects } };
  const parsed = parseWith(KmQueryDataRequest, requestOf(query), 'query');
  if (!parsed.ok) throw new Error(`The query of "${question.ask.join(' / ')}" is none.`);
  const answer = await gateway.callRendered(postModelQuery, { km_id: query.model, query: parsed.value });
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

const requestOf = ({ kpis, fields, filters, where, sort, rows }: TruthQuery) => ({
  projection: {
    ...(fields.length > 0 && { fields: fields.join(',') }),
    ...(kpis.length > 0 && { kpis }),
    filters: { kmFilterNames: filters, filterExpr: where },
    ...(sort !== undefined && { sort }),
    pagination: { pageSize: rows },
    options: [],
  },
});

const reportRun = (
  { terminal }: CommandContext,
  file: string,
  outcomes: readonly Outcome[],
  { json = false, minRight, maxWrong }: EvalOptions,
): ExitCode => {
  const before = existsSync(file) ? Run.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
  const last = before?.success ? before.data : undefined;
  const score = scoreOf(outcomes);
  const changed = last ? compareRuns(last, outcomes) : [];
  writeFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), outcomes }, null, 2)}\n`);
  if (json)
    terminal.print(
      JSON.stringify({ score, ...(last && { last: scoreOf(last.outcomes), changed }), outcomes }, null, 2),
    );
  else for (const line of linesOf(outcomes, score, last && scoreOf(last.outcomes), changed)) terminal.print(line);
  const isBelow =
    (minRight !== undefined && percentOf(score, 'right') < Number(minRight)) ||
    (maxWrong !== undefined && percentOf(score, 'wrong') > Number(maxWrong));
  return isBelow ? exitCodes.faults : exitCodes.done;
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
