import type { GoogleKey } from '#contract/operators.ts';
import { GoogleKeyFace } from '../../kit/form/index.ts';
import { Dialog } from '../../kit/overlay/index.ts';

/** A fresh Google key: the server shows it this once and never again. */
export function GoogleKeyDialog({ userName, googleKey }: { userName: string; googleKey: GoogleKey }) {
  return (
    <Dialog title={`谷歌密钥：${userName}`} width={400}>
      <GoogleKeyFace googleKey={googleKey}>
        请用谷歌验证器扫描二维码，或手工输入密钥。关闭后将无法再次查看。
      </GoogleKeyFace>
    </Dialog>
  );
}
