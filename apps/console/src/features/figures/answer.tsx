/** What comes of a question: its figures over all rows, charts, and the rows of a page, beside those of the period before. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { AnswerFor } from '../../api/operations.js';
import { operationQuery } from '../../api/queries.js';
import { useMessages, usePreferences } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { Button } from '../../ui/button.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import { AnswerCharts } from './answer-charts.js';
import { AnswerTable } from './answer-table.js';
import { scopeWords } from './condition-words.js';
import { rowsBehind } from './drill.js';
import { EvidenceButton } from './evidence-button.js';
import { ExplainDialog } from './explain-dialog.js';
import styles from './figures.module.css';
import { FirstQuestions } from './first-questions.js';
import { chartInput, chartRowsMax, pageSize, previousInput, questionBefore } from './question-input.js';
import { asksForSomething, changeQuestion, type Question } from './question.js';
import { groupsOf, matchRows, type Answered } from './result-shape.js';
import type { Schema } from './schema.js';
import { ShareDialog } from './share-dialog.js';
import { Totals } from './totals.js';
import { useCellFormats } from './use-cell-formats.js';
import type { Row } from './value-format.js';

export type DataPage = AnswerFor<'readModelData'>;

export type AnswerProps = {
  readonly modelId: string;
  readonly schema: Schema;
  readonly question: Question;
  readonly page: UseQueryResult<DataPage>;
  readonly onAsk: (question: Question) => void;
};

export const Answer = (props: AnswerProps) => {
  const { schema, question, page, onAsk } = props;
  const say = useMessages(figuresMessages);
  const place = useRef<HTMLElement>(null);
  /** What was pressed goes away with the answer that it was in: the keyboard goes on from the next one. */
  const open = (asked: Question): void => {
    onAsk(asked);
    if (place.current === null) return;
    place.current.tabIndex = -1;
    place.current.focus({ preventScroll: true });
  };
  const { data } = page;
  // Charts and rows are drawn in slices, since what a query brings is drawn at once.
  const answered = useDeferredValue(useMemo(() => ({ question, data }), [question, data]));
  if (!asksForSomething(question)) return <FirstQuestions {...{ schema, question, onAsk }} />;
  return (
    <section ref={place} className={styles['answer']} aria-label={say('answer')}>
      <AnswerHead {...props} />
      {page.isError ? (
        <CallFault error={page.error} onRetry={() => void page.refetch()} />
      ) : page.isPending || answered.data === undefined ? (
        <Skeleton shape="box" lines={3} />
      ) : (
        <AnswerParts {...props} question={answered.question} data={answered.data} onOpen={open} />
      )}
    </section>
  );
};

const AnswerHead = ({ modelId, schema, question }: AnswerProps) => {
  const say = useMessages(figuresMessages);
  const { language } = usePreferences();
  const [open, setOpen] = useState<'share' | 'explain'>();
  const close = (): void => setOpen(undefined);
  return (
    <div className={styles['answerHead']}>
      <p className={styles['scope']}>
        <bdi>{say('scope', { scope: scopeWords(question, schema, say, language) })}</bdi>
      </p>
      <Button icon="copy" onPress={() => setOpen('share')}>
        {say('share')}
      </Button>
      <Button onPress={() => setOpen('explain')}>{say('explain')}</Button>
      <EvidenceButton {...{ modelId, schema, question }} />
      {open === 'share' && <ShareDialog {...{ modelId, schema, question }} onClose={close} />}
      {open === 'explain' && <ExplainDialog {...{ modelId, schema, question }} onClose={close} />}
    </div>
  );
};

const none: ReadonlyMap<Row, Row> = new Map();

