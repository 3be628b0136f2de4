/**
 * Finds the metrics and labels of a PromQL expression with Prometheus' own grammar. Grafana's variables are replaced by
 * values that fit.
 */
import { parser } from '@prometheus-io/lezer-promql';

type QueriedSeries = {
  readonly faults: readonly string[];
  /** Names of metrics with the labels that are matched at them. */
  readonly selected: readonly { readonly metric: string; readonly labels: readonly string[] }[];
  /** Labels that the expression groups or joins by. */
  readonly grouped: readonly string[];
};

const withoutVariables = (expression: string): string => expression.replaceAll('$__rate_interval', '5m');

export const queriedSeries = (expression: string): QueriedSeries => {
  const text = withoutVariables(expression);
  const faults: string[] = [];
  const selected: { metric: string; labels: string[] }[] = [];
  const grouped: string[] = [];
  const cursor = parser.parse(text).cursor();
  do {
    const { name, from, to, node } = cursor;
    const word = text.slice(from, to);
    if (node.type.isError) faults.push(`no PromQL at ${from}: ${text.slice(Math.max(0, from - 20), from + 20)}`);
    else if (name === 'VectorSelector') selected.push({ metric: '', labels: [] });
    else if (name === 'Identifier' && node.parent?.name === 'VectorSelector') {
      const last = selected.at(-1);
      if (last) last.metric = word;
    } else if (name === 'LabelName' && node.parent?.name === 'GroupingLabels') grouped.push(word);
    else if (name === 'LabelName') selected.at(-1)?.labels.push(word);
  } while (cursor.next());
  return { faults, selected, grouped };
};
