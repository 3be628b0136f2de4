import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { AssetState, ChangeState } from '../../features/tools/address-state.js';
import { AssetPage } from '../../features/tools/asset-page.js';
import { readAssetSearch } from './-search.js';

const Page = () => {
  const { assetId } = Route.useParams();
  const state = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = useCallback<ChangeState<AssetState>>(
    (changed, { replace = false } = {}) =>
      void navigate({ search: (before) => ({ ...before, ...changed }), replace, resetScroll: false }),
    [navigate],
  );
  return <AssetPage key={assetId} assetId={assetId} state={state} onChange={change} />;
};

export const Route = createFileRoute('/tools/$assetId')({ validateSearch: readAssetSearch, component: Page });
