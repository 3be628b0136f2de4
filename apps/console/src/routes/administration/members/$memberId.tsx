import { createFileRoute } from '@tanstack/react-router';
import { MemberPage } from '../../../features/administration/member-page.js';

const Page = () => {
  const { memberId } = Route.useParams();
  const navigate = Route.useNavigate();
  return (
    <MemberPage
      key={memberId}
      memberId={memberId}
      onRemoved={() => void navigate({ to: '/administration/members', replace: true })}
    />
  );
};

export const Route = createFileRoute('/administration/members/$memberId')({ component: Page });
