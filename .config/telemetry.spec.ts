import { describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { serviceNames } from '../libs/local-stack/src/nats-permissions.js';
import { listedMetrics, metricOf } from './telemetry/listed-metrics.js';
import { alertTests, hasPromtool, testRules } from './telemetry/promtool.js';
import { queriedSeries } from './telemetry/promql.js';
import { readText, workspaceRoot } from './workspace/files.js';

const listed = listedMetrics(readText(workspaceRoot, 'docs/metrics.md'));
const dashboardText = readText(workspaceRoot, 'k8s/components/telemetry/dashboard.json');

type Member = (value: unknown, name: string) => unknown;
const member: Member = (value, name) =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
const items = (value: unknown, name: string): readonly unknown[] => {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
};
const text = (value: unknown, name: string): string => {
  const found = member(value, name);
  return typeof found === 'string' ? found : '';
};

const panels = items(JSON.parse(dashboardText), 'panels');
const expressions = panels.flatMap((panel) =>
  items(panel, 'targets').map((target) => [text(panel, 'title'), text(target, 'expr')] as const),
);
const groups = parseAllDocuments(readText(workspaceRoot, 'k8s/components/telemetry/alerts.yaml')).flatMap((document) =>
  items(member(document.toJS(), 'spec'), 'groups'),
);
const rules = groups
  .flatMap((group) => items(group, 'rules'))
  .map((rule) => ({
    name: text(rule, 'alert'),
    expression: text(rule, 'expr'),
    annotations: member(rule, 'annotations'),
  }));

/** Metrics of other programs, which docs/operations.md lists with who has to be scraped for them. */
const [, sources = ''] =
  /^### Sources of the alerts\n(.*?)^##/ms.exec(readText(workspaceRoot, 'docs/operations.md')) ?? [];
const foreign = new Set([...sources.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name));

/** Those that Prometheus gives every series of a pod, and those that every series of ours or of a histogram has. */
const everySeries = ['namespace', 'pod', 'instance', 'job', 'container', 'service', 'le'];

/** Metrics of an expression that no service has. */
const unknownIn = (expression: string): readonly string[] => {
  const { faults, selected, grouped } = queriedSeries(expression);
  const known = new Set(everySeries);
  // Made by the expression itself.
  for (const [, made = ''] of expression.matchAll(/label_replace\(.*?, "(\w+)",/g)) known.add(made);
  const unknown = [...faults];
  for (const { metric, labels } of selected) {
    const found = metricOf(metric, listed);
    if (!found && !foreign.has(metric)) unknown.push(`no metric ${metric}`);
    for (const label of labels)
      if (!everySeries.includes(label) && found?.labels.has(label) === false)
        unknown.push(`${metric} has no label ${label}`);
    found?.labels.forEach((label) => known.add(label));
    if (foreign.has(metric)) labels.forEach((label) => known.add(label));
  }
  return [...unknown, ...grouped.filter((label) => !known.has(label)).map((label) => `nothing has the label ${label}`)];
};

describe('the dashboard', () => {
  it.each(expressions)('queries only existing metrics in "%s": %s', (_title, expression) => {
    expect(unknownIn(expression)).toEqual([]);
  });

  it('shows every metric of Tessera', () => {
    const shown = new Set(
      expressions.flatMap(([, expression]) =>
        queriedSeries(expression).selected.map(({ metric }) => metricOf(metric, listed)?.name ?? metric),
      ),
    );
    const ours = [...listed.keys()].filter((name) => name.startsWith('tessera_'));
    expect(ours.length).toBeGreaterThan(20);
    expect(ours.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('filters by data source, namespace and service, and contains no name of one installation', () => {
    const variables = items(member(JSON.parse(dashboardText), 'templating'), 'list').map((each) => text(each, 'name'));
    expect(variables).toEqual(['datasource', 'namespace', 'service']);
    const ids = panels.map((panel) => member(panel, 'id'));
    expect(new Set(ids).size).toBe(ids.length);
    const sources = [...dashboardText.matchAll(/"uid": "([^"]*)"/g)].map(([, uid]) => uid);
    expect(new Set(sources)).toEqual(new Set(['${datasource}', 'tessera']));
  });
});

describe('the alerts', () => {
  it('fire for a process that exits at its start, before it has metrics', () => {
    const selected = rules.flatMap(({ expression }) => queriedSeries(expression).selected);
    expect(selected.map(({ metric }) => metric)).toContain('up');
  });

  it('fire for each service that is gone altogether', () => {
    const gone = rules.find(({ name }) => name === 'TesseraServiceGone')?.expression ?? '';
    const services = [...gone.matchAll(/absent\(tessera_ready\{service="([a-z-]+)"\}\)/g)].map(([, name]) => name);
    expect(services.toSorted()).toEqual(serviceNames.toSorted());
  });

  it('name each metric and alert of other programs in the list of who has to be scraped', () => {
    const others = rules.filter(({ expression }) =>
      queriedSeries(expression).selected.some(({ metric }) => !metricOf(metric, listed)),
    );
    const metrics = others.flatMap(({ expression }) => queriedSeries(expression).selected.map(({ metric }) => metric));
    const named = (pattern: RegExp): readonly string[] => [...new Set(sources.match(pattern))].toSorted();
    expect(named(/(?<=`)(?!tessera_)(?:up|[a-z]+(?:_[a-z]+)+)(?=`)/g)).toEqual([...new Set(metrics)].toSorted());
    expect(named(/\bTessera\w+/g)).toEqual(others.map(({ name }) => name).toSorted());
  });

  it.each(rules.map(({ name, expression }) => [name, expression]))(
    '%s asks for what services tell',
    (_name, expression) => {
      expect(unknownIn(expression)).toEqual([]);
    },
  );

  it.each(rules.map(({ name, annotations }) => [name, annotations] as const))(
    '%s says what it means and what to do',
    (_name, annotations) => {
      expect(text(annotations, 'summary')).not.toBe('');
      expect(text(annotations, 'description').length).toBeGreaterThan(100);
    },
  );
});

describe('the tests of the alerts', () => {
  it('see each alert quiet while its series are there, and firing', () => {
    const asked = items(parse(readText(workspaceRoot, alertTests)), 'tests').flatMap((test) =>
      items(test, 'alert_rule_test').map(
        (each) => `${text(each, 'alertname')} ${items(each, 'exp_alerts').length === 0 ? 'quiet' : 'fires'}`,
      ),
    );
    const expected = rules.flatMap(({ name }) => [`${name} fires`, `${name} quiet`]);
    expect([...new Set(asked)].toSorted()).toEqual(expected.toSorted());
  });

  it('pass in promtool (where it is not installed only `npm run alerts` fails)', async () => {
    const withoutDescriptions: unknown = JSON.parse(
      JSON.stringify(groups, (key, value: unknown) => (key === 'description' ? undefined : value)),
    );
    const isAsked = hasPromtool() || process.env['PROMTOOL'] === 'required';
    const said = isAsked ? await testRules(items({ groups: withoutDescriptions }, 'groups')) : 'SUCCESS';
    expect(said).toMatch(/SUCCESS$/);
  });
});

describe('the metrics of an expression', () => {
  it('are reported when no service has them', () => {
    expect(unknownIn('sum by (nobody) (rate(tessera_unheard_total{team="a"}[5m]))')).toEqual([
      'no metric tessera_unheard_total',
      'nothing has the label nobody',
    ]);
    expect(unknownIn('tessera_ready{colour="red"}')).toEqual(['tessera_ready has no label colour']);
    expect(unknownIn('sum(rate(tessera_ready[5m])')).toEqual([expect.stringContaining('no PromQL')]);
  });
});
