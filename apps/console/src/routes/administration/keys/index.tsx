import { createFileRoute } from '@tanstack/react-router';
import { keyColumns, Keys } from '../../../features/administration/keys.js';
import { parseSort, writeSort } from '../../../features/administration/sorting.js';
import { readKeysSearch, type KeysSearch } from '../-search.js';

const Page = () => {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = (changed: KeysSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  return (
    <Keys
      search={search.q ?? ''}
      state={search.state}
      sort={parseSort(search.sort, keyColumns)}
      onSearch={(q) => change({ q: q === '' ? undefined : q })}
      onState={(state) => change({ state })}
      onSort={(sort) => change({ sort: writeSort(sort) })}
      onOpen={(keyId) => void navigate({ to: '/administration/keys/$keyId', params: { keyId } })}
    />
  );
};

export const Route = createFileRoute('/administration/keys/')({ validateSearch: readKeysSearch, component: Page });
