import { createFileRoute } from '@tanstack/react-router';
import { Limits, usageColumns } from '../../features/administration/limits.js';
import { parseSort, writeSort } from '../../features/administration/sorting.js';
import { readListSearch } from './-search.js';

const Page = () => {
  const { sort } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Limits
      sort={parseSort(sort, usageColumns)}
      onSort={(chosen) => void navigate({ search: { sort: writeSort(chosen) }, replace: true, resetScroll: false })}
    />
  );
};

export const Route = createFileRoute('/administration/limits')({ validateSearch: readListSearch, component: Page });
