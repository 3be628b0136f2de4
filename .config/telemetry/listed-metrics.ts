/** Reads the metrics that docs/metrics.md lists; the end-to-end tests compare that list with the running services. */
type ListedMetric = { readonly type: string; readonly labels: ReadonlySet<string> };

const row = /^\| `([\w:]+)`\s*\| (\w+)\s*\| ([^|]*)\|/;

/** By name. */
export const listedMetrics = (document: string): ReadonlyMap<string, ListedMetric> =>
  new Map(
    document
      .split('\n')
      .map((line) => row.exec(line))
      .filter((match) => match !== null)
      .map(([, name = '', type = '', labels = '']) => [
        name,
        { type, labels: new Set([...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label)) },
      ]),
  );

const parts: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['_sum', '_count', ''],
};

/** The metric that a series of this name belongs to. */
export const metricOf = (
  series: string,
  listed: ReadonlyMap<string, ListedMetric>,
): (ListedMetric & { readonly name: string }) | undefined => {
  for (const [name, metric] of listed)
    if ((parts[metric.type] ?? ['']).some((part) => series === name + part)) return { name, ...metric };
  return undefined;
};
