import { type ComponentType, createContext, Suspense, use, useMemo, useState } from 'react';
import { toast } from '../call/notices.ts';
import { answerStepUp, stepUp } from '../call/step-up.ts';
import { useStore } from '../call/store.ts';
import { onSubmitted } from '../call/submitted.ts';
import { Failsafe } from './Failsafe.tsx';
import { Fetching } from './Fetching.tsx';
import { fetched } from './fetched.tsx';
import { dropDialog, type OpenDialog, openDialog, overlays } from './overlays.ts';
import { PopupBox } from './PopupBox.tsx';
import { TabContext } from './tab.ts';

const SubmittedDialog = fetched(() => import('./SubmittedDialog.tsx').then((m) => m.SubmittedDialog));

// In place of any dialog the call was made from.
onSubmitted((approvalId) => openDialog(<SubmittedDialog approvalId={approvalId} />));

/** Asks for a fresh code, and tells whether one was given. */
type AskForCode = ComponentType<{ readonly onEnd: (confirmed: boolean) => void }>;

interface DialogState {
  /** False while it fades out. */
  readonly open: boolean;
  readonly close: () => void;
  /** To be called once it has faded out. */
  readonly gone: () => unknown;
}

const nothing = () => undefined;

/** For what stands inside a dialog. */
export const DialogContext = createContext<DialogState>({ open: false, close: nothing, gone: nothing });

/** Whether the dialog this component stands in is on screen: it neither fades out nor waits for its tab. */
export const useDialogOpen = (): boolean => use(DialogContext).open;

/** In place of a dialog whose file did not come, or that broke; what stands under it stays. */
export const tellUnopened = () =>
  toast('error', '窗口未能打开：请检查网络后再试；系统刚刚升级的，请重新加载页面');

/** Closes the dialog this component stands in. */
export const useCloseDialog = (): (() => void) => use(DialogContext).close;

function DialogSlot({ id, tab, content, shown }: OpenDialog & { readonly shown: boolean }) {
  const [open, setOpen] = useState(true);
  const state = useMemo(
    // One that only waits for its tab fades out like one that is closed, and stays.
    () => ({ open: open && shown, close: () => setOpen(false), gone: () => open || dropDialog(id) }),
    [open, shown, id],
  );
  return (
    <TabContext value={tab}>
      <DialogContext value={state}>
        <Failsafe
          onBroken={() => {
            tellUnopened();
            dropDialog(id);
          }}
        >
          <Suspense fallback={<Fetching over />}>{content}</Suspense>
        </Failsafe>
      </DialogContext>
    </TabContext>
  );
}

/** The question for a code, which may come while a dialog is open and leaves it open. */
function StepUpSlot({ ask: AskForCode }: { readonly ask: AskForCode }) {
  const state = useMemo(() => ({ open: true, close: () => answerStepUp(false), gone: nothing }), []);
  return (
    <DialogContext value={state}>
      <Failsafe
        onBroken={() => {
          tellUnopened();
          answerStepUp(false);
        }}
      >
        <Suspense fallback={<Fetching over />}>
          <AskForCode onEnd={answerStepUp} />
        </Suspense>
      </Failsafe>
    </DialogContext>
  );
}

/** Draws the console's one popup, the dialog of each tab, and the question for a code; stands once, at the root. */
export function Overlays({ askForCode }: { readonly askForCode: AskForCode }) {
  const { popup, dialogs, tab } = useStore(overlays);
  const asking = useStore(stepUp);
  return (
    <TabContext value={tab}>
      {dialogs.map((dialog) => (
        <DialogSlot key={dialog.id} {...dialog} shown={dialog.tab === tab} />
      ))}
      {asking && <StepUpSlot key={asking.id} ask={askForCode} />}
      {popup && <PopupBox key={popup.label} {...popup} />}
    </TabContext>
  );
}
