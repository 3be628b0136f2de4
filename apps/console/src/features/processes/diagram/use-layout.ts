import { useQuery } from '@tanstack/react-query';
import type { Diagram } from './diagram-model.js';
import type { Layout } from './layout-diagram.js';

/** The places of all that a diagram shows, computed in a worker. */
export const useLayout = (diagram: Diagram) =>
  useQuery({
    queryKey: ['diagramLayout', diagram],
    queryFn: ({ signal }) => layoutInWorker(diagram, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

const layoutInWorker = (diagram: Diagram, signal: AbortSignal): Promise<Layout> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Layout>) => {
      worker.terminate();
      resolve(data);
    });
    worker.addEventListener('error', ({ message }) => {
      worker.terminate();
      reject(new Error(message));
    });
    signal.addEventListener('abort', () => {
      worker.terminate();
      reject(new Error('The diagram is not shown any more.'));
    });
    worker.postMessage(diagram);
  });
