import { createFileRoute } from '@tanstack/react-router';
import { memberColumns, Members } from '../../../features/administration/members.js';
import { parseSort, writeSort } from '../../../features/administration/sorting.js';
import { readListSearch, type ListSearch } from '../-search.js';

const Page = () => {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = (changed: ListSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  return (
    <Members
      search={search.q ?? ''}
      sort={parseSort(search.sort, memberColumns)}
      onSearch={(q) => change({ q: q === '' ? undefined : q })}
      onSort={(sort) => change({ sort: writeSort(sort) })}
      onOpen={(memberId) => void navigate({ to: '/administration/members/$memberId', params: { memberId } })}
    />
  );
};

export const Route = createFileRoute('/administration/members/')({ validateSearch: readListSearch, component: Page });
