/** The KPIs of a question over all of its rows, beside their targets and the period before. */
import { useQuery } from '@tanstack/react-query';
import { numberOf } from '../../api/json-values.js';
import { operationQuery } from '../../api/queries.js';
import { useFormats, useMessages, usePreferences } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { Button } from '../../ui/button.js';
import { Figure } from '../../ui/figure.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import { changeWords } from './change-words.js';
import { scopeWords } from './condition-words.js';
import { rowsBehind } from './drill.js';
import styles from './figures.module.css';
import { totalsInput } from './question-input.js';
import type { Question } from './question.js';
import { changeOf } from './result-shape.js';
import type { Schema } from './schema.js';
import { useCellFormats } from './use-cell-formats.js';
import { figureStyleOf, scaled, type Header, type Row } from './value-format.js';

export type TotalsProps = {
  readonly modelId: string;
  readonly schema: Schema;
  readonly question: Question;
  /** With what they are compared. */
  readonly before: Question | undefined;
  /** Asks for the rows behind one. */
  readonly onOpen: (question: Question) => void;
};

export const Totals = ({ modelId, schema, question, before, onOpen }: TotalsProps) => {
  const say = useMessages(figuresMessages);
  const { language } = usePreferences();
  const totals = useQuery(operationQuery('readModelData', totalsInput(modelId, question, schema)));
  const totalsBefore = useQuery({
    ...operationQuery('readModelData', totalsInput(modelId, before ?? question, schema)),
    enabled: before !== undefined,
  });
  if (totals.isPending) return <Skeleton shape="box" />;
  if (totals.isError) return <CallFault error={totals.error} onRetry={() => void totals.refetch()} />;
  const { headers, data } = totals.data.content;
  const rowBefore = before === undefined ? undefined : totalsBefore.data?.content.data[0];
  return (
    <section className={styles['totals']} aria-label={say('totals')}>
      {headers.map((header) => {
        const { unit, digits, factor } = figureStyleOf(header);
        const target = numberOf(schema.kpiById.get(header.id)?.target);
        const behind = rowsBehind({ ...question, kpis: [header.id], fields: [] }, schema);
        return (
          <div key={header.id} className={styles['total']}>
            <Figure
              label={header.name}
              value={scaled(numberOf(data[0]?.[header.id]), factor)}
              {...{ unit, digits }}
              scope={scopeWords(question, schema, say, language)}
              target={scaled(target, factor)}
            >
              {rowBefore !== undefined && before !== undefined && (
                <Comparison
                  header={header}
                  row={data[0]}
                  rowBefore={rowBefore}
                  scope={scopeWords(before, schema, say, language)}
                />
              )}
            </Figure>
            {behind !== undefined && (
              <Button variant="quiet" onPress={() => onOpen(behind)}>
                {say('rowsBehind')}
              </Button>
            )}
          </div>
        );
      })}
    </section>
  );
};

type ComparisonProps = {
  readonly header: Header;
  readonly row: Row | undefined;
  readonly rowBefore: Row;
  readonly scope: string;
};

const Comparison = ({ header, row, rowBefore, scope }: ComparisonProps) => {
  const say = useMessages(figuresMessages);
  const formats = useFormats();
  const format = useCellFormats()(header);
  const { unit, factor } = figureStyleOf(header);
  const isShare = unit === '%';
  const [now, before] = [row, rowBefore].map((one) => scaled(numberOf(one?.[header.id]), factor));
  const change = changeOf(now, before, isShare);
  return (
    <span className={styles['comparison']}>
      <span title={scope}>{say('beforeValue', { value: format(rowBefore[header.id]) || say('nothing') })}</span>
      {change !== undefined && <span>{changeWords(change, isShare, say, formats)}</span>}
    </span>
  );
};
