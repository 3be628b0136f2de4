import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { pagedQuery } from '../../../api/queries.js';
import { useMe } from '../../session/me.js';

const pageSize = 1_000;

/** All tables of the team: what is found and sorted here would be wrong with some of them alone. */
export const useTables = () => {
  const { team } = useMe();
  const { data, error, isError, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    pagedQuery('listTables', { team, pageSize }, ({ next }, asked) =>
      next === undefined ? undefined : { ...asked, after: next },
    ),
  );
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  const tables = useMemo(() => data?.pages.flatMap((page) => page.tables), [data]);
  return { tables: hasNextPage ? undefined : tables, error: isError ? error : undefined, refetch };
};
