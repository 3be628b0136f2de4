import { createFileRoute } from '@tanstack/react-router';
import { Model } from '../../features/figures/model.js';
import { readFiguresSearch } from './-search.js';

const Page = () => {
  const { modelId } = Route.useParams();
  const navigate = Route.useNavigate();
  return (
    <Model
      key={modelId}
      modelId={modelId}
      search={Route.useSearch()}
      onSearch={(search, replace = false) => void navigate({ search, replace, resetScroll: false })}
    />
  );
};

export const Route = createFileRoute('/figures/$modelId')({ validateSearch: readFiguresSearch, component: Page });