/** What charts are drawn of: all groups, also where the page has only some of them. Undefined while they are read. */
const useChartRows = ({ modelId, schema, question }: AnswerProps, rows: readonly Row[]) => {
  const { kpis, fields, page } = question;
  const areElsewhere = kpis.length > 0 && fields.length > 0 && (page > 0 || rows.length === pageSize);
  const all = useQuery({
    ...operationQuery('readModelData', chartInput(modelId, question, schema)),
    enabled: areElsewhere,
  });
  return { rows: areElsewhere ? all.data?.content.data : rows, all };
};

/** The rows of the period before, by the rows that they are compared with: those of the page and those of charts. */
const useRowsBefore = (
  { modelId, schema, question }: AnswerProps,
  data: DataPage,
  chartRows: readonly Row[] | undefined,
) => {
  const before = useMemo(() => questionBefore(question), [question]);
  const isCompared = before !== undefined && question.fields.length > 0;
  const page = useQuery({
    ...operationQuery('readModelData', previousInput(modelId, before ?? question, schema)),
    enabled: isCompared,
  });
  const rows = useMemo(() => {
    const { headers, data: found } = data.content;
    if (before === undefined || page.data === undefined) return none;
    const rows = [...found, ...(chartRows ?? [])];
    return matchRows({ headers, rows }, { rows: page.data.content.data, question: before }, question);
  }, [before, page.data, data, chartRows, question]);
  return { before, isCompared, rows, page };
};

type AnswerPartsProps = AnswerProps & {
  readonly data: DataPage;
  /** Asks for the rows behind a figure. */
  readonly onOpen: (question: Question) => void;
};

const AnswerParts = (props: AnswerPartsProps) => {
  const { modelId, schema, question, data, onAsk, onOpen } = props;
  const say = useMessages(figuresMessages);
  const formatOf = useCellFormats();
  const { headers, data: rows } = data.content;
  const charts = useChartRows(props, rows);
  const { before, isCompared, rows: rowsBefore, page: pageBefore } = useRowsBefore(props, data, charts.rows);
  const answered: Answered = useMemo(
    () => ({ headers, rows, formatOf, before: rowsBefore, nothing: say('nothing'), beforeName: say('beforeName') }),
    [headers, rows, formatOf, rowsBefore, say],
  );
  const charted = useMemo(() => charts.rows && { ...answered, rows: charts.rows }, [answered, charts.rows]);
  const hasKpis = question.kpis.length > 0;
  /** To the rows behind a group: each KPI has its own. */
  const openerOf = (groups: readonly Row[], kpis = question.kpis) => {
    const asked = { ...question, kpis };
    if (groupsOf(headers).length === 0 || rowsBehind(asked, schema) === undefined) return undefined;
    return (id: string): void => {
      const row = groups[Number(id)];
      const behind = row && rowsBehind(asked, schema, { row, headers });
      if (behind !== undefined) onOpen(behind);
    };
  };
  const openRow = openerOf(rows);
  return (
    <>
      {hasKpis && <Totals {...{ modelId, schema, question, before, onOpen }} />}
      {isCompared && pageBefore.isError && (
        <CallFault error={pageBefore.error} onRetry={() => void pageBefore.refetch()} />
      )}
      {charts.all.isError && <CallFault error={charts.all.error} onRetry={() => void charts.all.refetch()} />}
      {charted === undefined && charts.all.isFetching && <Skeleton shape="box" />}
      {hasKpis && charted !== undefined && (
        <AnswerCharts answered={charted} openerOf={(kpi) => openerOf(charted.rows, [kpi])} />
      )}
      {charts.rows?.length === chartRowsMax && (
        <p className={styles['note']}>{say('chartCut', { count: chartRowsMax })}</p>
      )}
      {!(hasKpis && question.fields.length === 0) && (
        <AnswerTable
          {...{ modelId, schema, question, answered, isCompared }}
          onOpen={openRow}
          onChange={(change) => onAsk(changeQuestion(question, change))}
        />
      )}
      {openRow !== undefined && rows.length > 0 && <p className={styles['note']}>{say('drillHint')}</p>}
    </>
  );
};
