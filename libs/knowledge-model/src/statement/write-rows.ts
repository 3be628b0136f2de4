/** The statements of a plan for rows: a page of them, and how many there are. Refuses: KPIs. */
import { allOf, column, countRows, type SqlColumn, type SqlExpression, type SqlSelect } from '@tessera/sql';
import type { PageBehind, RowsPlan } from '../plan/query-plan.js';
import { writeKeysetCondition, writeSections } from './write-keyset-condition.js';
import { placesIn, withCollation, writeField, type Writing } from './write-fields.js';
import { writeAttribute, writeLimit, writeOrder, writePage, writePlaces } from './write-order.js';
import { writeSource } from './write-source.js';

export const writeRows = (writing: Writing, plan: RowsPlan): SqlSelect => {
  const { page } = plan;
  switch (page.kind) {
    case 'offset':
      return { ...writeFields(writing, plan), orderBy: writeOrder(plan.order), ...writePage(page) };
    case 'behind':
      return writeRowsBehind(writing, plan, page);
  }
};

/** The rows without their order. */
const writeFields = (writing: Writing, plan: RowsPlan): SqlSelect => ({
  kind: 'select',
  distinct: plan.distinct,
  columns: writeColumns(writing, plan),
  ...writeSource(writing, plan.source),
});

const writeColumns = ({ view }: Writing, { source, columns, order, places }: RowsPlan): readonly SqlColumn[] => {
  const fieldPlaces = placesIn(view, source);
  const asked = columns.map(({ asked: field, collation }) => withCollation(writeField(field, fieldPlaces), collation));
  const beside = order.flatMap(({ by }) => (by.kind === 'attribute' ? [writeAttribute(by)] : []));
  return [...asked, ...(places.length > 0 ? beside : [])].map((value) => ({ value }));
};

const writeRowsBehind = (writing: Writing, plan: RowsPlan, page: PageBehind): SqlSelect => {
  const select = writeFields(writing, plan);
  const items = plan.places.flatMap(({ column: at }, index) => {
    const [order, operand] = [plan.order[index], select.columns[at]?.value];
    return order && operand ? [{ ...order, operand, value: page.values[index] ?? null }] : [];
  });
  const where = (section: SqlExpression): SqlExpression => (select.where ? allOf([select.where, section]) : section);
  const [orderBy, limit] = [writeOrder(plan.order), writeLimit(page)];
  if (!page.isDivided) return { ...select, where: where(writeKeysetCondition(items)), orderBy, limit };
  const columns = select.columns.map(({ value }, at) => ({ value, alias: `c${at + 1}` }));
  const queries = writeSections(items).map((section) => ({
    ...select,
    columns,
    where: where(section),
    orderBy,
    limit,
  }));
  return {
    kind: 'select',
    columns: columns.map(({ alias }) => ({ value: column(sections, alias) })),
    from: { kind: 'query', query: { kind: 'unionAll', queries }, alias: sections },
    orderBy: writePlaces(plan),
    limit,
  };
};

const sections = 'sections';

export const writeRowCount = (writing: Writing, plan: RowsPlan): SqlSelect => ({
  kind: 'select',
  columns: [{ value: countRows }],
  ...(plan.distinct
    ? { from: { kind: 'query', query: writeFields(writing, plan), alias: 'rows' } }
    : writeSource(writing, plan.countSource)),
});
