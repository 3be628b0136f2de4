import { createFileRoute, useRouter } from '@tanstack/react-router';
import { ElementPage } from '../../features/processes/element-page.js';
import { readElementSearch } from './-search.js';

const Page = () => {
  const place = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const viewpoint = { culture: search.culture, at: search.at };
  const linkTo = ({ facetName, id }: { readonly facetName: string; readonly id: string }) => ({
    ...({ to: '/processes/$collectionId/$storageId/$facetId/$elementId', search: viewpoint } as const),
    params: { ...place, facetId: facetName, elementId: id },
  });
  return (
    <ElementPage
      key={place.elementId}
      place={place}
      search={search}
      onSearch={(changed, how) =>
        void navigate({ search: (before) => ({ ...before, ...changed }), replace: how?.replace, resetScroll: false })
      }
      hrefOf={(target) => router.buildLocation(linkTo(target)).publicHref}
      onElement={(target) => void navigate(linkTo(target))}
      onFacet={() =>
        void navigate({
          to: '/processes/$collectionId/$storageId',
          params: place,
          search: { ...viewpoint, facet: place.facetId },
        })
      }
    />
  );
};

export const Route = createFileRoute('/processes/$collectionId/$storageId/$facetId/$elementId')({
  validateSearch: readElementSearch,
  component: Page,
});
