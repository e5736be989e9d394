import { lazy, Suspense } from 'react';
import { whenIdle } from '../call/when-idle.ts';
import './menu-icon.css';

/** Longer than that a list that is waited for does not keep the menu bare. */
const PATIENCE_MS = 1_000;
const patience = () => new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));

const Drawn = lazy(async () => {
  await Promise.race([whenIdle(), patience()]);
  const { DrawnIcon } = await import('./DrawnIcon.tsx');
  return { default: DrawnIcon };
});

/** The icon a menu names; a plain one where it names none that is known. The drawings load behind the page. */
export function MenuIcon({ name }: { readonly name: string | null }) {
  return (
    <span className="anticon menu-icon" aria-hidden="true">
      <Suspense fallback={null}>
        <Drawn name={name} />
      </Suspense>
    </span>
  );
}
