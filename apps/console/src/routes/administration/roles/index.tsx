import { createFileRoute } from '@tanstack/react-router';
import { Roles } from '../../../features/administration/roles.js';

const Page = () => {
  const navigate = Route.useNavigate();
  return <Roles onOpen={(role) => void navigate({ to: '/administration/roles/$role', params: { role } })} />;
};

export const Route = createFileRoute('/administration/roles/')({ component: Page });
