import { Modal } from 'antd';
import { type ReactNode, type RefObject, use, useEffect, useRef, useState } from 'react';
import Draggable, { type DraggableBounds, type DraggableEvent } from 'react-draggable';
import { Antd } from './Antd.tsx';
import { PlaceContext } from './Button.tsx';
import { DialogContext } from './Overlays.tsx';
import type { About } from './row-context.ts';
import './dialog.css';

interface DialogProps {
  readonly title: string;
  /** The row it is about, said above everything else. */
  readonly about?: About;
  /** What Escape and the cross do; closing unless told otherwise. */
  readonly onLeave?: () => void;
  readonly width?: number;
  /** The buttons at the foot. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** Typing may begin at once, and a run that was begun while the dialog came in is told; whoever is somewhere in it already is left alone. */
function focusFirst(frame: HTMLElement | null): void {
  if (frame?.querySelector(':is(input, textarea, progress, .form-buttons button):focus')) return;
  frame?.querySelector<HTMLElement>('input:enabled, textarea:enabled, progress[tabindex]')?.focus();
}

/** Where the keyboard goes on when what had it is gone: to what is told of a run that was begun, else to what can be done now. */
const GOES_ON = 'progress[tabindex], .form-buttons button';

/**
 * A button that gives way, to a question or to what it began, would take the keyboard with it: keys would do nothing, and a screen reader
 * would read the page from its beginning.
 */
function useKeyboardInside(frame: RefObject<HTMLElement | null>, open: boolean) {
  const stands = useRef(false);
  useEffect(() => {
    if (open && stands.current && document.activeElement === document.body)
      frame.current?.querySelector<HTMLElement>(GOES_ON)?.focus();
  });
  return (isOpen: boolean) => {
    stands.current = isOpen;
    if (isOpen) focusFirst(frame.current);
  };
}

/** Which row a dialog is about. */
function AboutRow({ about }: { readonly about: About }) {
  if (about.length === 0) return null;
  return (
    <PlaceContext value="about">
      <dl className="dialog-about">
        {about.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </PlaceContext>
  );
}

/** A centred dialog that can be dragged by its title and never out of the window. Opened by `openDialog`. */
export function Dialog({ title, about = [], onLeave, width = 520, footer = null, children }: DialogProps) {
  const { open, close, gone } = use(DialogContext);
  const frame = useRef<HTMLDivElement>(null);
  const [bounds, setBounds] = useState<DraggableBounds>({});
  const onOpen = useKeyboardInside(frame, open);

  const onStart = (_event: DraggableEvent, { x, y }: { x: number; y: number }) => {
    const at = frame.current?.getBoundingClientRect();
    if (!at) return;
    setBounds({
      left: x - at.left,
      right: x + window.innerWidth - at.right,
      top: y - at.top,
      bottom: y + window.innerHeight - at.bottom,
    });
  };

  return (
    <Antd>
      <Modal
        centered
        open={open}
        title={<div className="dialog-title">{title}</div>}
        width={width}
        footer={footer}
        onCancel={onLeave ?? close}
        afterClose={gone}
        afterOpenChange={onOpen}
        mask={{ closable: false }}
        // The page itself never scrolls, and antd's lock is a style without the page's nonce.
        scrollLock={false}
        modalRender={(modal) => (
          <Draggable
            nodeRef={frame}
            handle=".dialog-title"
            bounds={bounds}
            onStart={onStart}
            enableUserSelectHack={false}
          >
            <div ref={frame}>{modal}</div>
          </Draggable>
        )}
      >
        <AboutRow about={about} />
        {children}
      </Modal>
    </Antd>
  );
}
