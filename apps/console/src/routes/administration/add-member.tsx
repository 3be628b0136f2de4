import { createFileRoute } from '@tanstack/react-router';
import { AddMember } from '../../features/administration/add-member.js';

const Page = () => {
  const navigate = Route.useNavigate();
  return (
    <AddMember
      onAdded={(memberId) =>
        void navigate({ to: '/administration/members/$memberId', params: { memberId }, replace: true })
      }
    />
  );
};

export const Route = createFileRoute('/administration/add-member')({ component: Page });
