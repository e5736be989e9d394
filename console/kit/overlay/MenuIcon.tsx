import { lazy, Suspense } from 'react';
import { whenIdle } from '../call/when-idle.ts';
import './menu-icon.css';

const Drawn = lazy(async () => {
  await whenIdle();
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
