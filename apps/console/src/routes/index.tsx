import { createFileRoute } from '@tanstack/react-router';
import { Home } from '../features/home/home.js';
import { readHomeSearch } from './-search.js';

const Page = () => {
  const navigate = Route.useNavigate();
  return (
    <Home
      search={Route.useSearch()}
      onSearch={(changed) => void navigate({ search: changed, replace: true, resetScroll: false })}
    />
  );
};

export const Route = createFileRoute('/')({ validateSearch: readHomeSearch, component: Page });
