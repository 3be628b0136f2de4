/** The main KPIs of a knowledge model: now, against their target, and over the last months. One model is asked at a time. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.js';
import { figureFormatOf, writeFigure } from '../../language/figure-format.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { homeMessages } from '../../messages/home/catalogue.js';
import { AreaLink } from '../../ui/area-link.js';
import { Badge } from '../../ui/badge.js';
import { Card, CardGrid } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Figure } from '../../ui/figure.js';
import { Select } from '../../ui/select.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Sparkline } from '../../ui/sparkline.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './home.module.css';
import {
  chooseMainKpis,
  figureOf,
  meetsTarget,
  monthFieldOf,
  monthsMax,
  readTrend,
  targetOf,
  type Kpi,
} from './main-kpis.js';

const modelsMax = 200;
const kpisMax = 200;

type ModelFiguresProps = {
  /** The first one when undefined. */
  readonly modelId: string | undefined;
  readonly onModel: (modelId: string) => void;
};

export const ModelFigures = ({ modelId, onModel }: ModelFiguresProps) => {
  const say = useMessages(homeMessages);
  const models = useQuery(operationQuery('listModels', { pageSize: modelsMax }));
  const found = models.data?.content ?? [];
  const chosen = found.find(({ id }) => id === modelId) ?? found[0];
  return (
    <Card title={say('figures')}>
      {models.isPending && <Skeleton lines={5} />}
      {models.isError && <CallFault error={models.error} onRetry={() => void models.refetch()} />}
      {models.isSuccess && chosen === undefined && (
        <EmptyState title={say('noModels')}>{say('noModelsText')}</EmptyState>
      )}
      {found.length > 1 && chosen !== undefined && (
        <div className={styles['choice']}>
          <Select
            label={say('model')}
            options={found.map(({ id, name }) => ({ id, label: name, description: id }))}
            selected={chosen.id}
            onSelect={onModel}
          />
        </div>
      )}
      {chosen !== undefined && <MainFigures key={chosen.id} modelId={chosen.id} name={chosen.name} />}
    </Card>
  );
};

type ModelProps = { readonly modelId: string; readonly name: string };

const MainFigures = ({ modelId, name }: ModelProps) => {
  const say = useMessages(homeMessages);
  const listed = useQuery(operationQuery('listKpis', { km_id: modelId, pageSize: kpisMax }));
  const kpis = chooseMainKpis(listed.data?.content ?? []);
  const totals = useQuery({
    ...operationQuery('readModelQuery', { km_id: modelId, kpis: kpis.map(({ id }) => id), options: ['nototal'] }),
    enabled: kpis.length > 0,
  });
  if (listed.isError) return <CallFault error={listed.error} onRetry={() => void listed.refetch()} />;
  if (listed.isSuccess && kpis.length === 0) return <EmptyState title={say('noKpis')}>{say('noKpisText')}</EmptyState>;
  if (totals.isError) return <CallFault error={totals.error} onRetry={() => void totals.refetch()} />;
  if (listed.isPending || totals.isPending) return <Skeleton shape="box" />;
  return (
    <>
      <CardGrid>
        {kpis.map((kpi) => (
          <KpiFigure
            key={kpi.id}
            {...{ modelId, kpi, siblings: kpis, scope: say('figureScope', { model: name }) }}
            value={figureOf(totals.data.content[0], kpi.id)}
          />
        ))}
      </CardGrid>
      <p>
        <AreaLink path="/figures/$modelId" params={{ modelId }}>
          {say('allFigures', { model: name })}
        </AreaLink>
      </p>
    </>
  );
};

type KpiFigureProps = {
  readonly modelId: string;
  readonly kpi: Kpi;
  /** Those that are shown with it: what has the same record is asked for at once. */
  readonly siblings: readonly Kpi[];
  readonly value: number | undefined;
  readonly scope: string;
};

const KpiFigure = ({ modelId, kpi, siblings, value, scope }: KpiFigureProps) => {
  const say = useMessages(homeMessages);
  const { unit, digits, factor } = figureFormatOf(kpi);
  const target = targetOf(kpi);
  const meets = meetsTarget(kpi, value);
  return (
    <Figure
      label={kpi.name}
      value={value === undefined ? undefined : value * factor}
      target={target === undefined ? undefined : target * factor}
      {...{ unit, digits, scope }}
    >
      <span className={styles['course']}>
        {meets !== undefined && (
          <Badge tone={meets ? 'success' : 'warning'}>{say(meets ? 'targetMet' : 'targetMissed')}</Badge>
        )}
        <Course {...{ modelId, kpi, siblings }} />
      </span>
    </Figure>
  );
};

const Course = ({ modelId, kpi, siblings }: Pick<KpiFigureProps, 'modelId' | 'kpi' | 'siblings'>) => {
  const say = useMessages(homeMessages);
  const formats = useFormats();
  const [recordId] = kpi.records;
  const record = useQuery({
    ...operationQuery('readRecord', { km_id: modelId, record_id: recordId ?? '' }),
    enabled: recordId !== undefined,
  });
  const month = record.data && monthFieldOf(record.data);
  const months = useQuery({
    ...operationQuery('readModelQuery', {
      ...{ km_id: modelId, pageSize: monthsMax, options: ['nototal'] },
      kpis: siblings.filter(({ records }) => records[0] === recordId).map(({ id }) => id),
      ...(month !== undefined && { fields: [month], sort: `-${month}` }),
    }),
    enabled: month !== undefined,
  });
  // A figure without its course is still a figure.
  if (months.isPending && !record.isError && recordId !== undefined && !(record.isSuccess && month === undefined))
    return <Skeleton label={say('loadingCourse', { name: kpi.name })} />;
  const trend = month === undefined ? undefined : readTrend(months.data?.content ?? [], month, kpi.id);
  if (trend === undefined) return null;
  const last = trend.values.findLast((value) => value !== null);
  const [from, to] = [formats.month(trend.from), formats.month(trend.to)];
  return (
    <>
      <Sparkline
        label={say('course', {
          ...{ name: kpi.name, from, to },
          last: typeof last === 'number' ? writeFigure(last, figureFormatOf(kpi), formats) : '–',
        })}
        values={trend.values}
      />
      <span className={styles['span']}>{say('months', { from, to })}</span>
    </>
  );
};
