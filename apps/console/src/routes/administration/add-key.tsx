import { createFileRoute } from '@tanstack/react-router';
import { AddKey } from '../../features/administration/add-key.js';

const Page = () => {
  const navigate = Route.useNavigate();
  return (
    <AddKey
      onMade={(keyId) => void navigate({ to: '/administration/keys/$keyId', params: { keyId }, replace: true })}
    />
  );
};

export const Route = createFileRoute('/administration/add-key')({ component: Page });
