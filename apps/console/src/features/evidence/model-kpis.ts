/** The KPIs of a model by their ids, for how figures are called and written. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { numberOf } from '../../api/json-values.js';
import type { AnswerFor } from '../../api/operations.js';
import { operationQuery } from '../../api/queries.js';
import { figureFormatOf, writeFigure } from '../../language/figure-format.js';
import type { Formats } from '../../language/formats.js';

type Kpi = AnswerFor<'listKpis'>['content'][number];
export type ModelKpis = ReadonlyMap<string, Pick<Kpi, 'name' | 'format' | 'unit'>>;

const kpisMax = 5_000;
/** Both figures of a comparison may differ where the format of the KPI rounds. */
const exactDigits = 10;

/** Undefined while they are read; where that fails, figures are called by their ids. */
export const useModelKpis = (modelId: string): ModelKpis | undefined => {
  const { data, isPending } = useQuery(operationQuery('listKpis', { km_id: modelId, pageSize: kpisMax }));
  return useMemo(
    () => (isPending ? undefined : new Map((data?.content ?? []).map((kpi) => [kpi.id, kpi]))),
    [data, isPending],
  );
};

/** With its unit and more digits than the format of the KPI has; what is no number as it is. */
export const writeExactly = (id: string, value: string, kpis: ModelKpis, formats: Formats): string => {
  const number = numberOf(value);
  return number === undefined ? value : writeFigure(number, figureFormatOf(kpis.get(id) ?? {}, exactDigits), formats);
};
