import { createFileRoute } from '@tanstack/react-router';
import { KeyPage } from '../../../features/administration/key-page.js';

const Page = () => {
  const { keyId } = Route.useParams();
  return <KeyPage key={keyId} keyId={keyId} />;
};

export const Route = createFileRoute('/administration/keys/$keyId')({ component: Page });
