import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { Pages } from './pages.tsx';
import { queryClient } from './session/query-client.ts';

// Zod tries once whether `new Function` is allowed. The page's policy forbids it, and would report the attempt.
// Where Zod looks for its settings: to call its `config` would load 4 KB that the first page does not need.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Router base="/console">
        <Pages />
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
