import { createFileRoute, Outlet } from '@tanstack/react-router';
import { DataArea } from '../../features/data/data-area.js';

const Around = () => (
  <DataArea>
    <Outlet />
  </DataArea>
);

export const Route = createFileRoute('/data')({ component: Around });
