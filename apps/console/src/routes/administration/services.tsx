import { createFileRoute } from '@tanstack/react-router';
import { Services } from '../../features/administration/services.js';

export const Route = createFileRoute('/administration/services')({ component: Services });
