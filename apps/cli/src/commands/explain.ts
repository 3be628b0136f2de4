/** `tessera explain MODEL`: the plan of a query and its cost. */
import { explainQuery } from '@tessera/contracts/knowledge-models';
import type { ReplyOf } from '@tessera/contracts';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { reportUsageError, reportFailure, withGateway, type CommandContext } from './command.js';
import { parseAttributePairs } from './keys.js';
import { parseQueryOptions, type QueryOptions } from './query-options.js';

export type ExplainOptions = QueryOptions & {
  readonly team: string;
  readonly draft?: boolean;
  readonly scope?: readonly string[];
  readonly attribute?: readonly string[];
};

type Explanation = ReplyOf<typeof explainQuery>;

export const explainCommand = (
  context: CommandContext,
  modelId: string,
  options: ExplainOptions,
): Promise<ExitCode> | ExitCode => {
  const query = parseQueryOptions(options);
  if (typeof query === 'string') return reportUsageError(context, `${query}.`);
  const { team, record, draft = false, scope = [], attribute = [], json = false } = options;
  const isSomebody = scope.length + attribute.length > 0;
  return withGateway(context, async (gateway) => {
    const answer = await gateway.call(explainQuery, {
      ...{ team, modelId },
      explain: {
        ...{ query, draft },
        ...(record !== undefined && { record }),
        ...(isSomebody && { caller: { scopes: [...scope], attributes: attributeLists(attribute) } }),
      },
    });
    if (!answer.ok) return reportFailure(context, answer.refusal);
    const lines = json ? [JSON.stringify(answer.value, null, 2)] : explanationLines(answer.value);
    for (const line of lines) context.terminal.print(line);
    return exitCodes.done;
  });
};

const attributeLists = (pairs: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(Object.entries(parseAttributePairs(pairs)).map(([name, values]) => [name, [...values]]));

const explanationLines = (explanation: Explanation): readonly string[] => {
  const { grain, plan, sql, parameters, countSql, rowPolicies, hiddenFields, cost, engine } = explanation;
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [`${title}:`, ...lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`)];
  return [
    ...section('Rows of', [grain.join(', ')]),
    ...section(`SQL with ${parameters} ${parameters === 1 ? 'parameter' : 'parameters'}`, [sql]),
    ...section('SQL of the total', countSql === undefined ? [] : [countSql]),
    ...section(
      'Rows are visible where',
      rowPolicies.map(({ record, rows }) => `${record}: ${rows}`),
    ),
    ...section('Hidden fields', hiddenFields),
    ...section('Estimate', cost ? [costText(cost)] : ['none: the tables are not there']),
    ...section('Answered by', engine ? [`${engine.name}: ${engine.detail}`] : []),
    ...section('Plan', [JSON.stringify(plan, null, 2)]),
  ];
};

const costText = ({ total, rows, indexes }: NonNullable<Explanation['cost']>): string =>
  `cost ${total}, rows ${rows}${indexes.length > 0 ? `, indexes ${indexes.join(', ')}` : ', no index'}`;
