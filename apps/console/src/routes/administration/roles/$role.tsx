import { createFileRoute } from '@tanstack/react-router';
import { RolePage } from '../../../features/administration/role-page.js';

const Page = () => {
  const { role } = Route.useParams();
  const navigate = Route.useNavigate();
  return (
    <RolePage key={role} name={role} onDeleted={() => void navigate({ to: '/administration/roles', replace: true })} />
  );
};

export const Route = createFileRoute('/administration/roles/$role')({ component: Page });
