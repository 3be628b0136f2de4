import { createFileRoute } from '@tanstack/react-router';
import { Models } from '../../features/figures/models.js';

export const Route = createFileRoute('/figures/')({ component: Models });
