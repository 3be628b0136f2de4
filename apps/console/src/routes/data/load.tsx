import { createFileRoute } from '@tanstack/react-router';
import { LoadPage } from '../../features/data/loads/load-page.js';
import { readLoadSearch } from './-search.js';

const Page = () => {
  const { table, mode } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <LoadPage
      {...{ table, mode }}
      onTable={(chosen) => void navigate({ search: { table: chosen, mode } })}
      onMode={(chosen) => void navigate({ search: { table, mode: chosen } })}
    />
  );
};

export const Route = createFileRoute('/data/load')({ validateSearch: readLoadSearch, component: Page });
