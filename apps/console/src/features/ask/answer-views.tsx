/** Figures, charts and tables behind an answer, each with a link to the query that made it. */
import { lazy, Suspense, useMemo, useState } from 'react';
import { writeFigure } from '../../language/figure-format.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { AreaLink } from '../../ui/area-link.js';
import { BarChart } from '../../ui/bar-chart.js';
import { classNames } from '../../ui/class-names.js';
import { Disclosure } from '../../ui/disclosure.js';
import { Figure } from '../../ui/figure.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useMay } from '../session/me.js';
import type { AnswerShape, AnswerView } from './answer-data.js';
import styles from './answer-views.module.css';
import { figuresAddress } from './figures-address.js';
import { scopeOf } from './question-scope.js';
import { RowsTable, type RowsTableProps } from './rows-table.js';

/** Its drawing is a quarter of the page, and most answers have none. */
const TimeSeries = lazy(async () => ({ default: (await import('../../ui/time-series.js')).TimeSeries }));

export type AnswerViewsProps = {
  readonly views: readonly AnswerView[];
  readonly names: ReadonlyMap<string, string>;
  /** The words of the answer have a table already. */
  readonly hasTable: boolean;
};

export const AnswerViews = ({ views, names, hasTable }: AnswerViewsProps) =>
  views.length > 0 && (
    <div className={styles['views']}>
      {views.map((view, at) => (
        <View key={at} view={view} names={names} hasTable={hasTable} />
      ))}
    </div>
  );

type ViewProps = Omit<AnswerViewsProps, 'views'> & { readonly view: AnswerView };

const View = ({ view: { shape, rows, question, query, evidence }, names, hasTable }: ViewProps) => {
  const say = useMessages(askMessages);
  const formats = useFormats();
  const mayRead = useMay()('knowledge-models:read');
  if (shape.kind === 'rows' && hasTable) return null;
  const scope = scopeOf(question, shape.kind === 'figures' ? shape.of : [], { say, formats, names });
  return (
    <div className={classNames(styles['view'], shape.kind !== 'figures' && styles['wide'])}>
      <Shape shape={shape} scope={scope} />
      {shape.kind === 'rows' && <RowsTable rows={rows} label={scope} />}
      {(shape.kind === 'bars' || shape.kind === 'lines') && !hasTable && <RowsBehind rows={rows} label={scope} />}
      {mayRead && query !== undefined && (
        <p>
          <AreaLink {...figuresAddress(query)}>{say('openInFiguresOf', { name: nameOf(shape, scope) })}</AreaLink>
        </p>
      )}
      {mayRead && evidence !== undefined && (
        <p>
          <AreaLink {...evidence}>{say('evidenceOf', { name: nameOf(shape, scope) })}</AreaLink>
        </p>
      )}
    </div>
  );
};

/** The figures of a chart, for who wants them one by one. */
const RowsBehind = (props: RowsTableProps) => {
  const say = useMessages(askMessages);
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure title={say('rowCount', { count: props.rows.rows.length })} isOpen={isOpen} onToggle={setOpen}>
      <RowsTable {...props} />
    </Disclosure>
  );
};

const nameOf = (shape: AnswerShape, scope: string): string => {
  switch (shape.kind) {
    case 'figures':
      return shape.figures.map(({ name }) => name).join(', ');
    case 'bars':
    case 'lines':
      return shape.measure.name;
    case 'rows':
      return scope;
  }
};

const Shape = ({ shape, scope }: { readonly shape: AnswerShape; readonly scope: string }) => {
  switch (shape.kind) {
    case 'figures':
      return (
        <div className={styles['figures']}>
          {shape.figures.map(({ id, name, value, format: { unit, digits, factor } }) => (
            <Figure
              key={id}
              label={name}
              value={value === undefined ? undefined : value * factor}
              {...{ unit, digits, scope }}
            />
          ))}
        </div>
      );
    case 'bars':
      return <Bars shape={shape} scope={scope} />;
    case 'lines':
      return <Lines shape={shape} scope={scope} />;
    case 'rows':
      return null;
  }
};

type ShapeProps<Kind extends AnswerShape['kind']> = {
  readonly shape: Extract<AnswerShape, { kind: Kind }>;
  readonly scope: string;
};

const Caption = ({ name, scope }: { readonly name: string; readonly scope: string }) => (
  <figcaption className={styles['caption']}>
    <bdi className={styles['name']}>{name}</bdi>
    <bdi className={styles['scope']}>{scope}</bdi>
  </figcaption>
);

const Bars = ({ shape: { measure, bars }, scope }: ShapeProps<'bars'>) => {
  const say = useMessages(askMessages);
  const formats = useFormats();
  return (
    <figure className={styles['chart']}>
      <Caption name={measure.name} scope={scope} />
      <BarChart
        label={say('chartOf', { name: measure.name, scope })}
        bars={bars}
        format={(value) => writeFigure(value, measure.format, formats)}
      />
    </figure>
  );
};

const Lines = ({ shape: { measure, grain, timesMs, series }, scope }: ShapeProps<'lines'>) => {
  const say = useMessages(askMessages);
  const formats = useFormats();
  // The drawing is made again when one of them is another one.
  const write = useMemo(
    () => ({
      value: (value: number) => writeFigure(value, measure.format, formats),
      time: (timeMs: number) => (grain === 'month' ? formats.month(timeMs) : formats.day(timeMs)),
    }),
    [measure, grain, formats],
  );
  return (
    <figure className={styles['chart']}>
      <Caption name={measure.name} scope={scope} />
      <Suspense fallback={<Skeleton shape="box" />}>
        <TimeSeries
          label={say('chartOf', { name: measure.name, scope })}
          timesMs={timesMs}
          series={series}
          format={write.value}
          formatTime={write.time}
        />
      </Suspense>
    </figure>
  );
};
