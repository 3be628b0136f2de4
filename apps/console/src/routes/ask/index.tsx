import { createFileRoute } from '@tanstack/react-router';
import { Ask } from '../../features/ask/ask.js';
import { readAskSearch } from './-search.js';

const Page = () => {
  const navigate = Route.useNavigate();
  return (
    <Ask
      search={Route.useSearch()}
      onSearch={(changed, { replace } = { replace: false }) =>
        void navigate({ search: (before) => ({ ...before, ...changed }), replace, resetScroll: false })
      }
    />
  );
};

export const Route = createFileRoute('/ask/')({ validateSearch: readAskSearch, component: Page });
