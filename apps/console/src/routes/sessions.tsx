import { createFileRoute } from '@tanstack/react-router';
import { Sessions } from '../features/sessions/sessions.js';

export const Route = createFileRoute('/sessions')({ component: Sessions });
