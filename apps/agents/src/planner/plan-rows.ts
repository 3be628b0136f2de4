/** Plans the rows of a record: those that fit, the largest or the newest first when that was asked for. */
import { createFieldChooser, identifyingFields, isDay, reaches, uniqueFields } from './choose-fields.js';
import { countRows, findSizeFields, isNumber } from './find-measure.js';
import { withSizes } from './bind-comparison.js';
import { type RefineContext, toFilterArgs, planNewestDayLookup, refineQuery } from './refinement.js';
import { type Plan, createRefusalPlan } from './plan.js';
import type { Interpretation } from './interpretation.js';
import type { Field, RecordEntry } from './vocabulary.js';

export const planRows = (interpretation: Interpretation, known: RefineContext): Plan => {
  const { vocabulary } = known;
  const { intents, ranking, values, filters, comparisons, periods } = interpretation;
  const fields = [
    ...interpretation.fields,
    ...interpretation.groups.flatMap((group) => (group.kind === 'field' ? [group.options] : [])),
  ];
  const narrows = values.length + filters.length + comparisons.length + periods.length;
  if (
    narrows + fields.length + interpretation.records.length + interpretation.groups.length === 0 &&
    !interpretation.home
  )
    return createRefusalPlan({ why: 'not-understood' });
  const home = findHome(interpretation, known);
  const isOther = figureIntents.some((intent) => intents.has(intent));
  if (!home || isOther || interpretation.shift || interpretation.groups.some(({ kind }) => kind === 'time'))
    return createRefusalPlan({ why: 'no-kpi' });
  if (interpretation.records.some(({ id }) => id !== home.id && !reaches(home, id)))
    return createRefusalPlan({ why: 'no-kpi' });
  if (narrows === 0 && !ranking && !interpretation.home) return createRefusalPlan({ why: 'no-kpi' });
  const counted = [countRows(home)];
  const waits = planNewestDayLookup(interpretation, known, counted);
  if (waits) return waits;
  const chooser = createFieldChooser(vocabulary, counted, known.avoid);
  const sized = withSizes(interpretation, chooser, false);
  if ('why' in sized) return createRefusalPlan(sized);
  const refinement = refineQuery(sized, known, chooser, { period: periods[0], kpis: [] });
  if ('why' in refinement) return createRefusalPlan(refinement);
  const asked = fields.map((options) => chooser.field(options));
  if (asked.includes(undefined)) return createRefusalPlan({ why: 'cannot-group' });
  const named = asked.flatMap((field) => field ?? []);
  const order = ranking && orderOf(home, named, ranking.by);
  if (ranking && (!order || order.length === 0)) return createRefusalPlan({ why: 'no-size', home: home.name });
  const compared = refinement.comparisons.flatMap(({ of }) => ('record' in of ? [of] : []));
  const groups = uniqueFields([...identifyingFields(home), ...named, ...compared, ...(order ?? [])]);
  const [first] = order ?? [];
  const isAscending = ranking?.by === 'least' || ranking?.by === 'oldest' || ranking?.by === 'worst';
  const args = {
    columns: groups.map(({ id }) => id),
    ...(ranking && first && { order_by: first.id, ascending: isAscending, limit: ranking.limit ?? superlativeRows }),
    page_size: listedRows,
    ...toFilterArgs(refinement),
  };
  return { kind: 'rows', query: { args, kpis: [], groups, refinement } };
};

const figureIntents = ['average', 'median', 'maximum', 'minimum', 'share', 'trend', 'how-much'] as const;
const listedRows = 25;
const superlativeRows = 5;

/** The record whose rows are asked for. */
export const findHome = (
  interpretation: Interpretation,
  { vocabulary }: Pick<RefineContext, 'vocabulary'>,
): RecordEntry | undefined => {
  const { home, records, groups, values, fields } = interpretation;
  const [grouped] = groups.flatMap((group) => (group.kind === 'record' ? [group.record] : []));
  const named = home ?? grouped ?? records[0];
  if (named) return named;
  const conditions = [...new Set(values.flatMap(({ options }) => options.map(({ field }) => field.record)))];
  const fieldsOf = [...new Set(fields.flatMap((options) => options.map(({ record }) => record)))];
  // What several records have says of none of them that its rows are meant.
  const [id] = [fieldsOf, conditions].find((each) => each.length === 1) ?? [];
  const identified = values.find(({ options }) =>
    options.some(({ field }) =>
      vocabulary.records.some(({ identifier }) => identifier.length === 1 && identifier[0] === field.id),
    ),
  );
  const owner = identified?.options.find(({ field }) =>
    vocabulary.records.some(({ identifier }) => identifier.length === 1 && identifier[0] === field.id),
  );
  return vocabulary.records.find((record) => record.id === (owner?.field.record ?? id));
};

/** What rows are ordered by, the first alone; beside it is shown what else they could be large by. */
const orderOf = (home: RecordEntry, named: readonly Field[], by: string): readonly Field[] => {
  if (by === 'newest' || by === 'oldest') return home.fields.filter(isDay).slice(0, 1);
  const numbers = named.filter(isNumber);
  return numbers.length > 0 ? numbers.slice(0, 1) : findSizeFields(home);
};
