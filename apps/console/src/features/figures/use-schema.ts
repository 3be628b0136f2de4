/** Reads what a model has: its lists, and each of its records. */
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { operationQuery } from '../../api/queries.js';
import { schemaOf, type ModelRecord, type Schema } from './schema.js';

export type SchemaState = {
  readonly schema: Schema | undefined;
  readonly error: Error | undefined;
  readonly retry: () => void;
};

/** A model changes when it is published, not while somebody asks it. */
const freshMs = 5 * 60_000;
const all = { pageSize: 5_000 } as const;

type Details = {
  readonly records: readonly ModelRecord[];
  readonly isPending: boolean;
  readonly failed: readonly UseQueryResult<ModelRecord>[];
};

const combineDetails = (results: readonly UseQueryResult<ModelRecord>[]): Details => ({
  records: results.flatMap(({ data }) => data ?? []),
  isPending: results.some(({ isPending }) => isPending),
  failed: results.filter(({ isError }) => isError),
});

export const useSchema = (modelId: string): SchemaState => {
  const input = { km_id: modelId, ...all };
  const list = useQuery({ ...operationQuery('listRecords', input), staleTime: freshMs });
  const kpis = useQuery({ ...operationQuery('listKpis', input), staleTime: freshMs });
  const filters = useQuery({ ...operationQuery('listFilters', input), staleTime: freshMs });
  const details = useQueries({
    queries: (list.data?.content ?? []).map(({ id }) => ({
      ...operationQuery('readRecord', { km_id: modelId, record_id: id }),
      staleTime: freshMs,
    })),
    combine: combineDetails,
  });
  const isThere = list.isSuccess && !details.isPending && details.failed.length === 0;
  const schema = useMemo(
    () =>
      isThere && kpis.data !== undefined && filters.data !== undefined
        ? schemaOf(details.records, kpis.data.content, filters.data.content)
        : undefined,
    [isThere, details.records, kpis.data, filters.data],
  );
  const failed = [list, kpis, filters, ...details.failed].filter(({ isError }) => isError);
  return {
    // The fields of a question are many: drawn in slices, since what a query brings is drawn at once.
    schema: useDeferredValue(schema),
    error: failed[0]?.error ?? undefined,
    retry: () => {
      for (const query of failed) void query.refetch();
    },
  };
};
