import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/administration/')({
  beforeLoad: () => redirect({ to: '/administration/members', replace: true, throw: true }),
});
