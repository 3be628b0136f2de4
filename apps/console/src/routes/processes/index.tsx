import { createFileRoute } from '@tanstack/react-router';
import { Processes } from '../../features/processes/processes.js';

const Page = () => {
  const navigate = Route.useNavigate();
  return (
    <Processes
      onFind={(place, find) =>
        void navigate({ to: '/processes/$collectionId/$storageId', params: place, search: { find } })
      }
    />
  );
};

export const Route = createFileRoute('/processes/')({ component: Page });
