import { createRootRoute, Outlet } from '@tanstack/react-router';
import { PageFault, PageNotFound } from '../features/faults/page-faults.js';
import { SessionGate } from '../features/session/session-gate.js';
import { AppShell } from '../features/shell/app-shell.js';

const Root = () => (
  <SessionGate>
    <AppShell>
      <Outlet />
    </AppShell>
  </SessionGate>
);

export const Route = createRootRoute({ component: Root, notFoundComponent: PageNotFound, errorComponent: PageFault });
