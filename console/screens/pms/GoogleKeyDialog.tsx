import { lazy } from 'react';
import type { GoogleKey } from '#contract/operators.ts';

const Dialog = lazy(() => import('../../kit/Dialog.tsx').then((kit) => ({ default: kit.Dialog })));

/** A fresh Google key: the server shows it this once and never again. */
export function GoogleKeyDialog({ userName, googleKey }: { userName: string; googleKey: GoogleKey }) {
  return (
    <Dialog title={`谷歌密钥：${userName}`} width={400}>
      <div className="google-key">
        <img src={googleKey.qrCode} alt="谷歌密钥二维码" />
        <code>{googleKey.secret}</code>
        <p>请用谷歌验证器扫描二维码，或手工输入密钥。关闭后将无法再次查看。</p>
      </div>
    </Dialog>
  );
}
