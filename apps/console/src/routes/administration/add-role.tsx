import { createFileRoute } from '@tanstack/react-router';
import { AddRole } from '../../features/administration/add-role.js';

const Page = () => {
  const navigate = Route.useNavigate();
  return (
    <AddRole
      onAdded={(role) => void navigate({ to: '/administration/roles/$role', params: { role }, replace: true })}
    />
  );
};

export const Route = createFileRoute('/administration/add-role')({ component: Page });
