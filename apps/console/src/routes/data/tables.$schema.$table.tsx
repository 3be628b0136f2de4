import { createFileRoute } from '@tanstack/react-router';
import { TablePage } from '../../features/data/tables/table-page.js';
import { readTableSearch } from './-search.js';

const Page = () => {
  const { schema, table } = Route.useParams();
  const { tab } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <TablePage
      name={{ schema, id: table }}
      tab={tab}
      onTab={(chosen) => void navigate({ search: { tab: chosen } })}
      onLoad={() => void navigate({ to: '/data/load', search: { table: `${schema}.${table}` } })}
    />
  );
};

export const Route = createFileRoute('/data/tables/$schema/$table')({
  validateSearch: readTableSearch,
  component: Page,
});
