/** Reads the names of the metrics that services expose and renders the tables of docs/metrics.md. */
type ListedMetric = {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** Those that say whose it is (`service`) and which class of a histogram (`le`) left out. */
  readonly labels: readonly string[];
  readonly services: readonly string[];
};

const sample = /^([a-zA-Z_:][\w:]*?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? \S+$/;
const impliedLabels = new Set(['service', 'le', 'quantile']);

/** `texts`: what each service answers at /metrics. */
export const parseMetrics = (texts: Readonly<Record<string, string>>): readonly ListedMetric[] => {
  const found = new Map<string, { type: string; help: string; labels: Set<string>; services: Set<string> }>();
  for (const [service, text] of Object.entries(texts))
    for (const line of text.split('\n')) {
      const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
      if (word !== undefined) {
        const metric = found.get(name) ?? { type: '', help: '', labels: new Set(), services: new Set() };
        found.set(name, metric);
        metric.services.add(service);
        if (word === 'HELP') metric.help = rest;
        else metric.type = rest;
        continue;
      }
      const [, base = '', labels = ''] = sample.exec(line) ?? [];
      const metric = found.get(base) ?? found.get(/^([^{ ]*)/.exec(line)?.[1] ?? '');
      for (const [, label = ''] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g))
        if (!impliedLabels.has(label)) metric?.labels.add(label);
    }
  return [...found]
    .map(([name, { labels, services, ...rest }]) => ({
      ...{ name, ...rest, labels: [...labels].sort() },
      services: [...services].sort(),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
};

/** Series by service, a line of the text each. */
export const countSeries = (text: string): number => text.split('\n').filter((line) => sample.test(line)).length;

const everyService = 5;
const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

const tableOf = (metrics: readonly ListedMetric[]): string =>
  [
    '| metric | type | labels | services | meaning |',
    '| --- | --- | --- | --- | --- |',
    ...metrics.map(({ name, type, help, labels, services }) => {
      const who = services.length === everyService ? 'all' : services.join(', ');
      return `| \`${name}\` | ${type} | ${code(labels)} | ${who} | ${cell(help)} |`;
    }),
  ].join('\n');

const isTesseraMetric = ({ name }: ListedMetric): boolean => name.startsWith('tessera_');

/** Of Node's own the labels are left out: which there are depends on the moment. */
const withoutLabels = (metric: ListedMetric): ListedMetric => ({ ...metric, labels: [] });

/** Between a heading and the next one. */
const replaceAfter = (document: string, heading: string, table: string): string => {
  const begin = document.indexOf(`## ${heading}\n`);
  if (begin < 0) throw new Error(`There is no heading "${heading}".`);
  const next = document.indexOf('\n## ', begin + 1);
  return `${document.slice(0, begin)}## ${heading}\n\n${table}\n${next < 0 ? '' : document.slice(next)}`;
};

/** The document with its two tables as `metrics` say. */
export const replaceMetricTables = (document: string, metrics: readonly ListedMetric[]): string =>
  replaceAfter(
    replaceAfter(document, 'Metrics of Tessera', tableOf(metrics.filter(isTesseraMetric))),
    'Metrics of the processes',
    tableOf(metrics.filter((metric) => !isTesseraMetric(metric)).map(withoutLabels)),
  );
