/** Starts the console. */
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { startTransition, StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.js';
import { LanguageProvider, usePreferences } from './language/language-provider.js';
import { router } from './router.js';
import { I18nProvider } from 'react-aria-components';
import { keepFocus } from './ui/keep-focus.js';
import './ui/page.css';

/** What React Aria says and formats itself. */
const Widgets = ({ children }: { readonly children: ReactNode }) => {
  const { language } = usePreferences();
  return <I18nProvider locale={language}>{children}</I18nProvider>;
};

const page = (
  <StrictMode>
    <LanguageProvider>
      <Widgets>
        <QueryClientProvider client={createQueryClient()}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </Widgets>
    </LanguageProvider>
  </StrictMode>
);

keepFocus();
const place = document.getElementById('root');
// In slices, as what is loaded later.
if (place !== null) startTransition(() => createRoot(place).render(page));
