import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { useCloseDialog } from './Overlays.tsx';
import { ScreenLink } from './ScreenLink.tsx';

/** Says that what was asked for waits for somebody else, and leads to where it waits. */
export function SubmittedDialog({ approvalId }: { readonly approvalId: number }) {
  const close = useCloseDialog();
  const number = `复核编号 ${approvalId}`;
  return (
    <Dialog title="已提交复核" width={440}>
      <p className="dialog-text">此操作尚未执行，须由另一名有复核权限的操作员放行后才会生效。</p>
      <p className="dialog-text">
        <ScreenLink to="/main/system/approval" search={{ id: approvalId }} instead={number}>
          {number}
        </ScreenLink>
      </p>
      <div className="form-buttons">
        <Button tone="primary" onClick={close}>
          知道了
        </Button>
      </div>
    </Dialog>
  );
}
