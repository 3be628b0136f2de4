import { createFileRoute } from '@tanstack/react-router';
import { Home } from '../features/home/home.js';

export const Route = createFileRoute('/')({ component: Home });
