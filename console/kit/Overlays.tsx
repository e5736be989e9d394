import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  use,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { dropDialog, readOverlays, subscribeOverlays } from './overlays.ts';
import { PopupBox } from './PopupBox.tsx';
import { answerStepUp, readStepUp, subscribeStepUp } from './step-up.ts';

const StepUpDialog = lazy(() => import('./StepUpDialog.tsx').then((m) => ({ default: m.StepUpDialog })));

interface DialogState {
  /** False while it fades out. */
  readonly open: boolean;
  readonly close: () => void;
  /** To be called once it has faded out. */
  readonly gone: () => void;
}

const nothing = () => undefined;

/** For what stands inside a dialog. */
export const DialogContext = createContext<DialogState>({ open: false, close: nothing, gone: nothing });

/** Closes the dialog this component stands in. */
export const useCloseDialog = (): (() => void) => use(DialogContext).close;

function DialogSlot({ id, content }: { id: number; content: ReactNode }) {
  const [open, setOpen] = useState(true);
  const state = useMemo(
    () => ({ open, close: () => setOpen(false), gone: () => dropDialog(id) }),
    [open, id],
  );
  return (
    <DialogContext value={state}>
      <Suspense fallback={null}>{content}</Suspense>
    </DialogContext>
  );
}

/** The question for a code, which may come while a dialog is open and leaves it open. */
function StepUpSlot() {
  const state = useMemo(() => ({ open: true, close: () => answerStepUp(false), gone: nothing }), []);
  return (
    <DialogContext value={state}>
      <Suspense fallback={null}>
        <StepUpDialog onEnd={answerStepUp} />
      </Suspense>
    </DialogContext>
  );
}

/** Draws the console's one popup and one dialog, and the question for a code; stands once, at the root. */
export function Overlays() {
  const { popup, dialog } = useSyncExternalStore(subscribeOverlays, readOverlays);
  const stepUp = useSyncExternalStore(subscribeStepUp, readStepUp);
  return (
    <>
      {dialog && <DialogSlot key={dialog.id} {...dialog} />}
      {stepUp && <StepUpSlot key={stepUp.id} />}
      {popup && <PopupBox key={popup.label} {...popup} />}
    </>
  );
}
