import { createRouter } from '@tanstack/react-router';
import { PageFault, PageNotFound } from './features/faults/page-faults.js';
import { routeTree } from './routeTree.gen.js';
import { Skeleton } from './ui/skeleton.js';

export const router = createRouter({
  routeTree,
  basepath: import.meta.env.BASE_URL,
  defaultErrorComponent: PageFault,
  defaultNotFoundComponent: PageNotFound,
  defaultPendingComponent: () => <Skeleton lines={5} />,
  // The code of a page is loaded when the pointer is on a link to it.
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
