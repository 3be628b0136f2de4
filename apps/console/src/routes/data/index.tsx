import { createFileRoute } from '@tanstack/react-router';
import { DataPage } from '../../features/data/data-page.js';
import { ModelsList } from '../../features/data/models/models-list.js';
import { TablesList } from '../../features/data/tables/tables-list.js';
import { readDataSearch } from './-search.js';

const Page = () => {
  const { tab, find = '', sort = 'table', direction = 'ascending' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const tables = (
    <TablesList
      {...{ find, sort, direction }}
      onFind={(text) => void navigate({ search: (now) => ({ ...now, find: text || undefined }), replace: true })}
      onSort={(by, way) => void navigate({ search: (now) => ({ ...now, sort: by, direction: way }) })}
      onOpen={({ schema, id }) => void navigate({ to: '/data/tables/$schema/$table', params: { schema, table: id } })}
    />
  );
  const models = (
    <ModelsList onOpen={(modelId) => void navigate({ to: '/data/models/$modelId', params: { modelId } })} />
  );
  return (
    <DataPage
      tab={tab}
      onTab={(chosen) => void navigate({ search: (now) => ({ ...now, tab: chosen }) })}
      onLoad={() => void navigate({ to: '/data/load' })}
      content={{ tables, models }}
    />
  );
};

export const Route = createFileRoute('/data/')({ validateSearch: readDataSearch, component: Page });
