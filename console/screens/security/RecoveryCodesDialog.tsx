import { readOperatorName, saveFile } from '../../kit/call/index.ts';
import { Button, Dialog, useCloseDialog } from '../../kit/overlay/index.ts';

function save(codes: readonly string[]): void {
  const name = readOperatorName();
  const lines = [`运营后台 ${name} 的恢复码，每个只能使用一次`, '', ...codes, ''];
  saveFile({ name: `恢复码-${name}.txt`, blob: new Blob([lines.join('\r\n')], { type: 'text/plain' }) });
}

/** Recovery codes: the server shows them this once and never again. */
export function RecoveryCodesDialog({ codes }: { readonly codes: readonly string[] }) {
  return (
    <Dialog title="恢复码" width={460} footer={<Foot codes={codes} />}>
      <p className="safe-hint">
        手机不在身边时，每个恢复码可以代替一次登录验证码。请下载或抄下，与手机分开保存；关闭后将无法再次查看。
      </p>
      <ul className="safe-codes" aria-label="恢复码">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Foot({ codes }: { readonly codes: readonly string[] }) {
  const close = useCloseDialog();
  return (
    <div className="form-buttons">
      <Button onClick={() => save(codes)}>下载</Button>
      <Button tone="primary" onClick={close}>
        已保存
      </Button>
    </div>
  );
}
