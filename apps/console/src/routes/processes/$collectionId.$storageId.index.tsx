import { createFileRoute } from '@tanstack/react-router';
import { StoragePage } from '../../features/processes/storage-page.js';
import { readStorageSearch } from './-search.js';

const Page = () => {
  const place = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <StoragePage
      place={place}
      search={search}
      onSearch={(changed, how) =>
        void navigate({ search: (before) => ({ ...before, ...changed }), replace: how?.replace, resetScroll: false })
      }
      onElement={(facetId, elementId) =>
        void navigate({
          to: '/processes/$collectionId/$storageId/$facetId/$elementId',
          params: { ...place, facetId, elementId },
          search: { culture: search.culture, at: search.at },
        })
      }
    />
  );
};

export const Route = createFileRoute('/processes/$collectionId/$storageId/')({
  validateSearch: readStorageSearch,
  component: Page,
});
