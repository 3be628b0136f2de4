/** Plans the call of get-insights: a KPI, and the fields whose values may drive it. Keys and free text are left out. */
import { createFieldChooser, identifyingFields } from './choose-fields.js';
import { toFilterArgs, type RefineContext, refineQuery } from './refinement.js';
import { type Refinement, type Plan, createRefusalPlan } from './plan.js';
import type { Interpretation } from './interpretation.js';
import type { Field, Kpi, Vocabulary } from './vocabulary.js';

const driversMax = 20;
const fieldsOfDrivers = 6;

export const planDrivers = (interpretation: Interpretation, known: RefineContext): Plan => {
  const [kpi] = interpretation.kpis;
  if (!kpi) return createRefusalPlan({ why: 'no-kpi' });
  const chooser = createFieldChooser(known.vocabulary, [kpi], known.avoid);
  const named = interpretation.groups
    .filter(({ kind }) => kind !== 'time')
    .flatMap((group) => chooser.columns(group)?.slice(-1) ?? []);
  const refinement = refineQuery(interpretation, known, chooser, { period: interpretation.periods[0], kpis: [kpi] });
  if ('why' in refinement) return createRefusalPlan(refinement);
  const rows = { ...refinement, comparisons: refinement.comparisons.filter(({ of }) => 'record' in of) };
  const fields = named.length > 0 ? named : driverFields(known.vocabulary, kpi, rows);
  if (fields.length === 0) return createRefusalPlan({ why: 'cannot-group' });
  const args = { kpi: kpi.id, field_ids: fields.map(({ id }) => id), limit: driversMax, ...toFilterArgs(rows) };
  return { kind: 'drivers', kpi, args, refinement: rows };
};

/** Numbers of documents, texts and what is the same everywhere drive nothing. */
const isUninformative =
  /(?:_NO|_ID|NOTE|DESCRIPTION|NAME|EMAIL|CURRENCY|UNIT|_ACCOUNT|_OF|_ORG|CENTRE|CENTER|COUNTRY|CODE)$/i;

/** Fields with texts of the KPI's own record, then of the records that it may look into, each name once. */
const driverFields = ({ records }: Vocabulary, kpi: Kpi, { values }: Refinement): readonly Field[] => {
  const own = records.filter(({ id }) => kpi.records.includes(id));
  const fixed = new Set(values.map(({ field }) => field.name));
  const names = records
    .filter(({ id }) => !kpi.records.includes(id))
    .flatMap((record) =>
      identifyingFields(record).filter(
        ({ type, variants }) => type === 'string' && variants.some((stems) => stems.join(' ') === 'name'),
      ),
    );
  const candidates = [...own, ...records.slice(0, 1)].flatMap(({ fields, identifier }) =>
    fields.filter(
      ({ id, type, name }) =>
        type === 'string' && !identifier.includes(id) && !isUninformative.test(id) && !fixed.has(name),
    ),
  );
  const unlike = [...new Map(candidates.toReversed().map((field) => [field.name, field])).values()].toReversed();
  return [...unlike.slice(0, fieldsOfDrivers), ...names.slice(0, 1)];
};
