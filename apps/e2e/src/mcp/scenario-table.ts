/** Renders the table of scenarios in docs/tools.md. A scenario that checked nothing of ours does not count as passed. */
import {
  mcpRevisions,
  type ConformanceCheck,
  type McpRevision,
  type ConformanceScenario,
  type ExpectedFailure,
} from './run-conformance.js';

const verdicts = ['passes', 'in part', 'does not apply', 'says nothing', 'fails'] as const;
type Verdict = (typeof verdicts)[number];

/** Scenarios without a failure that have looked at nothing, and why. */
export const scenariosWithoutChecks: Readonly<Record<string, string>> = {
  'server-session-lifecycle': 'No sessions: any replica answers any request.',
  'input-required-result-validate-input': 'The server asks its clients nothing: a call has all that it needs.',
  'tasks-status-notifications': 'No tasks (an extension): a call ends within 28 seconds.',
};

/** The runner's check of every message; it says nothing about a scenario. */
const commonCheck = 'wire-schema-valid';
const isBad = ({ status }: ConformanceCheck): boolean => status === 'FAILURE' || status === 'WARNING';
const isGood = ({ status }: ConformanceCheck): boolean => status === 'SUCCESS';

export const verdictOfScenario = (
  { name, checks }: ConformanceScenario,
  expected: readonly ExpectedFailure[],
): Verdict => {
  const own = checks.filter(({ id }) => id !== commonCheck);
  const known = expected.filter(({ scenario }) => scenario === name);
  const isKnown = ({ id }: ConformanceCheck): boolean => known.some(({ check }) => check === undefined || check === id);
  const bad = checks.filter(isBad);
  if (bad.some(({ id }) => id === commonCheck) || !bad.every(isKnown)) return 'fails';
  if (bad.length > 0)
    return known.every(({ check }) => check !== undefined) && own.some(isGood) ? 'in part' : 'does not apply';
  if (scenariosWithoutChecks[name] !== undefined) return 'says nothing';
  return own.some(isGood) ? 'passes' : 'fails';
};

type ScenarioResult = Readonly<Record<McpRevision, readonly ConformanceScenario[]>>;

export const renderScenarioTable = (found: ScenarioResult, expected: readonly ExpectedFailure[]): string => {
  const names = [...new Set(mcpRevisions.flatMap((revision) => found[revision].map(({ name }) => name)))];
  const rows = names.map((name) => {
    const cells = mcpRevisions.map((revision) => {
      const scenario = found[revision].find((each) => each.name === name);
      return scenario ? verdictOfScenario(scenario, expected) : '-';
    });
    const reasons = expected.filter(({ scenario }) => scenario === name).map(({ reason }) => reason);
    const isNamed = cells.some((cell) => cell !== 'passes' && cell !== '-');
    const why = isNamed ? [...new Set([...reasons, scenariosWithoutChecks[name] ?? []].flat())].join(' ') : '';
    return { name, cells, why };
  });
  const order = (cells: readonly string[]): number =>
    Math.min(...cells.map((cell) => verdicts.findIndex((verdict) => verdict === cell)).filter((at) => at >= 0));
  const sorted = rows.toSorted(
    (one, other) => order(one.cells) - order(other.cells) || (one.name < other.name ? -1 : 1),
  );
  return printTable([
    ['scenario', ...mcpRevisions, 'why'],
    ...sorted.map(({ name, cells, why }) => [`\`${name}\``, ...cells, why]),
  ]);
};

/** As the formatter of the documents writes it. */
const printTable = (rows: readonly (readonly string[])[]): string => {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [first = '', ...rest] = rows.map(line);
  return [first, line(widths.map((width) => '-'.repeat(width))), ...rest].join('\n');
};
