import { createFileRoute } from '@tanstack/react-router';
import { Bin } from '../../features/processes/bin/bin.js';
import { readBinSearch } from './-bin-search.js';

const Page = () => {
  const { storage } = Route.useSearch();
  const navigate = Route.useNavigate();
  return <Bin storage={storage} onStorage={(chosen) => void navigate({ search: { storage: chosen } })} />;
};

export const Route = createFileRoute('/processes/bin')({ validateSearch: readBinSearch, component: Page });
