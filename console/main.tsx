import './before-contract.ts';
import './theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { Notices } from './kit/Notices.tsx';
import { showCarriedNotice } from './kit/notices.ts';
import { queryClient } from './kit/query-client.ts';
import { applyTheme } from './kit/theme-choice.ts';
import { preload, Routed } from './routes.tsx';

preload(location.pathname);
applyTheme();
showCarriedNotice();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <Routed />
      </BrowserRouter>
      <Notices />
    </QueryClientProvider>
  </StrictMode>,
);
