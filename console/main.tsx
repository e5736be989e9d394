import './theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import {
  hasSession,
  learnFirstCalls,
  learnLanguage,
  queryClient,
  showCarriedNotice,
  takeFirstAnswers,
  watchSession,
  watchUnanswered,
} from './kit/call/index.ts';
import { applyTheme, Failsafe, Notices } from './kit/overlay/index.ts';
import { preload, Routed } from './routes.tsx';

applyTheme();
watchSession();
watchUnanswered();
const nearlyAnswered = takeFirstAnswers();

function draw(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  // index.html has said why the console cannot run here.
  if (root.hasChildNodes()) return;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        {/* As transitions, changes of the address are drawn in slices, with frames between that show nothing new. */}
        <BrowserRouter useTransitions={false}>
          <Failsafe>
            <Routed />
          </Failsafe>
        </BrowserRouter>
        <Notices />
      </QueryClientProvider>
    </StrictMode>,
  );
  showCarriedNotice();
  void learnFirstCalls();
}

if (hasSession()) void learnLanguage();
// A chunk that cannot be fetched is met again, and told, where it is drawn.
void preload(location.pathname)
  .catch(() => undefined)
  .then(nearlyAnswered)
  .then(draw);
