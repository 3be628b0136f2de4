import { createFileRoute } from '@tanstack/react-router';
import { Audit } from '../../features/administration/audit.js';
import { readAuditSearch } from './-search.js';

const Page = () => {
  const { team: _, ...filter } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Audit
      filter={filter}
      onFilter={(chosen) => void navigate({ search: chosen, replace: true, resetScroll: false })}
    />
  );
};

export const Route = createFileRoute('/administration/audit')({ validateSearch: readAuditSearch, component: Page });
