/** Which request is answered, for what oidc-provider calls without saying so. */
import { Provider } from 'oidc-provider';
import { exchangeOf, type ProviderExchange } from './provider-exchange.js';

/** Undefined when the library was called for nobody's request. */
export const currentProviderRequest = (): ProviderExchange | undefined => {
  const { ctx } = Provider;
  return ctx && exchangeOf(ctx.req);
};
