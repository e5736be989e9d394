import { Suspense } from 'react';
import { whenIdle } from '../call/when-idle.ts';
import { Failsafe } from './Failsafe.tsx';
import { fetched } from './fetched.tsx';
import './menu-icon.css';

/** Longer than that a list that is waited for does not keep the menu bare. */
const PATIENCE_MS = 1_000;
const patience = () => new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));

const Drawn = fetched(async () => {
  await Promise.race([whenIdle(), patience()]);
  const { DrawnIcon } = await import('./DrawnIcon.tsx');
  return DrawnIcon;
});

/** A menu can do without drawings that did not come. */
const without = () => undefined;

/** The icon a menu names; a plain one where it names none that is known. The drawings load behind the page. */
export function MenuIcon({ name }: { readonly name: string | null }) {
  return (
    <span className="anticon menu-icon" aria-hidden="true">
      <Failsafe onBroken={without}>
        <Suspense fallback={null}>
          <Drawn name={name} />
        </Suspense>
      </Failsafe>
    </span>
  );
}
