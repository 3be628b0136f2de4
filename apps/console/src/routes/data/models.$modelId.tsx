import { createFileRoute } from '@tanstack/react-router';
import { ModelPage } from '../../features/data/models/model-page.js';
import { readModelSearch } from './-search.js';

const Page = () => {
  const { modelId } = Route.useParams();
  const state = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ModelPage
      key={modelId}
      {...{ modelId, state }}
      onState={(changed) => void navigate({ search: changed })}
      onDeleted={() => void navigate({ to: '/data', search: { tab: 'models' } })}
    />
  );
};

export const Route = createFileRoute('/data/models/$modelId')({ validateSearch: readModelSearch, component: Page });
