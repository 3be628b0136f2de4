/** The key figures that measure an element, computed now by a knowledge model. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { Notice } from '../../ui/badge.js';
import { Card, CardGrid } from '../../ui/card.js';
import { Figure } from '../../ui/figure.js';
import { Select } from '../../ui/select.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import { useMay } from '../session/me.js';
import styles from './element.module.css';
import { ElementLink } from './element-name.js';
import { liveFigure, type KeyFigure, type KpiDescription } from './figures.js';
import { nameOf } from './names.js';
import { useViewpoint } from './viewpoint.js';

export type ElementFiguresProps = {
  readonly figures: readonly KeyFigure[];
  /** Id of the knowledge model; the first that has the figures when left out. */
  readonly model: string | undefined;
  readonly onModel: (model: string) => void;
};

const modelsMax = 20;

export const ElementFigures = ({ figures, ...rest }: ElementFiguresProps) => {
  const say = useMessages(processesMessages);
  const may = useMay();
  const computed = figures.filter(({ kpiId }) => kpiId !== undefined);
  const others = figures.filter(({ kpiId }) => kpiId === undefined);
  return (
    <Card title={say('figures')}>
      {computed.length > 0 &&
        (may('knowledge-models:read') ? (
          <ComputedFigures figures={computed} {...rest} />
        ) : (
          <Notice>{say('noFigureScope')}</Notice>
        ))}
      {others.length > 0 && <OtherFigures figures={others} />}
    </Card>
  );
};

/** Models that have at least one of the KPIs. */
const useModels = (figures: readonly KeyFigure[]) => {
  const wanted = new Set(figures.map(({ kpiId }) => kpiId));
  const models = useQuery(operationQuery('listModels', { pageSize: modelsMax, sort: 'id' }));
  const found = models.data?.content ?? [];
  const kpis = useQueries({
    queries: found.map(({ id }) => operationQuery('listKpis', { km_id: id, pageSize: 1_000 })),
  });
  const failed = [models, ...kpis].find(({ isError }) => isError);
  return {
    isPending: models.isPending || kpis.some(({ isPending }) => isPending),
    failed,
    choices: found.flatMap((model, at) => {
      const own = kpis[at]?.data?.content.filter(({ id }) => wanted.has(id)) ?? [];
      return own.length === 0 ? [] : [{ ...model, kpis: own }];
    }),
  };
};

const ComputedFigures = ({ figures, model, onModel }: ElementFiguresProps) => {
  const say = useMessages(processesMessages);
  const { isPending, failed, choices } = useModels(figures);
  const chosen = choices.find(({ id }) => id === model) ?? choices[0];
  if (failed !== undefined) return <CallFault error={failed.error} onRetry={() => void failed.refetch()} />;
  if (isPending) return <Skeleton shape="box" />;
  if (chosen === undefined) return <Notice>{say('noModel')}</Notice>;
  return (
    <>
      {choices.length > 1 && (
        <div className={styles['compare']}>
          <Select
            label={say('model')}
            options={choices.map(({ id, name }) => ({ id, label: name, description: id }))}
            selected={chosen.id}
            onSelect={onModel}
          />
        </div>
      )}
      <FigureValues figures={figures} modelId={chosen.id} modelName={chosen.name} kpis={chosen.kpis} />
    </>
  );
};

type FigureValuesProps = {
  readonly figures: readonly KeyFigure[];
  readonly modelId: string;
  readonly modelName: string;
  readonly kpis: readonly KpiDescription[];
};

const FigureValues = ({ figures, modelId, modelName, kpis }: FigureValuesProps) => {
  const say = useMessages(processesMessages);
  const { culture } = useViewpoint();
  const query = useQuery(
    operationQuery('postModelQuery', {
      km_id: modelId,
      query: { projection: { kpis: kpis.map(({ id }) => id) } },
    }),
  );
  if (query.isPending) return <Skeleton shape="box" />;
  if (query.isError) return <CallFault error={query.error} onRetry={() => void query.refetch()} />;
  const [row] = query.data.content;
  return (
    <CardGrid>
      {figures.flatMap((figure) => {
        const kpi = kpis.find(({ id }) => id === figure.kpiId);
        if (kpi === undefined) return [];
        const name = nameOf(figure.element, culture).text || kpi.name;
        return [
          <Figure
            key={figure.element.id}
            label={name}
            {...liveFigure(figure, kpi, row?.[kpi.id])}
            scope={say('figureScope', { model: modelName })}
          >
            <ElementLink element={figure.element}>{say('definition')}</ElementLink>
          </Figure>,
        ];
      })}
    </CardGrid>
  );
};

/** No model computes them: what they should be is all that is known. */
const OtherFigures = ({ figures }: { readonly figures: readonly KeyFigure[] }) => {
  const say = useMessages(processesMessages);
  const { number } = useFormats();
  return (
    <section className={styles['relation']}>
      <h3>{say('notComputed')}</h3>
      <ul>
        {figures.map(({ element, target, unit }) => (
          <li key={element.id} className={styles['line']}>
            <span className={styles['target']}>
              <ElementLink element={element} />
            </span>
            {target !== undefined && (
              <span className={styles['none']}>
                {say('targetValue', { value: [number(target), unit].filter(Boolean).join('\u00a0') })}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};
