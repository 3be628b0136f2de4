import { createFileRoute } from '@tanstack/react-router';
import { ToolsPage } from '../../features/tools/tools-page.js';
import { readToolsSearch } from './-search.js';

const Page = () => {
  const state = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ToolsPage
      state={state}
      onChange={(changed, { replace = false } = {}) =>
        void navigate({ search: (before) => ({ ...before, ...changed }), replace, resetScroll: false })
      }
    />
  );
};

export const Route = createFileRoute('/tools/')({ validateSearch: readToolsSearch, component: Page });
