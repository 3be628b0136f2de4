/** What the answer was: its figures with unit and scope, or how many rows; and in words when the reader is not told. */
import { numberOf } from '../../api/json-values.js';
import { figureFormatOf } from '../../language/figure-format.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { evidenceMessages } from '../../messages/evidence/catalogue.js';
import { Notice } from '../../ui/badge.js';
import { Card, CardGrid } from '../../ui/card.js';
import { Figure } from '../../ui/figure.js';
import { Skeleton } from '../../ui/skeleton.js';
import type { Evidence } from './addresses.js';
import styles from './evidence.module.css';
import { writeExactly, type ModelKpis } from './model-kpis.js';
import { scopeWords } from './scope-words.js';

export type AnswerCardProps = {
  readonly evidence: Evidence;
  /** Undefined while they are read. */
  readonly kpis: ModelKpis | undefined;
};

export const AnswerCard = ({ evidence, kpis }: AnswerCardProps) => {
  const say = useMessages(evidenceMessages);
  const { result, statement } = evidence;
  return (
    <Card title={say('answer')}>
      {result === undefined ? (
        <div className={styles['stack']}>
          <Notice tone="warning">{say('notTold')}</Notice>
          <p>{say('notToldText')}</p>
        </div>
      ) : result.figures === undefined ? (
        <p className={styles['words']}>{say('rowCount', { count: result.rows })}</p>
      ) : kpis === undefined ? (
        <Skeleton shape="box" />
      ) : (
        <CardGrid>
          {result.figures.map(({ id, value }) => (
            <AnsweredFigure key={id} {...{ id, value, kpis }} scope={scopeWords(statement.question, say)} />
          ))}
        </CardGrid>
      )}
    </Card>
  );
};

type AnsweredFigureProps = {
  readonly id: string;
  /** Digit for digit. */
  readonly value: string | null;
  readonly kpis: ModelKpis;
  readonly scope: string;
};

const AnsweredFigure = ({ id, value, kpis, scope }: AnsweredFigureProps) => {
  const say = useMessages(evidenceMessages);
  const formats = useFormats();
  const kpi = kpis.get(id);
  const { unit, digits, factor } = figureFormatOf(kpi ?? {});
  const number = numberOf(value);
  return (
    <Figure
      label={kpi?.name ?? id}
      value={number === undefined ? undefined : number * factor}
      {...{ unit, digits, scope }}
    >
      {value !== null && (
        <span className={styles['note']}>{say('exactly', { value: writeExactly(id, value, kpis, formats) })}</span>
      )}
    </Figure>
  );
};
