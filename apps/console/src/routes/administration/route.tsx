import { createFileRoute, Outlet, retainSearchParams } from '@tanstack/react-router';
import { Administration } from '../../features/administration/administration.js';
import { readTeamSearch } from './-search.js';

const Page = () => {
  const { team } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Administration
      wantedTeam={team}
      onTeam={(chosen) => void navigate({ to: '/administration/members', search: { team: chosen } })}
    >
      <Outlet />
    </Administration>
  );
};

export const Route = createFileRoute('/administration')({
  validateSearch: readTeamSearch,
  search: { middlewares: [retainSearchParams(['team'])] },
  component: Page,
});
