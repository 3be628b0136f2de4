import { createFileRoute } from '@tanstack/react-router';
import { EvidencePage } from '../../features/evidence/evidence-page.js';

const Page = () => {
  const { evidenceId } = Route.useParams();
  return <EvidencePage key={evidenceId} evidenceId={evidenceId} />;
};

export const Route = createFileRoute('/evidence/$evidenceId')({ component: Page });
